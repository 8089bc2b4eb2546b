import { number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  shell: {
    skip: 'Zum Inhalt springen',
    search: 'Suchen',
    main: 'Hauptnavigation',
    newFolder: 'Neuer Ordner',
    showAll: (n) => `Alle ${number(n)} anzeigen`,
    notFound: 'Seite nicht gefunden',
    notFoundWay: 'Gehen Sie zu den Links, oder suchen Sie mit ⌘K oder Strg+K.',
    unreachable: 'Der Server antwortet nicht',
  },

  notices: {
    offline: (time) => `Seit ${time} keine Verbindung zum Server.`,
    nextTry: (seconds) => `Nächster Versuch in ${number(seconds)} s.`,
    tryNow: 'Jetzt versuchen',
    newVersion: 'Eine neue Version ist verfügbar.',
    reload: 'Neu laden',
  },
};
