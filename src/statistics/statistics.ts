import { openSegment, type ReadFile, type Segment } from './columns/segment.ts';
import { dayBuckets } from './day-buckets.ts';
import { startFilter } from './filters.ts';
import { createGrouping } from './groups.ts';
import type { LinkSums } from './link-sums.ts';
import type { Answer, Names, Query } from './query.ts';
import { isProfileDimension } from './reading.ts';
import type { Rollup } from './rollup-file.ts';
import { createRollupScan } from './rollup-scan.ts';
import { type Scan, scanSegments } from './scan.ts';
import { createTally } from './tally.ts';

/** Answers one question, day by day; between days the caller may do other things, and stop where it wants to. */
export interface Statistics {
  /**
   * Adds the clicks of a UTC day of an account, all at once. Of visitors it is assumed, as the salt of their hashes
   * changes every day, that those of different days are different.
   * @param day since the epoch
   * @param segments in the order in which they were written; opened ones serve further questions faster
   */
  addDay(day: number, segments: readonly (Segment | ReadFile)[]): void;
  /** Whether roll-ups can tell at all, so that they need not be read when they cannot. */
  readonly usesRollups: boolean;
  /**
   * Adds a day from its roll-up, where that can tell: not when the question filters by anything but people, or has only a
   * part of the day, or when the roll-up has no room for its rarest values.
   * @param linkSums for a breakdown by link or folder
   * @returns false, with nothing added, when the day's segments must be asked
   */
  addRollup(day: number, rollup: Rollup, linkSums?: LinkSums): boolean;
  answer(): Answer;
}

export function createStatistics(query: Query, names: Names): Statistics {
  const tally = createTally(query.buckets.length);
  const ofProfiles = query.filters.filter(({ dimension }) => isProfileDimension(dimension));
  const ofRows = query.filters.filter(({ dimension }) => !isProfileDimension(dimension));
  const scan: Scan = {
    profileFilters: ofProfiles.map((filter) => startFilter(filter, names)),
    rowFilters: ofRows.map((filter) => startFilter(filter, names)),
    groups: createGrouping(query.groupBy, names, tally),
    tally,
  };
  const addRollup = createRollupScan(query, names, tally);
  return {
    usesRollups: addRollup !== undefined,
    addRollup: (day, rollup, linkSums) => addRollup?.(rollup, linkSums, dayBuckets(query, day)) ?? false,
    addDay(day, files) {
      const buckets = dayBuckets(query, day);
      const segments = files.map((file) => ('head' in file ? openSegment(file) : file));
      const [hashed, sealed] = [true, false].map((isHashed) =>
        segments.filter(({ hashes }) => (hashes !== undefined) === isHashed),
      ) as [Segment[], Segment[]];
      scanSegments(scan, hashed, buckets);
      // A sealed segment has nothing to tell its visitors by, so they are others than those of all further segments.
      for (const segment of sealed) scanSegments(scan, [segment], buckets);
    },
    answer: tally.answer,
  };
}
