import type { en } from './en.ts';

export const de: typeof en = {
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
