import type { en } from './en.ts';

export const de: typeof en = {
  bin: {
    title: 'Papierkorb',
    about:
      'Gelöschte Links behalten ihre Codes und Klicks. Stellen Sie einen Link wieder her, damit er wieder funktioniert.',
    link: 'Link',
    deleted: 'Gelöscht',
    clicks: 'Klicks',
    restore: 'Wiederherstellen',
    none: 'Der Papierkorb ist leer',
    noneMore: 'Gelöschte Links erscheinen hier. Ihre Codes bleiben für Ihr Konto reserviert.',
    restored: (code) => `/${code} wiederhergestellt`,
    restoredBack: (code) => `/${code} in den Papierkorb verschoben`,
    failed: 'Der Papierkorb konnte nicht geladen werden',
    more: 'Ältere Links anzeigen',
  },
};
