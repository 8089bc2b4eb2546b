import type { ClickRecords } from '../clicks/click-records.ts';
import { Failure } from '../failures.ts';
import type { LinkChange, NewLink } from '../links/link-records.ts';
import { msPerHour } from '../timestamps.ts';

/** What becomes of a link whose code is taken, or that was imported before. */
export const conflictPolicies = ['skip', 'rename', 'overwrite'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/**
 * `open` takes lines; `paused` does not; `counting`: all lines are there, clicks go into statistics; `undoing` takes links back,
 * then `removing` their clicks.
 */
export const importStates = ['open', 'paused', 'counting', 'done', 'undoing', 'removing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** What became of a link of a file. `kept` and `undone`: when the import was undone. */
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

/** What an import has done so far. Links by what became of them, clicks by themselves. */
export const importCounts = [
  ...importOutcomes,
  ...(['mended', 'clicks', 'unchangedClicks', 'undatedClicks', 'clicksOfNoLink', 'undatedOfNoLink'] as const),
] as const;
export type ImportCounts = Readonly<Record<(typeof importCounts)[number], number>>;

/** A file that is taken in. Times are ms since the epoch. */
export interface Import {
  readonly id: string;
  readonly source: string;
  readonly instance: string | null;
  /** Tells installations of one service apart; null where keys do that. */
  readonly installation: string | null;
  readonly readAt: number;
  readonly onConflict: ConflictPolicy;
  /** The host of the domain for links whose own one is none of the account; null for none. */
  readonly domain: string | null;
  readonly state: ImportState;
  /** How many lines of the file were taken. */
  readonly position: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly counts: ImportCounts;
}

export type NewImport = Pick<
  Import,
  'id' | 'source' | 'instance' | 'installation' | 'readAt' | 'onConflict' | 'domain' | 'createdAt'
>;

/** A line of the report: what became of a link. */
export interface ImportedLine {
  /** In the file, from 1. */
  readonly line: number;
  /** What the link is called at its source. */
  readonly key: string;
  readonly code: string | null;
  readonly outcome: ImportOutcome;
  /** A code of the catalogue of errors and a sentence; null where nothing is to be said. */
  readonly reason: string | null;
  readonly linkId: string | null;
  /** Parts of the link that were changed or dropped, a sentence each. */
  readonly mended?: readonly string[];
  /** Of a link that was changed: the revision that this made. */
  readonly revision?: number;
}

/** A link of a batch, checked. */
export interface ImportedLink {
  readonly line: number;
  readonly key: string;
  /** Its key as storage keeps it: {@link hashBytes} bytes. */
  readonly hash: Uint8Array;
  /** Its domain and code at the source: two links may have one key. */
  readonly recorded: string;
  readonly mended: readonly string[];
  /** Of its codes the first free one becomes its own. */
  readonly link: NewLink;
  readonly aliases: readonly string[];
  /** What makes a link that is there already the same. */
  readonly change: LinkChange;
}

/** Bytes of the hash of a key. */
export const hashBytes = 16;

/** Clicks of a day. The links that they are of stand beside them; their owners are not written yet. */
export interface ImportedClicks extends ClickRecords {
  /** UTC day since the epoch. */
  readonly day: number;
  /** Of each record where it begins, its place in `keys`, for how many clicks it stands, and its line, counted from `position`. */
  readonly owners: Uint32Array<ArrayBuffer>;
}
export const numbersPerOwner = 4;

/** Most clicks that an import brings to a day: they are in memory at once when they enter the columns. */
export const mostClicksOfDay = 2_000_000;
/** A record takes the room of a click for each of so many bytes. */
export const bytesPerClick = 64;

/** Of a line that would bring more than a day may have. */
export function dayIsFull(day: number): string {
  const date = new Date(day * 24 * msPerHour).toISOString().slice(0, 10);
  return `VALIDATION_ERROR: ${date} would have more than ${mostClicksOfDay.toLocaleString('en')} clicks of this import, or as many bytes. Name what is beyond in a line of type counter: such clicks count without a date.`;
}

/** Some lines of a file, as storage takes them: all, and the position, in one transaction. */
export interface ImportBatch {
  /** Lines of the file before these. */
  readonly position: number;
  readonly lines: number;
  readonly links: readonly ImportedLink[];
  /** Links that were refused before storage was asked. */
  readonly refused: readonly ImportedLine[];
  /** Hashes of the keys of links that clicks and counters name. */
  readonly keys: readonly Uint8Array[];
  readonly clicks: readonly ImportedClicks[];
  /** All clicks that the source shows of a link, by its place in `keys`. */
  readonly counters: readonly (readonly [key: number, clicks: number])[];
  /** Whether the file ends here. */
  readonly isEnd: boolean;
  readonly now: number;
}

export function importNotFound(): Failure {
  return new Failure('IMPORT_NOT_FOUND');
}

/** Lines that come too early, or in part once more. */
export function notAtPosition(position: number): Failure {
  return new Failure(
    'IMPORT_POSITION',
    `This import has taken ${position} lines: send those behind them, with "position": ${position}.`,
  );
}

const advice: Readonly<Record<ImportState, string>> = {
  open: 'It takes lines; pause it first.',
  paused: 'Resume it first.',
  counting: 'All of its file was taken; begin another import.',
  done: 'All of its file was taken; begin another import.',
  undoing: 'It is taken back.',
  removing: 'It is taken back.',
  undone: 'It was taken back; begin another import.',
};

/** For what an import does not take in its state. */
export function notInState(state: ImportState): Failure {
  const shown = state === 'removing' ? 'undoing' : state;
  return new Failure('IMPORT_STATE', `This import is ${shown}. ${advice[state]}`);
}
