import { number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  shell: {
    skip: 'Zum Inhalt',
    search: 'Suchen',
    main: 'Hauptmenü',
    newFolder: 'Neuer Ordner',
    showAll: (n) => `Alle ${number(n)}`,
    notFound: 'Unter dieser Adresse gibt es nichts',
    notFoundWay: 'Die Links stehen unter Links; alles andere findet ⌘K oder Strg+K.',
    unreachable: 'Der Server antwortet nicht',
  },

  offline: {
    since: (time) => `Seit ${time} keine Verbindung zum Server.`,
    nextTry: (seconds) => `Nächster Versuch in ${number(seconds)} s.`,
    tryNow: 'Jetzt versuchen',
  },
};
