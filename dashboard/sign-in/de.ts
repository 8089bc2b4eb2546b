import type { en } from './en.ts';

export const de: typeof en = {
  join: {
    title: 'Beitreten',
    to: (account: string) => `${account} beitreten`,
    by: (name: string) => `${name} hat Sie eingeladen.`,
    roles: {
      owner: 'Sie treten als Inhaber mit vollem Zugriff bei.',
      admin: 'Sie treten als Administrator bei: voller Zugriff, außer auf die Verwaltung von Inhabern.',
      editor: 'Sie treten als Bearbeiter bei und können Links erstellen und bearbeiten.',
      viewer: 'Sie treten als Betrachter bei und können Links und Statistiken ansehen.',
    },
    name: 'Ihr Name',
    nameMissing: 'Geben Sie Ihren Namen ein.',
    ends: (date: string) => `Für andere Mitglieder sichtbar. Die Einladung läuft am ${date} ab.`,
    submit: 'Beitreten',
    bound: (email: string) =>
      `Diese Einladung ist für ${email}. Melden Sie sich bei Ihrem Identitätsanbieter an, um zu bestätigen, dass diese E-Mail-Adresse Ihnen gehört.`,
    gone: 'Diese Einladung ist nicht mehr gültig',
    goneMore:
      'Sie wurde bereits verwendet oder widerrufen oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  },
  passkey: {
    add: 'Passkey hinzufügen',
    named: (date: string) => `Passkey vom ${date}`,
    impossible: 'Passkeys sind in diesem Browser nicht verfügbar. Sie erfordern HTTPS oder http://localhost.',
    signIn: 'Mit einem Passkey anmelden',
    or: 'oder API-Schlüssel verwenden',
    offer: 'Mit einem Passkey schneller anmelden',
    offerMore: 'Verwenden Sie Fingerabdruck, Gesicht oder Geräte-PIN statt eines Passworts.',
    later: 'Nicht jetzt',
  },
  signOn: {
    signIn: (name: string | null) => `Mit ${name ?? 'Single Sign-on'} anmelden`,
    join: (name: string | null) => `Mit ${name ?? 'Single Sign-on'} beitreten`,
    orName: 'oder Namen eingeben',
    wait: 'Anmeldung läuft…',
    failed: 'Anmeldung fehlgeschlagen',
    elsewhere:
      'Diese Anmeldung wurde in einem anderen Browser begonnen oder bereits abgeschlossen. Versuchen Sie es erneut.',
    again: 'Zurück zur Anmeldung',
  },
  signIn: {
    title: 'Bei Linkfold anmelden',
    key: 'API-Schlüssel',
    promise:
      'Ihr Browser speichert den Schlüssel nicht. Sie bleiben mit dessen Berechtigungen angemeldet, bis Sie 12 Stunden inaktiv sind.',
    submit: 'Anmelden',
    noKey: 'Kein Schlüssel?',
    noKeyWay: 'Führen Sie diesen Befehl auf dem Server aus, um einen einmaligen Anmeldelink zu erhalten:',
    command: 'linkfold login',
    goneTitle: 'Ihre Sitzung ist abgelaufen',
    gone: 'Melden Sie sich an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
    linkUsed:
      'Dieser Anmeldelink wurde bereits verwendet oder ist abgelaufen. Führen Sie linkfold login aus, um einen neuen zu erhalten.',
    empty: 'Geben Sie Ihren API-Schlüssel ein.',
    notAKey: 'API-Schlüssel beginnen mit lfk_.',
  },
};
