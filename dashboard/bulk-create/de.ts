import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const links = (n: number): string => count(n, 'Link', 'Links');

export const de: typeof en = {
  bulkCreate: {
    title: 'Mehrere Links erstellen',
    paste: 'Links oder CSV einfügen',
    help: 'Ein Ziel pro Zeile, optional gefolgt von Code und Titel, durch Kommas getrennt. Oder CSV mit einer Kopfzeile wie Ziel, Kurzcode, Titel, Ordner, Tags, Ablaufdatum.',
    file: 'Datei auswählen',
    makeNone: 'Links erstellen',
    make: (n) => `${links(n)} erstellen`,
    common: 'Ordner, Tags und UTM-Parameter für alle Links',
    noHead: 'Keine Kopfzeile. Spalten: Ziel, Code, Titel.',
    columns: (names) => `Spalten: ${names}.`,
    columnIs: (column, part) => (column === part ? part : `${column} (${part})`),
    unused: (names) => `Ignorierte Spalten: ${names}.`,
    further: (n) => `und ${count(n, 'weitere Zeile', 'weitere Zeilen')}`,
    onlyFailed: 'Nur fehlgeschlagene Zeilen anzeigen',
    parts: {
      ...{ url: 'Ziel', short: 'Kurzlink', code: 'Code', title: 'Titel', domain: 'Domain' },
      ...{ folder: 'Ordner', tags: 'Tags', expires: 'Ablaufdatum', expiresAt: 'Ablaufdatum', utm: 'UTM' },
      ...{ utm_source: 'UTM-Quelle', utm_medium: 'UTM-Medium', utm_campaign: 'UTM-Kampagne' },
      ...{ utm_term: 'UTM-Begriff', utm_content: 'UTM-Inhalt' },
    },
    lines: (n) => count(n, 'Zeile', 'Zeilen'),
    summary: (lines, made, failed) =>
      `${count(lines, 'Zeile', 'Zeilen')}, ${links(made)} erstellt${failed > 0 ? `, ${number(failed)} fehlgeschlagen` : ''}`,
    drawn: 'Zufälliger Code',
    again: (n) =>
      n === 1 ? 'Fehlgeschlagene Zeile wiederholen' : `${number(n)} fehlgeschlagene Zeilen wiederholen`,
    results: 'Ergebnisse herunterladen (CSV)',
    undone: (n) => `${links(n)} in den Papierkorb verschoben`,
    tooMany: (most) => `Sie können höchstens ${number(most)} Zeilen auf einmal hinzufügen.`,
    nothing: 'Geben Sie mindestens ein Ziel ein.',
    done: 'Fertig',
    working: (done, all) => `${number(done)} von ${number(all)}`,
    code: (line) => `Code in Zeile ${number(line)}`,
    url: (line) => `Ziel in Zeile ${number(line)}`,
  },
};
