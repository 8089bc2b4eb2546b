import type { en } from './en.ts';

export const de: typeof en = {
  tags: {
    title: 'Tags',
    about: 'Viele an jedem Link. Beim Zusammenlegen gehen die Links eines Tags an einen anderen.',
    name: 'Name',
    links: 'Links',
    add: 'Neuer Tag',
    rename: 'Umbenennen',
    merge: 'Zusammenlegen mit…',
    mergeTitle: (name) => `„${name}“ zusammenlegen mit`,
    mergeNow: 'Zusammenlegen',
    mergeDone: (from, into) => `„${from}“ ist jetzt „${into}“`,
    none: 'Noch keine Tags',
    noneMore: 'Ein Tag, der an einem Link eingegeben wird, steht hier.',
    deleted: (name) => `Tag „${name}“ gelöscht; seine Links bleiben`,
    deletedBack: (name) => `Tag „${name}“ ist wieder da`,
    renamed: (name) => `Umbenannt in „${name}“`,
    renamedBack: 'Der alte Name gilt wieder',
    made: (name) => `Tag „${name}“ angelegt`,
    removedAgain: (name) => `Tag „${name}“ entfernt`,
    nameMissing: 'Ein Tag braucht einen Namen.',
    nameComma: 'Ein Tag hat höchstens 50 Zeichen und kein Komma.',
    unlinked: 'Zusammengelegte Tags lassen sich nicht wieder trennen.',
  },
};
