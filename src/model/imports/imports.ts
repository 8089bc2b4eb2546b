import type { ClickRecords } from '../clicks/click-records.ts';
import { Failure } from '../failures.ts';
import type { LinkChange, NewLink } from '../links/link-records.ts';
import { msPerHour } from '../timestamps.ts';

/** What to do with a link if its code is taken or the link was already imported. */
export const conflictPolicies = ['skip', 'rename', 'overwrite'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/**
 * Import states. `open` accepts lines, `paused` does not. In `counting`, all lines have been imported, and clicks are
 * being added to statistics. `undoing` removes the links; `removing` then removes the clicks on these links.
 */
export const importStates = ['open', 'paused', 'counting', 'done', 'undoing', 'removing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** Possible results for a link. `kept` and `undone` are results of undoing an import. */
export const importOutcomes = [
  'taken',
  'renamed',
  'changed',
  'unchanged',
  'skipped',
  'refused',
  'kept',
  'undone',
] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** Counters for an import's progress: numbers of links by result, and numbers of clicks. */
export const importCounts = [
  ...importOutcomes,
  ...(['mended', 'clicks', 'unchangedClicks', 'undatedClicks', 'clicksOfNoLink', 'undatedOfNoLink'] as const),
] as const;
export type ImportCounts = Readonly<Record<(typeof importCounts)[number], number>>;

/** An import of a file. Times are ms since the epoch. */
export interface Import {
  readonly id: string;
  readonly source: string;
  readonly instance: string | null;
  /** Identifies one of several installations of a service; null if the service's keys are globally unique. */
  readonly installation: string | null;
  readonly readAt: number;
  readonly onConflict: ConflictPolicy;
  /** Host of the domain for links whose original domain is not in the account; null if no domain was chosen. */
  readonly domain: string | null;
  readonly state: ImportState;
  /** Number of imported lines. */
  readonly position: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly counts: ImportCounts;
}

export type NewImport = Pick<
  Import,
  'id' | 'source' | 'instance' | 'installation' | 'readAt' | 'onConflict' | 'domain' | 'createdAt'
>;

/** The result of importing one link. */
export interface ImportedLine {
  /** Line number in the file, starting at 1. */
  readonly line: number;
  /** The link's key in the source service. */
  readonly key: string;
  readonly code: string | null;
  readonly outcome: ImportOutcome;
  /** Error code and message; null on success. */
  readonly reason: string | null;
  readonly linkId: string | null;
  /** Fixes that were needed to import the link, one sentence each. */
  readonly mended?: readonly string[];
  /** The new revision of an updated link. */
  readonly revision?: number;
}

/** A validated link in a batch. */
export interface ImportedLink {
  readonly line: number;
  readonly key: string;
  /** Hash of the key as a hex string. Strings are faster to transfer between threads than byte arrays. */
  readonly hash: string;
  /** Domain and code in the source service, to detect keys that collide. */
  readonly recorded: string;
  readonly mended: readonly string[];
  /** The link to create. Its code will be the first candidate code that is free. */
  readonly link: NewLink;
  readonly aliases: readonly string[];
  /** The change that makes an existing link equal to the imported link. */
  readonly change: LinkChange;
}

/**
 * Imported clicks for one day. `owners` maps records to links; the owner fields in the records themselves are empty.
 */
export interface ImportedClicks extends ClickRecords {
  /** UTC day, in days since the epoch. */
  readonly day: number;
  /**
   * Four numbers per record: its offset, the index of its link in `keys`, its number of clicks, and its line relative
   * to `position`.
   */
  readonly owners: Uint32Array<ArrayBuffer>;
}
export const numbersPerOwner = 4;

/** Maximum number of clicks per day in an import. Folding a day requires all of its clicks in memory. */
export const maxClicksPerDay = 2_000_000;
/** A record that is longer than this number of bytes counts as several clicks towards `maxClicksPerDay`. */
export const bytesPerClick = 64;

/** Returns the failure reason for a line that exceeds the daily click limit. */
export function dayLimitReached(day: number): string {
  const date = new Date(day * 24 * msPerHour).toISOString().slice(0, 10);
  return `VALIDATION_ERROR: ${date} would have more than ${maxClicksPerDay.toLocaleString('en')} clicks from this import, or too many bytes. Put the remaining clicks in a line of type counter, which counts clicks without a date.`;
}

/** Consecutive lines of a file to import in one transaction. */
export interface ImportBatch {
  /** Number of lines in the file before this batch. */
  readonly position: number;
  readonly lines: number;
  readonly links: readonly ImportedLink[];
  /** Links that failed validation. */
  readonly refused: readonly ImportedLine[];
  /** Key hashes of the links that `clicks` and `counters` refer to. */
  readonly keys: readonly string[];
  readonly clicks: readonly ImportedClicks[];
  /** Click totals from the source service. `key` is an index into `keys`. */
  readonly counters: readonly (readonly [key: number, clicks: number])[];
  /** Whether the batch contains the last line of the file. */
  readonly isEnd: boolean;
  readonly now: number;
}

export function importNotFound(): Failure {
  return new Failure('IMPORT_NOT_FOUND');
}

/** Returns the failure for lines that overlap or are out of order. */
export function importOutOfOrder(position: number): Failure {
  return new Failure(
    'IMPORT_POSITION',
    `This import has received ${position} lines. Send the next lines with "position": ${position}.`,
  );
}

const advice: Readonly<Record<ImportState, string>> = {
  open: 'Pause it first.',
  paused: 'Resume it first.',
  counting: 'The import has received all lines of its file. Start another import.',
  done: 'The import has received all lines of its file. Start another import.',
  undoing: 'It is being undone.',
  removing: 'It is being undone.',
  undone: 'It was undone. Start another import.',
};

/** Returns the failure for an operation that the import's state does not allow. */
export function wrongImportState(state: ImportState): Failure {
  const shown = state === 'removing' ? 'undoing' : state;
  return new Failure('IMPORT_STATE', `This import is ${shown}. ${advice[state]}`);
}
