import type { en } from './en.ts';

export const de: typeof en = {
  tags: {
    title: 'Tags',
    about: 'Ein Link kann mehrere Tags haben.',
    name: 'Name',
    links: 'Links',
    add: 'Neues Tag',
    rename: 'Umbenennen',
    merge: 'Zusammenführen mit…',
    mergeTitle: (name) => `„${name}“ zusammenführen mit`,
    mergeNow: 'Zusammenführen',
    mergeDone: (from, into) => `„${from}“ mit „${into}“ zusammengeführt`,
    none: 'Noch keine Tags',
    noneMore: 'Tags erscheinen hier, sobald Sie sie einem Link hinzufügen.',
    deleted: (name) => `Tag „${name}“ gelöscht. Seine Links bleiben erhalten.`,
    deletedBack: (name) => `Tag „${name}“ wiederhergestellt`,
    renamed: (name) => `Umbenannt in „${name}“`,
    renamedBack: 'Umbenennung rückgängig gemacht',
    made: (name) => `Tag „${name}“ erstellt`,
    removedAgain: (name) => `Tag „${name}“ gelöscht`,
    nameMissing: 'Geben Sie einen Namen für das Tag ein.',
    nameComma: 'Ein Tag darf höchstens 50 Zeichen und keine Kommas enthalten.',
    unlinked: 'Das Zusammenführen kann nicht rückgängig gemacht werden.',
  },
};
