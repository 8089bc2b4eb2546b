import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  command: {
    copyShort: 'Kurzen Link kopieren',
    title: 'Suchen oder springen',
    placeholder: 'Suchen oder springen',
    links: 'Links',
    of: (shown, total) => `${number(shown)} von ${number(total)}`,
    doWith: (code) => `Mit /${code}`,
    elsewhere: 'Anderswo',
    choose: 'wählen',
    thenLetter: 'dann ein Buchstabe: mit diesem Link',
    took: (ms) => `${number(ms)} ms`,
    newWithCode: (code) => `Neuer Link mit dem Code „${code}“`,
    newTo: (url) => `Neuer Link zu ${url}`,
    folder: (name) => `Ordner ${name}`,
    tag: (name) => `Tag ${name}`,
    folderLinks: (n) => count(n, 'Link', 'Links'),
    nothing: 'Nichts gefunden',
    theme: 'Zwischen hell und dunkel wechseln',
    operator: 'Alle Konten',
  },
};
