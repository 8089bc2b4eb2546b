import { count, number } from '../texts/format.ts';

const days = (n: number): string => count(n, 'day', 'days');

export const en = {
  home: {
    account: 'This account',
    nothing: 'Nothing needs you.',
    attention: 'Needs attention',
    expiresIn: (n: number) =>
      n === 0 ? 'expires today' : n === 1 ? 'expires tomorrow' : `expires in ${days(n)}`,
    thenExpired: (when: string) => `${when}. Visitors then see “expired”.`,
    extend: 'Extend',
    soon: (n: number) => `${n === 1 ? 'One link expires' : `${number(n)} links expire`} soon.`,
  },

  homeFigures: {
    clicksToday: 'Clicks today',
    visitors: 'Visitors',
    scans: 'QR scans',
    month: 'Last 30 days',
    against: (weekday: string, time: string, people: string) =>
      `Today against last ${weekday} up to ${time}, the 30 days against those before. All kinds of clicks; people alone: ${people}.`,
    live: 'Live',
    liveAbout: 'Today, one bar an hour',
    last: 'Last clicks',
    most: 'Most clicked, last 7 days',
    allLinks: 'All links',
    noClicks: 'No clicks in the last 7 days.',
    failed: 'The figures could not be read',
  },
};
