import type { en } from './en.ts';

export const de: typeof en = {
  bin: {
    title: 'Papierkorb',
    about: 'Codes bleiben für immer vergeben. Ein wiederhergestellter Link zählt weiter, wo er war.',
    link: 'Link',
    deleted: 'Gelöscht',
    clicks: 'Klicks',
    restore: 'Wiederherstellen',
    none: 'Der Papierkorb ist leer',
    noneMore: 'Gelöschte Links warten hier; ihre Codes bekommt kein anderes Konto.',
    restored: (code) => `/${code} ist wieder da`,
    restoredBack: (code) => `/${code} liegt wieder im Papierkorb`,
    failed: 'Der Papierkorb konnte nicht gelesen werden',
    more: 'Ältere',
  },
};
