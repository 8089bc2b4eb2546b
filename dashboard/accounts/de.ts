import type { en } from './en.ts';

export const de: typeof en = {
  signInLink: {
    signIn: (name: string, account: string) => `Als ${name} bei ${account} anmelden`,
    key: (name: string) => `API-Schlüssel „${name}“`,
    once: 'Dieser Link funktioniert einmal.',
    other: (name: string, account: string) =>
      `Sie sind als ${name} bei ${account} angemeldet. Fahren Sie nur fort, wenn Sie diesen Link angefordert haben: Was Sie danach anlegen, gehört zum anderen Konto.`,
    cancel: 'Abbrechen',
  },
  accounts: {
    title: 'Ihre Konten in diesem Browser',
    byKey: (name: string) => `Mit dem Schlüssel ${name}`,
    here: 'Hier sind Sie',
    switch: 'Wechseln',
    switchTo: (account: string) => `Zu ${account} wechseln`,
    add: 'Bei einem weiteren Konto anmelden',
    out: 'Abmelden',
    outThere: (name: string | null) => `Abmelden, auch bei ${name ?? 'Single Sign-on'}`,
    outOfAll: 'Überall abmelden',
  },

  device: {
    title: 'Ein Programm anmelden',
    code: 'Der Code, den es zeigt',
    look: 'Weiter',
    unknown: 'Diesen Code gibt es nicht. Er wurde schon beantwortet oder ist älter als 10 Minuten.',
    onlyPeople:
      'Eine Person meldet ein Programm an. Dieser Browser handelt mit einem Schlüssel: Geben Sie dem Programm diesen.',
    wants: (name: string, account: string) =>
      `will 90 Tage lang als ${name} in ${account} handeln, mit allem, was Sie dürfen.`,
    warning:
      'Stimmen Sie nur zu, wenn Sie das selbst begonnen haben und es diesen Code zeigt. Sein Schlüssel lässt sich unter Schlüssel widerrufen.',
    approve: 'Zustimmen',
    deny: 'Abweisen',
    approved: 'Es ist angemeldet. Sie können diese Seite schließen.',
    denied: 'Es wurde abgewiesen. Sie können diese Seite schließen.',
  },
  again: {
    title: 'Sind Sie es?',
    about:
      'Das ließe sich nicht rückgängig machen, und Ihre Anmeldung ist mehr als 15 Minuten her. Melden Sie sich noch einmal an, dann geschieht es.',
    noWay:
      'Kein eigener Weg? Lassen Sie sich einen Anmeldelink geben, öffnen Sie ihn in diesem Browser, und versuchen Sie es noch einmal.',
  },
};
