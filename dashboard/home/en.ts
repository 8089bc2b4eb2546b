import { count, number } from '../texts/format.ts';

export const en = {
  home: {
    account: 'This account',
    nothing: 'You’re all caught up.',
    attention: 'Needs attention',
    expires: (when: string) => `expires ${when}`,
    thenExpired: (when: string) => `${when}. Visitors will then see a page saying that the link has expired.`,
    extend: 'Extend',
    stillLeads: 'Visitors are still redirected there.',
    repoint: 'Change destination',
    failing: (n: number) =>
      `${n === 1 ? 'One destination is' : `${number(n)} destinations are`} not responding.`,
    soon: (n: number) => `${n === 1 ? 'One link expires' : `${number(n)} links expire`} soon.`,
  },

  changed: {
    title: 'Since your last visit',
    titleFirst: 'Last 7 days',
    week: 'compared with the same time last week',
    before: 'compared with the previous period',
    nothing: 'No unusual activity.',
    clicks: (now: string, before: string) => `${now} clicks, previously ${before}`,
    soon: (when: string, clicks: string) => `expires ${when}; ${clicks} in 30 days`,
    expired: (when: string, clicks: string) => `expired ${when}; ${clicks} in 30 days`,
    missed: (n: number) => `${count(n, 'visitor', 'visitors')} could not be redirected`,
    reasons: {
      deleted: 'deleted',
      expired: 'expired',
      disabled: 'disabled',
      'not-started': 'not active yet',
      exhausted: 'click limit reached',
    },
  },

  homeFigures: {
    clicksToday: 'Clicks today',
    visitors: 'Visitors',
    scans: 'QR scans',
    month: 'Last 30 days',
    against: (weekday: string, time: string, people: string) =>
      `Today compared with last ${weekday} until ${time}; last 30 days compared with the 30 days before. Includes bots and previews; people only: ${people}.`,
    live: 'Live',
    liveAbout: 'Last 60 minutes',
    mostAt: (at: string, clicks: string) => `peak at ${at} (${clicks})`,
    last: 'Latest clicks',
    most: 'Top links, last 7 days',
    allLinks: 'All links',
    noClicks: 'No clicks in the last 7 days.',
    failed: 'Could not load the statistics',
  },
};
