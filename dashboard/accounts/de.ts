import type { en } from './en.ts';

export const de: typeof en = {
  accounts: {
    title: 'Ihre Konten in diesem Browser',
    byKey: (name: string) => `Mit dem Schlüssel ${name}`,
    here: 'Hier sind Sie',
    switch: 'Wechseln',
    switchTo: (account: string) => `Zu ${account} wechseln`,
    add: 'Bei einem weiteren Konto anmelden',
    out: 'Abmelden',
    outOfAll: 'Überall abmelden',
  },

  again: {
    title: 'Sind Sie es?',
    about:
      'Das ließe sich nicht rückgängig machen, und Ihre Anmeldung ist mehr als 15 Minuten her. Melden Sie sich noch einmal an, dann geschieht es.',
    noWay:
      'Kein eigener Weg? Lassen Sie sich einen Anmeldelink geben, öffnen Sie ihn in diesem Browser, und versuchen Sie es noch einmal.',
  },
};
