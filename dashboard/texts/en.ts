import { count } from './format.ts';

const days = (n: number): string => count(n, 'day', 'days');

/** Words that many screens say, and what the pieces of all screens say. */
export const en = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  undo: 'Undo',
  ctrl: 'Ctrl',
  undone: 'Undone',
  cancel: 'Cancel',
  save: 'Save',
  optional: 'optional',
  tryAgain: 'Try again',
  copyDetails: 'Copy details',
  more: 'More',
  never: 'never',
  title: (screen: string) => `${screen} · Linkfold`,
  noFolder: 'No folder',
  nothing: (text: string) => `Nothing matches “${text}”.`,
  apply: 'Apply',
  moreFor: (name: string) => `More for ${name}`,
  of: (used: string, most: string) => `${used} of ${most}`,
  commandCopied: 'Command copied',
  remove: (name: string) => `Remove ${name}`,
  clicks: (n: number) => count(n, 'click', 'clicks'),
  linkFailed: 'The link could not be read',

  places: {
    home: 'Home',
    links: 'Links',
    statistics: 'Statistics',
    folders: 'Folders',
    tags: 'Tags',
    bin: 'Bin',
    domains: 'Domains',
    people: 'People',
    keys: 'Keys',
    imports: 'Moving in',
    webhooks: 'Webhooks',
    settings: 'Settings',
    toLinks: 'To the links',
    shortcuts: 'Keyboard shortcuts',
  },

  managedBy: (name: string) => `Managed by ${name}`,
  states: {
    active: 'Active',
    soon: 'Expires soon',
    expired: 'Expired',
    scheduled: 'Not begun yet',
    disabled: 'Switched off',
    exhausted: 'Used up',
    failing: 'Destination does not answer',
    archived: 'Archived',
  },

  check: {
    since: (what: string, when: string) => `${what} since ${when}`,
    problems: {
      'not-found': 'Page not found',
      gone: 'Page is gone',
      'server-error': 'Server error',
      dns: 'Host does not exist',
      tls: 'Certificate is not valid',
      timeout: 'Does not answer',
      unreachable: 'Cannot be reached',
    },
    fine: (when: string) => `Destination looked at ${when}`,
    recovered: (when: string) => `Destination is there again since ${when}`,
    suspect: 'Destination did not answer once; it is looked at again',
    redirects: (n: number) => `Destination leads on ${n} times`,
    certificate: (when: string) => `Certificate of the destination ends on ${when}`,
  },

  sparkline: {
    days: '30 days',
    clicks: 'Clicks',
    none: (n: number) => `No clicks in ${days(n)}`,
    few: (clicks: number, n: number, day: string) =>
      `${count(clicks, 'click', 'clicks')} in ${days(n)}, most on ${day}`,
    some: (average: string, day: string) => `${average} a day, most on ${day}`,
  },

  act: {
    newLink: 'New link',
    qr: 'QR code',
    edit: 'Edit',
    openShort: 'Open the short link',
    delete: 'Delete',
    archive: 'Archive',
    unarchive: 'Take out of the archive',
  },
};
