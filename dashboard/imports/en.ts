import { count, number } from '../texts/format.ts';

const links = (n: number): string => count(n, 'link', 'links');
const clicks = (n: number): string => count(n, 'click', 'clicks');

export const en = {
  imports: {
    title: 'Moving in',
    about: 'Links and clicks of another service, with their codes, dates and tags.',
    choose: 'Choose file',
    drop: 'Drop a file of links here',
    dropMore: 'Read it from Bitly, Dub, Shlink, Short.io, YOURLS, a spreadsheet and others with',
    none: 'This is no file of import read. Make one with the command below.',
    looking: 'Looking into the file',
    holds: (n: number, of: number) => `${links(n)} and ${clicks(of)}`,
    from: (source: string, date: string) => `${source}, read ${date}`,
    noHost: 'no host named',
    toDefault: 'the default domain',
    toDomain: (host: string) => host,
    refused: 'nowhere: it is no domain of this account',
    alike: (n: number) =>
      `${links(n)} ${n === 1 ? 'has' : 'have'} a code that another one has, but for capitals: make the codes of this domain exact before.`,
    cut: 'The file was cut off: it has no end. Read it again.',
    problems: (n: number) => `${number(n)} could not be read at the source.`,
    valuesLeftOut: (n: number) =>
      n === 1
        ? '1 value could not be read and is left out.'
        : `${number(n)} values could not be read and are left out.`,
    unusedColumns: (names: string) => `Unused columns: ${names}`,
    beyond: (n: number) => `The plan has no room for ${links(n)} of them.`,
    linksOf: (n: number) => links(n),
    lost: (what: string, n: number) => `${what}: ${links(n)}`,
    lostTitle: 'Not taken over',
    others: 'Links of other hosts',
    othersRefused: 'Refuse them',
    conflict: 'When a code is taken',
    conflicts: { skip: 'Skip', rename: 'Rename', overwrite: 'Overwrite' },
    conflictHelp: {
      skip: 'The link that is there stays as it is.',
      rename: 'The link gets a code like its own, such as sale-2.',
      overwrite: 'Links of an import before become as the file has them, unless they were changed here.',
    },
    start: (n: number) => `Import ${links(n)}`,
    cancel: 'Cancel',
    pause: 'Pause',
    resume: 'Go on',
    done: (n: number, of: number) => `${links(n)} and ${clicks(of)} imported`,
    earlier: 'Imports',
    source: 'From',
    state: 'State',
    states: {
      open: 'Waits for lines',
      paused: 'Paused',
      counting: 'Counting',
      done: 'Done',
      undoing: 'Going back',
      undone: 'Taken back',
    },
    took: 'Imported',
    unchanged: (n: number) => `${number(n)} unchanged`,
    mended: (n: number) => `${number(n)} ${n === 1 ? 'part' : 'parts'} of links changed or dropped`,
    skipped: (n: number) => `${number(n)} skipped`,
    refusedCount: (n: number) => `${number(n)} refused`,
    kept: (n: number) => `${number(n)} kept, as they were changed`,
    report: 'Report as CSV',
    undo: 'Take it back',
    undoTitle: (source: string) => `Take the import from ${source} back?`,
    undoHelp:
      'Links that it made and that nobody changed since are deleted, with their imported clicks. All others stay.',
    failed: 'The imports could not be read',
    goOn: 'Choose the same file again, and it goes on where it was left.',
  },
};
