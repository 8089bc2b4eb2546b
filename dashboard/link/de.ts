import { number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  link: {
    back: 'Links',
    created: (date) => `Angelegt am ${date}`,
    neverExpires: 'Läuft nie ab',
    expires: (date) => `Läuft ab am ${date}`,
    expired: (date) => `Abgelaufen am ${date}`,
    changed: (when) => `Geändert ${when}`,
    none: 'Diesen Link gibt es nicht',
    noneMore:
      'Vielleicht liegt er im Papierkorb: ein gelöschter Link behält seinen Code und kann zurückgeholt werden.',
    toBin: 'Im Papierkorb nachsehen',
    editDestination: 'Ziel ändern',
    editTitle: 'Titel ändern',
    addTitle: 'Titel hinzufügen',
    left: (n, of) => `noch ${number(n)} von ${number(of)}`,
    switchOff: 'Ausschalten',
    switchOn: 'Einschalten',
    switchedOff: (link) => `${link} ist ausgeschaltet`,
    switchedOn: (link) => `${link} arbeitet wieder`,
    begins: (date) => `Beginnt ${date}`,
    password: 'Mit Passwort geschützt',
    changePassword: 'Ändern',
    redirects: (status) => `Leitet mit ${status} weiter`,
    editCard: 'Karte bearbeiten',
    share: 'Teilen',
    openDestination: 'Ziel öffnen',
    duplicate: 'Verdoppeln',
  },

  codes: {
    button: 'Codes',
    title: (code: string) => `Codes von /${code}`,
    about: 'Jeder Code führt zu demselben Link und zählt für ihn. Ein gedruckter Code geht weiter.',
    another: 'Noch ein Code',
    add: 'Hinzufügen',
    listed: 'Codes, die gehen',
    own: 'sein eigener',
    none: 'Er hat keinen anderen Code.',
    use: 'Zum eigenen machen',
    remove: 'Entfernen',
    added: (code: string) => `/${code} führt zum Link`,
    removed: (code: string) => `/${code} führt jetzt nirgendwohin`,
    failed: 'Die Codes waren nicht zu lesen',
  },
};
