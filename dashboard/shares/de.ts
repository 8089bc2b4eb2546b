import type { en } from './en.ts';

export const de: typeof en = {
  shares: {
    title: (code) => `Statistik von /${code} teilen`,
    about: 'Jeder mit dem Freigabelink kann die Statistik dieses Kurzlinks ohne Anmeldung ansehen.',
    expires: 'Läuft ab',
    presets: { never: 'Nie', '7': '7 Tage', '30': '30 Tage', '365': '1 Jahr' },
    endsOn: (date) => `Läuft am ${date} ab.`,
    endsNever: 'Gilt, bis Sie ihn widerrufen.',
    make: 'Freigabelink erstellen',
    made: 'Kopieren Sie diesen Link jetzt. Er wird nicht noch einmal angezeigt.',
    open: 'Öffnen',
    listed: 'Freigabelinks',
    none: 'Noch keine Freigabelinks.',
    madeOn: (date) => `Erstellt am ${date}`,
    never: 'läuft nie ab',
    until: (date) => `läuft am ${date} ab`,
    ended: (date) => `am ${date} abgelaufen`,
    revoke: 'Widerrufen',
    revokeNow: 'Widerruf bestätigen',
    revoked: 'Freigabelink widerrufen',
    failed: 'Die Freigabelinks konnten nicht geladen werden',
    lacks: 'Ihnen fehlt die Berechtigung, Statistiken zu teilen.',
  },

  comparing: {
    about: 'Vergleichen Sie bis zu vier Links, Ordner, Tags oder Kampagnen.',
    none: 'Fügen Sie einen Link, einen Ordner, ein Tag oder eine Kampagne hinzu, um zu beginnen.',
    add: 'Hinzufügen',
    share: 'Teilen',
  },

  shared: {
    title: (code) => `Statistik von /${code}`,
    to: (host) => `leitet weiter zu ${host}`,
    updated: (when) => `Aktualisiert: ${when}`,
    readAgain: 'Aktualisieren',
    about: 'Freigegeben, nur Ansicht',
    deleted: 'gelöscht',
    locked: 'Diese Statistik ist passwortgeschützt',
    password: 'Passwort',
    show: 'Statistik ansehen',
    gone: 'Dieser Freigabelink funktioniert nicht mehr',
    goneMore:
      'Möglicherweise ist er abgelaufen oder wurde widerrufen, oder die URL ist unvollständig. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
    failed: 'Die Statistik konnte nicht geladen werden',
  },
};
