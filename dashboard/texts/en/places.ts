import { number } from '../format.ts';

const count = (n: number, one: string, other: string): string => `${number(n)} ${n === 1 ? one : other}`;
const days = (n: number): string => count(n, 'day', 'days');

/** Home, the first start, the command menu and the help. */
export const placesTexts = {
  first: {
    title: 'Your server is ready',
    lead: 'Paste any address. It becomes a short link that you can click at once.',
    address: 'Address',
    make: 'Make it short',
    signedIn: 'Signed in',
    signedInMore: 'The one-time link is used up. Your session lasts 12 hours without use.',
    key: 'First key',
    keyMore: 'Printed once in the terminal. Make others, with fewer rights, under Keys.',
    baseUrl: (url: string) => `Short links begin with ${url}`,
    baseUrlLocal: 'Set BASE_URL to your own domain before you print a code.',
    baseUrlGood: 'The address that visitors will see.',
    made: 'Your first short link',
    open: 'Open',
    toLinks: 'To your links',
  },

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
      `Change against last ${weekday} up to ${time}. All kinds of clicks; people alone: ${people}.`,
    live: 'Live',
    paused: 'Paused while this page is out of sight',
    liveAbout: 'Today, one bar an hour',
    last: 'Last clicks',
    most: 'Most clicked, last 7 days',
    allLinks: 'All links',
    statistics: 'Statistics',
    noClicks: 'No clicks in the last 7 days.',
    failed: 'The figures could not be read',
  },

  command: {
    title: 'Search or jump to',
    placeholder: 'Search or jump to',
    links: 'Links',
    of: (shown: number, total: number) => `${number(shown)} of ${number(total)}`,
    doWith: (code: string) => `Do with /${code}`,
    elsewhere: 'Elsewhere',
    choose: 'choose',
    thenLetter: 'then a letter: act on this link',
    took: (ms: number) => `${number(ms)} ms`,
    newWithCode: (code: string) => `New link with the code “${code}”`,
    newTo: (url: string) => `New link to ${url}`,
    folder: (name: string) => `Folder ${name}`,
    tag: (name: string) => `Tag ${name}`,
    folderLinks: (n: number) => count(n, 'link', 'links'),
    nothing: 'Nothing found',
    theme: 'Switch between light and dark',
    help: 'Keyboard shortcuts',
  },

  help: {
    title: 'Keyboard shortcuts',
    anywhere: 'Anywhere',
    list: 'List of links',
    builder: 'Builder',
    off: 'Single letters are switched off in Settings.',
    rows: {
      c: 'New link',
      paste: 'Paste an address: new link to it',
      '/': 'Search',
      'mod+k': 'Search or jump to',
      g: 'Go to home, links, statistics, folders, tags, keys, bin',
      '[': 'Show or hide the side',
      '?': 'This page',
      z: 'Undo',
      escape: 'Close, then clear the selection',
    },
    listRows: {
      move: 'Move',
      extend: 'Extend the selection',
      x: 'Select',
      'mod+a': 'Select all loaded, then all that match',
      enter: 'Open',
      y: 'Copy',
      e: 'Edit',
      q: 'QR code',
      m: 'Move',
      t: 'Tag',
      backspace: 'Delete',
    },
    builderRows: { u: 'UTM parameters', e: 'Start and end', r: 'Rules', n: 'Note', 'mod+enter': 'Create' },
  },
};
