import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  operator: {
    title: 'Alle Konten',
    about: 'Alle Konten auf diesem Server, die neuesten zuerst. Sie sehen die Nutzung, nicht die Links.',
    nothing: 'Seite nicht gefunden',
    search: 'Konten suchen',
    failed: 'Die Konten konnten nicht geladen werden',
    none: 'Keine Konten gefunden',
    noneMore: 'Versuchen Sie einen anderen Namen.',
    account: 'Konto',
    made: (date: string) => `erstellt am ${date}`,
    holds: 'Links',
    people: (n: number) => count(n, 'Mitglied', 'Mitglieder'),
    keys: (n: number) => count(n, 'API-Schlüssel', 'API-Schlüssel'),
    links: (n: number) => number(n),
    plan: 'Tarif',
    noPlan: 'keiner',
    lastUse: 'Zuletzt verwendet',
    never: 'nie',
    state: 'Status',
    active: 'Aktiv',
    suspended: 'Gesperrt',
    own: 'Ihr Konto',
    more: 'Weitere Konten anzeigen',
    suspend: 'Sperren',
    suspendTitle: (name: string) => `${name} sperren?`,
    linksGoOn:
      'Die Kurzlinks funktionieren weiterhin, Klicks werden gezählt, und die Webhooks erhalten weiterhin Ereignisse.',
    stops:
      'Die API-Schlüssel funktionieren nicht mehr, alle Mitglieder werden abgemeldet und können sich nicht anmelden, und geteilte Statistiken sind nicht verfügbar. Ziele werden nicht überwacht.',
    undo: 'Sie können das Konto jederzeit entsperren. Es wird nichts gelöscht.',
    suspendDone: (name: string) => `${name} gesperrt`,
    resume: 'Entsperren',
    resumeTitle: (name: string) => `${name} entsperren?`,
    resumeHelp: 'Die API-Schlüssel funktionieren sofort wieder. Mitglieder müssen sich neu anmelden.',
    resumeDone: (name: string) => `${name} entsperrt`,
  },
};
