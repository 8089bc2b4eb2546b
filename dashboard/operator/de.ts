import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  operator: {
    title: 'Alle Konten',
    about: 'Jedes Konto dieser Installation, das neueste zuerst: nur Zahlen, nichts von seinen Links.',
    nothing: 'Unter dieser Adresse ist nichts',
    search: 'Konten suchen',
    failed: 'Die Konten konnten nicht gelesen werden',
    none: 'Kein Konto heißt so',
    noneMore: 'Groß- und Kleinschreibung spielen keine Rolle.',
    account: 'Konto',
    made: (date: string) => `angelegt am ${date}`,
    holds: 'Links',
    people: (n: number) => count(n, 'Person', 'Personen'),
    keys: (n: number) => count(n, 'Schlüssel', 'Schlüssel'),
    links: (n: number) => number(n),
    plan: 'Tarif',
    noPlan: 'keiner',
    lastUse: 'Zuletzt benutzt',
    never: 'nie',
    state: 'Zustand',
    active: 'Aktiv',
    suspended: 'Gesperrt',
    since: (when: string) => `seit ${when}`,
    own: 'Ihres',
    more: 'Weitere Konten',
    suspend: 'Sperren',
    suspendTitle: (name: string) => `${name} sperren?`,
    linksGoOn:
      'Die Kurzlinks funktionieren weiter: Besucher werden weitergeleitet, Klicks zählen, und die Webhooks werden benachrichtigt.',
    stops:
      'Die Schlüssel werden sofort abgewiesen, alle Personen werden abgemeldet und kommen nicht mehr hinein, und öffentliche Statistiken sind geschlossen. Ob Ziele noch antworten, wird währenddessen nicht geprüft.',
    undo: 'Sie können das Konto jederzeit wieder freigeben. Nichts wird gelöscht.',
    suspendDone: (name: string) => `${name} ist gesperrt`,
    resume: 'Freigeben',
    resumeTitle: (name: string) => `${name} freigeben?`,
    resumeHelp: 'Die Schlüssel funktionieren sofort wieder. Personen melden sich neu an.',
    resumeDone: (name: string) => `${name} ist wieder frei`,
  },
};
