import { count, number } from '../texts/format.ts';

export const en = {
  home: {
    account: 'This account',
    nothing: 'Nothing needs you.',
    attention: 'Needs attention',
    expires: (when: string) => `expires ${when}`,
    thenExpired: (when: string) => `${when}. Visitors then see “expired”.`,
    extend: 'Extend',
    stillLeads: 'Visitors are still led there.',
    repoint: 'Change the destination',
    failing: (n: number) =>
      `${n === 1 ? 'One destination does' : `${number(n)} destinations do`} not answer.`,
    soon: (n: number) => `${n === 1 ? 'One link expires' : `${number(n)} links expire`} soon.`,
  },

  changed: {
    title: 'Since you were here',
    titleFirst: 'In the last 7 days',
    week: 'against the same time a week before',
    before: 'against as long a time before',
    nothing: 'Nothing out of the ordinary.',
    clicks: (now: string, before: string) => `${now} clicks instead of ${before}`,
    soon: (when: string, clicks: string) => `expires ${when}; ${clicks} in 30 days`,
    expired: (when: string, clicks: string) => `expired ${when}; ${clicks} in 30 days`,
    missed: (n: number) => `${count(n, 'visit', 'visits')} met a dead end`,
    reasons: {
      deleted: 'deleted',
      expired: 'expired',
      disabled: 'switched off',
      'not-started': 'not begun yet',
      exhausted: 'used up',
    },
  },

  homeFigures: {
    clicksToday: 'Clicks today',
    visitors: 'Visitors',
    scans: 'QR scans',
    month: 'Last 30 days',
    against: (weekday: string, time: string, people: string) =>
      `Today against last ${weekday} up to ${time}, the 30 days against those before. All kinds of clicks; people alone: ${people}.`,
    live: 'Live',
    liveAbout: 'Last 60 minutes',
    mostAt: (at: string, clicks: string) => `most at ${at} (${clicks})`,
    last: 'Last clicks',
    most: 'Most clicked, last 7 days',
    allLinks: 'All links',
    noClicks: 'No clicks in the last 7 days.',
    failed: 'The figures could not be read',
  },
};
