import type { en } from './en.ts';

export const de: typeof en = {
  shares: {
    title: (code) => `Statistik von /${code} teilen`,
    about: 'Wer die Adresse hat, liest die Statistik dieses Links, ohne Anmeldung, und nichts anderes.',
    expires: 'Endet',
    presets: { never: 'Nie', '7': '7 Tage', '30': '30 Tage', '365': '1 Jahr' },
    endsOn: (date) => `Endet am ${date}.`,
    endsNever: 'Sie gilt, bis sie hier beendet wird.',
    make: 'Adresse erzeugen',
    made: 'Jetzt kopieren. Der Server behält nur einen Fingerabdruck und kann sie nicht noch einmal zeigen.',
    open: 'Öffnen',
    listed: 'Adressen, die gelten',
    none: 'Noch keine.',
    madeOn: (date) => `Erzeugt am ${date}`,
    never: 'endet nie',
    until: (date) => `endet am ${date}`,
    ended: (date) => `endete am ${date}`,
    revoke: 'Beenden',
    revokeNow: 'Für alle beenden',
    revoked: 'Die Adresse ist beendet',
    failed: 'Die Adressen konnten nicht gelesen werden',
    lacks: 'Diese Sitzung kann nicht teilen. Ihrem Schlüssel fehlt das Recht, Statistiken zu lesen.',
  },

  shared: {
    title: (code) => `Statistik von /${code}`,
    to: (host) => `zu ${host}`,
    updated: (when) => `Stand: ${when}`,
    readAgain: 'Neu lesen',
    about: 'Zum Lesen geteilt. Die Zahlen sind die dieses Links allein.',
    gone: 'Diese Adresse zeigt nichts',
    goneMore: 'Sie ist beendet oder nicht vollständig. Wem der Link gehört, kann eine neue erzeugen.',
    failed: 'Die Statistik konnte nicht gelesen werden',
  },
};
