import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const inDays = (n: number): string => count(n, 'Tag', 'Tagen');

export const de: typeof en = {
  home: {
    account: 'Dieses Konto',
    nothing: 'Nichts zu tun.',
    attention: 'Braucht Aufmerksamkeit',
    expiresIn: (n) => (n === 0 ? 'läuft heute ab' : n === 1 ? 'läuft morgen ab' : `läuft in ${inDays(n)} ab`),
    thenExpired: (when) => `${when}. Besucher sehen dann „abgelaufen“.`,
    extend: 'Verlängern',
    soon: (n) => `${n === 1 ? 'Ein Link läuft' : `${number(n)} Links laufen`} bald ab.`,
  },

  homeFigures: {
    clicksToday: 'Klicks heute',
    visitors: 'Besucher',
    scans: 'QR-Scans',
    month: 'Letzte 30 Tage',
    against: (weekday: string, time: string, people: string) =>
      `Heute gegenüber letztem ${weekday} bis ${time}, die 30 Tage gegenüber denen davor. Alle Arten von Klicks; Menschen allein: ${people}.`,
    live: 'Live',
    liveAbout: 'Heute, ein Balken je Stunde',
    last: 'Letzte Klicks',
    most: 'Am meisten geklickt, letzte 7 Tage',
    allLinks: 'Alle Links',
    noClicks: 'Keine Klicks in den letzten 7 Tagen.',
    failed: 'Die Zahlen konnten nicht gelesen werden',
  },
};
