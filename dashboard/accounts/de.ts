import type { en } from './en.ts';

export const de: typeof en = {
  signInLink: {
    signIn: (name: string, account: string) => `Bei ${account} als ${name} anmelden`,
    key: (name: string) => `API-Schlüssel „${name}“`,
    once: 'Dieser Link kann nur einmal verwendet werden.',
    other: (name: string, account: string) =>
      `Sie sind bei ${account} als ${name} angemeldet. Fahren Sie nur fort, wenn Sie diesen Link angefordert haben. Sie wechseln zum anderen Konto.`,
    cancel: 'Abbrechen',
  },
  accounts: {
    title: 'Konto wechseln',
    byKey: (name: string) => `API-Schlüssel ${name}`,
    here: 'Aktuelles Konto',
    switch: 'Wechseln',
    switchTo: (account: string) => `Zu ${account} wechseln`,
    add: 'Bei einem weiteren Konto anmelden',
    out: 'Abmelden',
    outThere: (name: string | null) => `Abmelden, auch bei ${name ?? 'Single Sign-on'}`,
    outOfAll: 'Von allen Konten abmelden',
  },

  device: {
    title: 'Gerät autorisieren',
    code: 'Geben Sie den auf dem Gerät angezeigten Code ein',
    look: 'Weiter',
    unknown: 'Dieser Code ist ungültig. Er wurde bereits verwendet oder ist abgelaufen.',
    membersOnly:
      'Sie sind mit einem API-Schlüssel angemeldet. Nur Mitglieder können ein Gerät autorisieren; geben Sie stattdessen den API-Schlüssel auf dem Gerät ein.',
    wants: (name: string, account: string) =>
      `möchte 90 Tage lang als ${name} mit allen Ihren Berechtigungen auf ${account} zugreifen.`,
    warning:
      'Stimmen Sie nur zu, wenn Sie das selbst gestartet haben und das Gerät diesen Code anzeigt. Sie können den Zugriff unter API-Schlüssel widerrufen.',
    approve: 'Zulassen',
    deny: 'Ablehnen',
    approved: 'Gerät autorisiert. Sie können diese Seite schließen.',
    denied: 'Anfrage abgelehnt. Sie können diese Seite schließen.',
  },
  again: {
    title: 'Bestätigen Sie Ihre Identität',
    about: 'Diese Aktion lässt sich nicht rückgängig machen. Melden Sie sich erneut an, um fortzufahren.',
    noWay:
      'Anmeldung nicht möglich? Bitten Sie einen Inhaber um einen Anmeldelink, öffnen Sie ihn in diesem Browser, und versuchen Sie es erneut.',
  },
};
