import type { en } from './en.ts';

export const de: typeof en = {
  folders: {
    title: 'Ordner',
    about: 'Ein Link liegt in einem Ordner oder in keinem. Wird ein Ordner gelöscht, bleiben seine Links.',
    add: 'Neuer Ordner',
    name: 'Name',
    links: 'Links',
    created: 'Angelegt',
    edit: 'Ordner bearbeiten',
    none: 'Noch keine Ordner',
    noneMore: 'Ein Ordner hält die Links einer Kampagne, eines Ortes oder eines Kunden zusammen.',
    made: (name) => `Ordner „${name}“ angelegt`,
    removedAgain: (name) => `Ordner „${name}“ entfernt`,
    changed: (name) => `Ordner „${name}“ gespeichert`,
    changedBack: 'Der Ordner ist wie zuvor',
    deleted: (name) => `Ordner „${name}“ gelöscht; seine Links bleiben`,
    deletedBack: (name) => `Ordner „${name}“ ist wieder da`,
    nameTaken: 'Einen Ordner dieses Namens gibt es schon. Zwei dürfen gleich heißen.',
    nameMissing: 'Ein Ordner braucht einen Namen.',
  },
};
