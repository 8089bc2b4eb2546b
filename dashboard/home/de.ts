import { number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  home: {
    account: 'Dieses Konto',
    nothing: 'Nichts zu tun.',
    attention: 'Braucht Aufmerksamkeit',
    expires: (when) => `läuft ${when} ab`,
    thenExpired: (when) => `${when}. Besucher sehen dann „abgelaufen“.`,
    extend: 'Verlängern',
    stillLeads: 'Besucher werden weiter dorthin geleitet.',
    repoint: 'Ziel ändern',
    failing: (n) => `${n === 1 ? 'Ein Ziel antwortet' : `${number(n)} Ziele antworten`} nicht.`,
    soon: (n) => `${n === 1 ? 'Ein Link läuft' : `${number(n)} Links laufen`} bald ab.`,
  },

  changed: {
    title: 'Seit dem letzten Besuch',
    titleFirst: 'In den letzten 7 Tagen',
    week: 'gegenüber derselben Zeit eine Woche zuvor',
    before: 'gegenüber ebenso langer Zeit davor',
    nothing: 'Nichts Ungewöhnliches.',
    clicks: (now, before) => `${now} Klicks statt ${before}`,
    soon: (when, clicks) => `läuft ${when} ab; ${clicks} in 30 Tagen`,
    expired: (when, clicks) => `${when} abgelaufen; ${clicks} in 30 Tagen`,
    missed: (n) => `${n === 1 ? '1 Besuch endete' : `${number(n)} Besuche endeten`} im Leeren`,
    reasons: {
      deleted: 'gelöscht',
      expired: 'abgelaufen',
      disabled: 'abgeschaltet',
      'not-started': 'noch nicht begonnen',
      exhausted: 'aufgebraucht',
    },
  },

  homeFigures: {
    clicksToday: 'Klicks heute',
    visitors: 'Besucher',
    scans: 'QR-Scans',
    month: 'Letzte 30 Tage',
    against: (weekday: string, time: string, people: string) =>
      `Heute gegenüber letztem ${weekday} bis ${time}, die 30 Tage gegenüber denen davor. Alle Arten von Klicks; Menschen allein: ${people}.`,
    live: 'Live',
    liveAbout: 'Letzte 60 Minuten',
    mostAt: (at, clicks) => `die meisten um ${at} (${clicks})`,
    last: 'Letzte Klicks',
    most: 'Am meisten geklickt, letzte 7 Tage',
    allLinks: 'Alle Links',
    noClicks: 'Keine Klicks in den letzten 7 Tagen.',
    failed: 'Die Zahlen konnten nicht gelesen werden',
  },
};
