import type { en } from './en.ts';

export const de: typeof en = {
  join: {
    title: 'Beitreten',
    to: (account: string) => `${account} beitreten`,
    by: (name: string) => `${name} lädt Sie ein.`,
    roles: {
      owner: 'Sie werden Inhaber und dürfen alles.',
      admin: 'Sie werden Verwalter und dürfen alles, außer was Inhaber betrifft.',
      editor: 'Sie werden Redakteur: Sie machen und ändern Links.',
      viewer: 'Sie werden Leser: Sie sehen Links und Statistiken.',
    },
    name: 'Ihr Name',
    nameMissing: 'Sagen Sie, wie Sie heißen.',
    ends: (date: string) => `Andere im Konto sehen ihn. Die Einladung endet am ${date}.`,
    submit: 'Beitreten',
    bound: (email: string) =>
      `Diese Einladung ist für ${email}. Ihr Identitätsanbieter bestätigt, dass die Adresse Ihnen gehört.`,
    gone: 'Diese Einladung gilt nicht mehr',
    goneMore: 'Sie wurde benutzt, zurückgezogen oder ist älter als 7 Tage. Bitten Sie um eine neue.',
  },
  passkey: {
    add: 'Passkey hinzufügen',
    named: (date: string) => `Passkey vom ${date}`,
    impossible: 'Dieser Browser hat hier keine Passkeys. Sie brauchen https oder http://localhost.',
    signIn: 'Mit einem Passkey anmelden',
    or: 'oder mit einem Schlüssel',
    offer: 'Mit einer Berührung anmelden',
    offerMore:
      'Ein Passkey meldet Sie mit Finger, Gesicht oder PIN dieses Geräts an. Es gibt kein Passwort und nichts, was vom Server gestohlen werden könnte.',
    later: 'Später',
  },
  signOn: {
    signIn: (name: string | null) => `Mit ${name ?? 'Single Sign-on'} anmelden`,
    join: (name: string | null) => `Mit ${name ?? 'Single Sign-on'} beitreten`,
    orName: 'oder mit Ihrem Namen',
    wait: 'Sie werden angemeldet …',
    failed: 'Sie sind nicht angemeldet',
    elsewhere: 'Diese Anmeldung begann nicht in diesem Browser oder wurde schon benutzt. Beginnen Sie neu.',
    again: 'Zur Anmeldung',
  },
  signIn: {
    title: 'Bei Linkfold anmelden',
    key: 'API-Schlüssel',
    promise:
      'Der Schlüssel geht einmal an den Server und bleibt nicht in diesem Browser. Danach gibt es eine Sitzung, die kann, was der Schlüssel kann, für 12 Stunden ohne Nutzung.',
    submit: 'Anmelden',
    noKey: 'Kein Schlüssel zur Hand?',
    noKeyWay: 'Auf dem Server druckt dies einen Link, der einmal anmeldet:',
    command: 'linkfold login',
    goneTitle: 'Die Sitzung ist beendet',
    gone: 'Eingaben bleiben erhalten. Nach der Anmeldung geht es hier weiter.',
    linkUsed: 'Dieser Link wurde schon benutzt oder ist zu alt. Einen neuen druckt linkfold login.',
    empty: 'Einen Schlüssel einfügen.',
    notAKey: 'Ein Schlüssel beginnt mit lfk_.',
  },
};
