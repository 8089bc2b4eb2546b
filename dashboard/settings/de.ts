import { count } from '../texts/format.ts';
import type { en } from './en.ts';

const days = (n: number): string => count(n, 'Tag', 'Tage');

export const de: typeof en = {
  sessions: {
    title: 'Sitzungen',
    about: 'Jeder angemeldete Browser. Eine Sitzung endet mit ihrem Schlüssel.',
    thisOne: 'diese',
    fromKey: (name) => `aus Schlüssel „${name}“`,
    signOut: 'Abmelden',
    end: 'Beenden',
    ended: 'Die Sitzung ist beendet',
    failed: 'Die Sitzungen konnten nicht gelesen werden',
    unknown: 'Unbekannter Browser',
    browser: 'Browser',
    from: 'Aus',
    lastSeen: 'Zuletzt gesehen',
  },

  branding: {
    title: 'Auftritt',
    about:
      'Was Besucher auf Seiten von Links sehen, die gerade nicht gehen, auf Vorschauen und Seiten mit Knopf.',
    color: 'Farbe',
    onDark: (color: string) => `Links auf dunklem Grund: ${color}, damit sie lesbar sind.`,
    onLight: (color: string) => `Links auf hellem Grund: ${color}, damit sie lesbar sind.`,
    logoHelp: 'Anstelle des Namens, auf hellem Grund.',
    message: 'Nachricht',
    messageHelp: 'Auf Seiten von Links, die gerade nicht gehen.',
    contact: 'Kontakt',
    preview: 'Die Seite eines abgelaufenen Links und der Knopf anderer Seiten',
    remove: 'Auftritt entfernen',
    saved: 'Der Auftritt ist gespeichert',
    removed: 'Der Auftritt ist entfernt',
  },

  settings: {
    title: 'Einstellungen',
    look: 'Dieser Browser',
    theme: 'Aussehen',
    themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    languageAuto: 'Wie der Browser',
    density: 'Zeilen',
    densities: { comfortable: 'Bequem', compact: 'Eng' },
    letters: 'Einzelne Buchstaben sind Tastenkürzel',
    lettersHelp: 'Kombinationen mit Strg oder ⌘, Pfeile, Enter und Esc gelten immer.',
    account: 'Konto',
    name: 'Name',
    plan: 'Tarif',
    foldersUsed: 'Ordner',
    requests: 'Anfragen in der Minute',
    lifetime: 'Links leben',
    noLimit: 'ohne Grenze',
    ofNoLimit: (used) => `${used}, ohne Grenze`,
    days,
    person: 'Sie',
    roles: { owner: 'Inhaber', admin: 'Verwalter', editor: 'Redakteur', viewer: 'Leser' },
    key: 'Schlüssel dieser Sitzung',
    rights: 'Rechte',
    keyExpires: 'Schlüssel läuft ab',
    about: 'Über',
    version: 'Version',
    api: 'Dokumentation der API',
    attribution: 'Länder: IP to Country Lite by DB-IP, CC BY 4.0',
  },
};
