import type { en } from './en.ts';
import { count } from './format.ts';

const inDays = (n: number): string => count(n, 'Tag', 'Tagen');

/** Wörter vieler Ansichten, und was ihre gemeinsamen Teile sagen. Kurz, sachlich, ohne Anrede. */
export const de: typeof en = {
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  undo: 'Rückgängig',
  ctrl: 'Strg',
  undone: 'Rückgängig gemacht',
  cancel: 'Abbrechen',
  save: 'Sichern',
  optional: 'optional',
  tryAgain: 'Erneut versuchen',
  copyDetails: 'Einzelheiten kopieren',
  more: 'Mehr',
  never: 'nie',
  title: (screen) => `${screen} · Linkfold`,
  noFolder: 'Kein Ordner',
  nothing: (text) => `Keine Treffer für „${text}“.`,
  apply: 'Anwenden',
  moreFor: (name) => `Mehr zu ${name}`,
  of: (used, most) => `${used} von ${most}`,
  commandCopied: 'Befehl kopiert',
  remove: (name) => `${name} entfernen`,
  clicks: (n) => count(n, 'Klick', 'Klicks'),
  linkFailed: 'Der Link konnte nicht gelesen werden',

  places: {
    home: 'Start',
    links: 'Links',
    statistics: 'Statistik',
    folders: 'Ordner',
    tags: 'Tags',
    bin: 'Papierkorb',
    domains: 'Domains',
    people: 'Personen',
    keys: 'Schlüssel',
    imports: 'Umzug',
    webhooks: 'Webhooks',
    settings: 'Einstellungen',
    toLinks: 'Zu den Links',
    shortcuts: 'Tastenkürzel',
  },

  managedBy: (name) => `Verwaltet von ${name}`,
  states: {
    active: 'Aktiv',
    soon: 'Läuft bald ab',
    expired: 'Abgelaufen',
    scheduled: 'Hat noch nicht begonnen',
    disabled: 'Abgeschaltet',
    exhausted: 'Verbraucht',
    failing: 'Ziel antwortet nicht',
    archived: 'Archiviert',
  },

  check: {
    since: (what: string, when: string) => `${what} seit ${when}`,
    problems: {
      'not-found': 'Seite nicht gefunden',
      gone: 'Seite gibt es nicht mehr',
      'server-error': 'Fehler des Servers',
      dns: 'Host gibt es nicht',
      tls: 'Zertifikat ist ungültig',
      timeout: 'Antwortet nicht',
      unreachable: 'Nicht erreichbar',
    },
    fine: (when: string) => `Ziel zuletzt geprüft ${when}`,
    recovered: (when: string) => `Ziel ist wieder da seit ${when}`,
    suspect: 'Ziel antwortete einmal nicht; es wird wieder nachgesehen',
    redirects: (n: number) => `Ziel leitet ${n}-mal weiter`,
    certificate: (when: string) => `Zertifikat des Ziels endet am ${when}`,
  },

  sparkline: {
    days: '30 Tage',
    clicks: 'Klicks',
    none: (n) => `Keine Klicks in ${inDays(n)}`,
    few: (clicks, n, day) => `${count(clicks, 'Klick', 'Klicks')} in ${inDays(n)}, die meisten am ${day}`,
    some: (average, day) => `${average} am Tag, die meisten am ${day}`,
  },

  act: {
    newLink: 'Neuer Link',
    qr: 'QR-Code',
    edit: 'Bearbeiten',
    openShort: 'Kurzen Link öffnen',
    delete: 'Löschen',
    archive: 'Archivieren',
    unarchive: 'Aus dem Archiv holen',
  },
};
