import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const links = (n: number): string => count(n, 'Link', 'Links');
const clicks = (n: number): string => count(n, 'Klick', 'Klicks');

export const de: typeof en = {
  imports: {
    title: 'Umzug',
    about: 'Links und Klicks eines anderen Dienstes, mit ihren Codes, Daten und Tags.',
    choose: 'Datei wählen',
    drop: 'Eine Datei mit Links hierher ziehen',
    dropMore: 'Aus Bitly, Dub, Shlink, Short.io, YOURLS, einer Tabelle und anderem gelesen mit',
    none: 'Das ist keine Datei von import read. Der Befehl unten macht eine.',
    looking: 'Die Datei wird angesehen',
    holds: (n, of) => `${links(n)} und ${clicks(of)}`,
    from: (source, date) => `${source}, gelesen ${date}`,
    noHost: 'kein Host genannt',
    toDefault: 'zur Standarddomain',
    toDomain: (host) => host,
    refused: 'nirgendwohin: keine Domain dieses Kontos',
    alike: (n) =>
      `${links(n)} ${n === 1 ? 'hat' : 'haben'} bis auf Großbuchstaben den Code eines anderen: die Codes dieser Domain vorher genau nehmen.`,
    cut: 'Die Datei ist abgeschnitten: ihr Ende fehlt. Bitte neu lesen.',
    problems: (n) => `${number(n)} ließen sich an der Quelle nicht lesen.`,
    valuesLeftOut: (n) =>
      n === 1
        ? '1 Wert war nicht lesbar und entfällt.'
        : `${number(n)} Werte waren nicht lesbar und entfallen.`,
    unusedColumns: (names) => `Nicht verwendete Spalten: ${names}`,
    beyond: (n) => `Der Tarif hat keinen Platz für ${links(n)} davon.`,
    linksOf: (n) => links(n),
    lost: (what, n) => `${what}: ${links(n)}`,
    lostTitle: 'Wird nicht übernommen',
    others: 'Links anderer Hosts',
    othersRefused: 'Ablehnen',
    conflict: 'Wenn ein Code vergeben ist',
    conflicts: { skip: 'Auslassen', rename: 'Umbenennen', overwrite: 'Überschreiben' },
    conflictHelp: {
      skip: 'Der vorhandene Link bleibt, wie er ist.',
      rename: 'Der Link bekommt einen ähnlichen Code, etwa sale-2.',
      overwrite:
        'Links eines früheren Imports werden, wie die Datei sie hat, wenn sie hier nicht geändert wurden.',
    },
    start: (n) => `${links(n)} importieren`,
    cancel: 'Abbrechen',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    done: (n, of) => `${links(n)} und ${clicks(of)} importiert`,
    earlier: 'Importe',
    source: 'Aus',
    state: 'Stand',
    states: {
      open: 'Wartet auf Zeilen',
      paused: 'Angehalten',
      counting: 'Zählt',
      done: 'Fertig',
      undoing: 'Geht zurück',
      undone: 'Zurückgenommen',
    },
    took: 'Importiert',
    unchanged: (n) => `${number(n)} unverändert`,
    mended: (n) => `${number(n)} ${n === 1 ? 'Teil' : 'Teile'} von Links geändert oder weggelassen`,
    skipped: (n) => `${number(n)} ausgelassen`,
    refusedCount: (n) => `${number(n)} abgelehnt`,
    kept: (n) => `${number(n)} behalten, da geändert`,
    report: 'Bericht als CSV',
    undo: 'Zurücknehmen',
    undoTitle: (source) => `Den Import aus ${source} zurücknehmen?`,
    undoHelp:
      'Links, die er angelegt und die niemand geändert hat, werden gelöscht, mit ihren importierten Klicks. Alle anderen bleiben.',
    failed: 'Die Importe ließen sich nicht lesen',
    goOn: 'Dieselbe Datei noch einmal wählen, und es geht dort weiter, wo es aufgehört hat.',
  },
};
