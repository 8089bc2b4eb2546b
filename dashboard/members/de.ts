import { count } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  people: {
    about: 'Mitglieder dieses Kontos. Jedes Mitglied hat eine eigene Anmeldung und eine Rolle.',
    invite: 'Mitglied einladen',
    name: 'Name',
    role: 'Rolle',
    lastSeen: 'Zuletzt aktiv',
    joined: (date: string) => `beigetreten am ${date}`,
    you: 'Sie',
    notYet: 'nie',
    mays: {
      owner: 'Voller Zugriff.',
      admin: 'Voller Zugriff, außer auf die Verwaltung von Inhabern.',
      editor: 'Kann Links, Ordner und Tags erstellen und bearbeiten und Statistiken ansehen.',
      viewer: 'Kann Links und Statistiken ansehen.',
    },
    forbidden: 'Nur Inhaber und Administratoren können die Mitglieder ansehen.',
    failed: 'Die Mitglieder konnten nicht geladen werden',
    nobody: 'Noch keine Mitglieder',
    nobodyMore: 'Laden Sie das erste Mitglied ein. API-Schlüssel funktionieren weiter.',
    changeRole: 'Rolle ändern',
    roleOf: (name: string) => `Rolle von ${name} ändern`,
    roleHelp:
      'Die Änderung gilt sofort, und das Mitglied muss sich neu anmelden. Ohne Passkey braucht es einen Anmeldelink. Eine niedrigere Rolle schränkt auch seine API-Schlüssel ein; eine höhere erweitert sie nicht.',
    signIn: 'Anmeldelink erstellen',
    signInTitle: (name: string) => `Anmeldelink für ${name}`,
    signInHelp:
      'Kann einmal verwendet werden und läuft nach 30 Minuten ab. Wer ihn öffnet, ist als dieses Mitglied angemeldet. Geben Sie ihn nur an dieses Mitglied weiter.',
    remove: 'Entfernen',
    removeTitle: (name: string) => `${name} entfernen?`,
    removeHelp: 'Die Person wird sofort auf allen Geräten abgemeldet. Ihre Links bleiben erhalten.',
    removeDone: (name: string) => `${name} entfernt`,
    keys: (n: number) =>
      `Die Person hat ${count(n, 'aktiven API-Schlüssel', 'aktive API-Schlüssel')} erstellt. Programme sind möglicherweise darauf angewiesen.`,
    left: 'API-Schlüssel dieses Mitglieds',
    webhooksStay: (n: number) =>
      `${count(n, 'Webhook', 'Webhooks')} dieses Mitglieds ${n === 1 ? 'erhält' : 'erhalten'} weiterhin Ereignisse:`,
    invitationsEnd: (n: number) =>
      `${count(n, 'Einladung', 'Einladungen')} dieses Mitglieds ${n === 1 ? 'wird' : 'werden'} widerrufen.`,
    keep: 'Auf mich übertragen',
    revoke: 'Widerrufen',
    inviteTitle: 'Mitglied einladen',
    email: 'E-Mail',
    emailHelp: 'Nur eine Bezeichnung für die Einladung. Es wird keine E-Mail gesendet.',
    emailMailed: 'Die Einladung wird auch an diese Adresse gesendet.',
    mailed: (to: string) => `An ${to} gesendet.`,
    notMailed: 'Die E-Mail konnte nicht gesendet werden. Teilen Sie den Link auf anderem Weg.',
    mailSignIn: 'Anmeldelink per E-Mail senden',
    makeLink: 'Einladung erstellen',
    invitedTitle: 'Einladungslink',
    invited:
      'Senden Sie diesen Link an das neue Mitglied. Er kann einmal verwendet werden, läuft in 7 Tagen ab und wird nicht noch einmal angezeigt.',
    done: 'Fertig',
    waiting: 'Offene Einladungen',
    anybody: 'Jeder mit dem Link',
    by: (name: string) => `von ${name}`,
    byOperator: 'vom Betreiber',
    ends: (when: string) => `läuft ${when} ab`,
    only: (what) => `beschränkt auf ${what}`,
    withdraw: 'Widerrufen',
    withdrawn: 'Einladung widerrufen',
  },
};
