import { count } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  people: {
    about:
      'Wer mit den Links dieses Kontos arbeitet. Jede Person meldet sich selbst an und tut, was ihre Rolle erlaubt.',
    invite: 'Einladen',
    name: 'Name',
    role: 'Rolle',
    lastSeen: 'Zuletzt da',
    joined: (date: string) => `dabei seit ${date}`,
    you: 'das sind Sie',
    notYet: 'noch nicht',
    roles: { owner: 'Inhaber', admin: 'Verwalter', editor: 'Redakteur', viewer: 'Leser' },
    mays: {
      owner: 'Alles.',
      admin: 'Alles, außer was Inhaber betrifft.',
      editor: 'Macht und ändert Links, Ordner und Tags und sieht Statistiken.',
      viewer: 'Sieht Links und Statistiken.',
    },
    forbidden: 'Wer hier arbeitet, sehen nur Inhaber und Verwalter.',
    failed: 'Die Personen konnten nicht gelesen werden',
    nobody: 'Bisher nur Schlüssel',
    nobodyMore: 'Laden Sie die erste Person ein. Schlüssel und Programme bleiben, wie sie sind.',
    changeRole: 'Rolle ändern',
    roleOf: (name: string) => `Was darf ${name}?`,
    roleHelp:
      'Die Änderung gilt sofort, und die Person meldet sich neu an. Mit einer niedrigeren Rolle dürfen ihre Schlüssel weniger, mit einer höheren nie mehr. Ohne Passkey braucht sie einen Link zum Anmelden.',
    signIn: 'Link zum Anmelden',
    signInTitle: (name: string) => `Ein Link für ${name}`,
    signInHelp:
      'Er meldet einmal an, innerhalb von 30 Minuten. Nur für diese Person: wer ihn öffnet, handelt als sie.',
    remove: 'Entfernen',
    removeTitle: (name: string) => `${name} entfernen?`,
    removeHelp: 'Diese Person ist sofort draußen, auf jedem Gerät. Ihre Links bleiben.',
    removeDone: (name: string) => `${name} ist entfernt`,
    keys: (n: number) =>
      `Sie hat ${count(n, 'gültigen Schlüssel', 'gültige Schlüssel')} gemacht. Programme hängen vielleicht davon ab.`,
    left: 'Was daraus wird',
    webhooksStay: (n: number) =>
      `${count(n, 'Webhook', 'Webhooks')} dieser Person ${n === 1 ? 'erhält' : 'erhalten'} weiter Ereignisse:`,
    invitationsEnd: (n: number) =>
      `${count(n, 'Einladung', 'Einladungen')} dieser Person ${n === 1 ? 'wird' : 'werden'} zurückgezogen.`,
    keep: 'Unter meinem Namen behalten',
    revoke: 'Widerrufen',
    inviteTitle: 'Eine Person einladen',
    email: 'E-Mail',
    emailHelp: 'Nur für Sie, um Einladungen zu unterscheiden. Es wird nichts verschickt.',
    emailMailed: 'Die Einladung wird auch dorthin geschickt.',
    mailed: (to: string) => `An ${to} geschickt.`,
    notMailed: 'Die Mail konnte nicht geschickt werden. Geben Sie der Person die Adresse anders.',
    mailSignIn: 'Link zum Anmelden schicken',
    makeLink: 'Einladung machen',
    invitedTitle: 'Die Einladung',
    invited:
      'Schicken Sie der Person diese Adresse. Sie gilt einmal, 7 Tage lang, und wird nur jetzt gezeigt.',
    done: 'Fertig',
    waiting: 'Einladungen',
    waitingFor: (who: string) => who,
    anybody: 'wer die Adresse hat',
    by: (name: string) => `von ${name}`,
    byOperator: 'vom Betreiber',
    ends: (when: string) => `endet ${when}`,
    only: (what) => `nur ${what}`,
    withdraw: 'Zurückziehen',
    withdrawn: 'Die Einladung ist zurückgezogen',
  },
};
