import type { en } from './en.ts';

export const de: typeof en = {
  folders: {
    title: 'Ordner',
    about:
      'Jeder Link kann in einem Ordner liegen. Wenn Sie einen Ordner löschen, bleiben seine Links erhalten.',
    add: 'Neuer Ordner',
    name: 'Name',
    links: 'Links',
    created: 'Erstellt',
    edit: 'Ordner bearbeiten',
    none: 'Noch keine Ordner',
    noneMore: 'Gruppieren Sie Links mit Ordnern nach Kampagne, Standort oder Kunde.',
    made: (name) => `Ordner „${name}“ erstellt`,
    removedAgain: (name) => `Ordner „${name}“ gelöscht`,
    changed: (name) => `Ordner „${name}“ gespeichert`,
    changedBack: 'Änderung rückgängig gemacht',
    deleted: (name) => `Ordner „${name}“ gelöscht. Seine Links bleiben erhalten.`,
    deletedBack: (name) => `Ordner „${name}“ wiederhergestellt`,
    nameTaken: 'Ein anderer Ordner hat diesen Namen. Sie können ihn trotzdem verwenden.',
    nameMissing: 'Geben Sie einen Namen für den Ordner ein.',
  },
};
