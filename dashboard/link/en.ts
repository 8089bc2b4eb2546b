import { count, number } from '../texts/format.ts';

type Classes = Readonly<Record<'human' | 'preview' | 'bot' | 'prefetch', number>>;

export const en = {
  link: {
    back: 'Links',
    created: (date: string) => `Created ${date}`,
    neverExpires: 'Never expires',
    expires: (date: string) => `Expires ${date}`,
    expired: (date: string) => `Expired ${date}`,
    none: 'Link not found',
    noneMore: 'It may be in the bin. Deleted links keep their code and can be restored.',
    toBin: 'Go to bin',
    editDestination: 'Edit destination',
    editTitle: 'Edit title',
    addTitle: 'Add title',
    left: (n: number, of: number) => `${number(n)} of ${number(of)} clicks left`,
    excludedToday: (n: number) => `${count(n, 'visit', 'visits')} excluded today`,
    excludedHelp:
      'Visits from excluded networks and browsers, since midnight UTC. They are not counted as clicks.',
    switchOff: 'Disable',
    switchOn: 'Enable',
    switchedOff: (link: string) => `${link} disabled`,
    switchedOn: (link: string) => `${link} enabled`,
    begins: (date: string) => `Starts ${date}`,
    password: 'Password protected',
    changePassword: 'Change',
    redirects: (status: string) => `${status} redirect`,
    editCard: 'Edit card',
    share: 'Share',
    openDestination: 'Open destination',
    duplicate: 'Duplicate',
    history: 'History',
  },

  why: {
    none: 'Why are there no clicks?',
    fewer: 'Why are there fewer clicks?',
    turnedAway: 'Visitors could not be redirected',
    calm: 'About these clicks',
    weeks: (now: number, before: number) =>
      `${count(now, 'click', 'clicks')} in the last 7 days, ${number(before)} in the 7 days before`,
    missed: (n: number, reason: string, day: string) =>
      `${count(n, 'visitor', 'visitors')} not redirected in the last 30 days because the link ${reason}; most recently on ${day}`,
    reasons: {
      deleted: 'was deleted',
      expired: 'had expired',
      disabled: 'was disabled',
      'not-started': 'was not active yet',
      exhausted: 'had reached its click limit',
    },
    classes: ({ human, preview, bot, prefetch }: Classes) =>
      `Last 7 days: ${count(human, 'click by a person', 'clicks by people')}, ${count(preview, 'link preview', 'link previews')}, ${count(bot, 'bot', 'bots')}, ${count(prefetch, 'prefetch', 'prefetches')}`,
    unchecked: 'The destination has not been checked yet',
    changed: (action: string, when: string, who: string) => `Last change: ${action} ${when} ${who}`,
    notShared: 'Not shared yet?',
  },

  codes: {
    button: 'Edit codes',
    title: (code: string) => `Codes for /${code}`,
    about:
      'A link’s codes all have the same destination and share one click count. Printed codes keep working.',
    another: 'New code',
    add: 'Add',
    listed: 'Codes',
    own: 'primary',
    none: 'No other codes.',
    use: 'Make primary',
    remove: 'Remove',
    added: (code: string) => `/${code} added`,
    removed: (code: string) => `/${code} removed`,
    failed: 'Could not load the codes',
  },
};
