import { allocateDayClicks, type DayClicks } from './day-clicks.ts';
import {
  type CodedDimension,
  type CombinedDimension,
  codedDimensions,
  combinedDimensions,
  secondsPerDay,
} from './dimensions.ts';
import { type EncodeOptions, encodeSegment, type SegmentFile } from './encode.ts';
import { joinSegments } from './merge.ts';
import { openSegment, type ReadFile } from './segment.ts';

/** A click as an object, before it is stored in columns. */
export type Click = {
  readonly link: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly visitor: number;
  readonly region: number;
  readonly referrer: number;
} & Readonly<Record<CodedDimension, number>> &
  Readonly<Record<CombinedDimension, number>>;

/**
 * Converts clicks to columns.
 * @param clicks all from one UTC day; their `region`, `referrer` and campaign words are indexes into `words`
 */
export function toDayClicks(clicks: readonly Click[], words: readonly string[]): DayClicks {
  const columns = allocateDayClicks(clicks.length, words);
  for (const [row, click] of clicks.entries()) {
    columns.link[row] = click.link;
    columns.second[row] = Math.floor(click.at / 1_000) % secondsPerDay;
    columns.visitor[row] = click.visitor;
    columns.region[row] = click.region;
    columns.referrer[row] = click.referrer;
    for (const dimension of codedDimensions) columns.codes[dimension][row] = click[dimension];
    for (const dimension of combinedDimensions) columns.combined[dimension][row] = click[dimension];
  }
  return columns;
}

/** Reads the clicks in one day's segments, without visitor hashes. */
export function readSegments(files: readonly ReadFile[]): DayClicks {
  return joinSegments(files.map(openSegment), false);
}

/** Merges segments into one. @throws RangeError if `keepsHashes` is true and a segment has no hashes */
export function mergeSegments(files: readonly ReadFile[], options: EncodeOptions): SegmentFile {
  return encodeSegment(joinSegments(files.map(openSegment), options.keepsHashes), options);
}
