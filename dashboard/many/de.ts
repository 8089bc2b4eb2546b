import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const links = (n: number): string => count(n, 'Link', 'Links');

export const de: typeof en = {
  many: {
    title: 'Viele anlegen',
    paste: 'Zeilen oder CSV',
    help: 'Eine Adresse je Zeile; nach einem Komma ihr Code und ihr Titel. Eine erste Zeile mit Namen (url, domain, code, title, folder, tags, expires) wird als solche gelesen.',
    file: 'Datei wählen',
    makeNone: 'Links anlegen',
    make: (n) => `${links(n)} anlegen`,
    lines: (n) => count(n, 'Zeile', 'Zeilen'),
    summary: (lines, made, failed) =>
      `${count(lines, 'Zeile', 'Zeilen')}, ${links(made)} angelegt${failed > 0 ? `, ${number(failed)} offen` : ''}`,
    drawn: 'Code erzeugt',
    again: (n) => (n === 1 ? 'Die eine erneut versuchen' : `${number(n)} erneut versuchen`),
    results: 'Ergebnis als CSV',
    undone: (n) => `${links(n)} in den Papierkorb verschoben`,
    tooMany: (most) => `Höchstens ${number(most)} Zeilen auf einmal.`,
    nothing: 'Mindestens eine Adresse einfügen.',
    done: 'Fertig',
    working: (done, all) => `${number(done)} von ${number(all)}`,
    code: (line) => `Code der Zeile ${number(line)}`,
    url: (line) => `Adresse der Zeile ${number(line)}`,
  },
};
