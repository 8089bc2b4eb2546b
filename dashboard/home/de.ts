import { number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  home: {
    account: 'Dieses Konto',
    nothing: 'Alles erledigt.',
    attention: 'Handlungsbedarf',
    expires: (when) => `läuft ${when} ab`,
    thenExpired: (when) => `${when}. Danach sehen Besucher, dass der Link abgelaufen ist.`,
    extend: 'Verlängern',
    stillLeads: 'Besucher werden weiterhin dorthin weitergeleitet.',
    repoint: 'Ziel ändern',
    failing: (n) => `${n === 1 ? 'Ein Ziel antwortet' : `${number(n)} Ziele antworten`} nicht.`,
    soon: (n) => `${n === 1 ? 'Ein Link läuft' : `${number(n)} Links laufen`} bald ab.`,
  },

  changed: {
    title: 'Seit Ihrem letzten Besuch',
    titleFirst: 'Letzte 7 Tage',
    week: 'gegenüber dem gleichen Zeitraum der Vorwoche',
    before: 'im Vergleich zum vorherigen Zeitraum',
    nothing: 'Keine ungewöhnliche Aktivität.',
    clicks: (now, before) => `${now} Klicks, zuvor ${before}`,
    soon: (when, clicks) => `läuft ${when} ab; ${clicks} in 30 Tagen`,
    expired: (when, clicks) => `${when} abgelaufen; ${clicks} in 30 Tagen`,
    missed: (n) =>
      `${n === 1 ? '1 Besucher konnte' : `${number(n)} Besucher konnten`} nicht weitergeleitet werden`,
    reasons: {
      deleted: 'gelöscht',
      expired: 'abgelaufen',
      disabled: 'deaktiviert',
      'not-started': 'noch nicht aktiv',
      exhausted: 'Klicklimit erreicht',
    },
  },

  homeFigures: {
    clicksToday: 'Klicks heute',
    visitors: 'Besucher',
    scans: 'QR-Scans',
    month: 'Letzte 30 Tage',
    against: (weekday: string, time: string, people: string) =>
      `Heute im Vergleich zum letzten ${weekday} bis ${time}; letzte 30 Tage im Vergleich zu den 30 Tagen davor. Einschließlich Bots und Vorschauen; nur Menschen: ${people}.`,
    live: 'Live',
    liveAbout: 'Letzte 60 Minuten',
    mostAt: (at, clicks) => `Höchstwert um ${at} (${clicks})`,
    last: 'Letzte Klicks',
    most: 'Top-Links der letzten 7 Tage',
    allLinks: 'Alle Links',
    noClicks: 'Keine Klicks in den letzten 7 Tagen.',
    failed: 'Die Statistik konnte nicht geladen werden',
  },
};
