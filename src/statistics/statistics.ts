import { openSegment, type ReadFile, type Segment } from './columns/segment.ts';
import { dayBuckets } from './day-buckets.ts';
import { createFilter } from './filters.ts';
import { createGrouping } from './groups.ts';
import type { LinkSums } from './link-sums.ts';
import type { Answer, Names, Query } from './query.ts';
import { isProfileDimension } from './reading.ts';
import type { Rollup } from './rollup-file.ts';
import { createRollupScan } from './rollup-scan.ts';
import { type Scan, scanSegments } from './scan.ts';
import { createTally } from './tally.ts';

/** Executes one query, one day at a time, so that the caller can pause or stop between days. */
export interface Statistics {
  /**
   * Adds all of an account's clicks on a UTC day. Visitors on different days are always counted separately, because the
   * salt for visitor hashes changes every day.
   * @param day days since the epoch
   * @param segments in the order in which they were written; passing open segments is faster than passing files
   */
  addDay(day: number, segments: readonly (Segment | ReadFile)[]): void;
  /** False if roll-ups are not sufficient for this query, so the caller need not read them. */
  readonly usesRollups: boolean;
  /**
   * Adds a day from its roll-up, if the roll-up is sufficient. It is not sufficient if the query has a filter other
   * than the one for human clicks, if the query includes only part of the day, or if the roll-up lacks the rarest
   * values.
   * @param linkSums sums per link, required for a breakdown by link or folder
   * @returns false, without adding anything, if the day's segments are needed
   */
  addRollup(day: number, rollup: Rollup, linkSums?: LinkSums): boolean;
  answer(): Answer;
}

export function createStatistics(query: Query, names: Names): Statistics {
  const tally = createTally(query.buckets.length);
  const ofProfiles = query.filters.filter(({ dimension }) => isProfileDimension(dimension));
  const ofRows = query.filters.filter(({ dimension }) => !isProfileDimension(dimension));
  const scan: Scan = {
    profileFilters: ofProfiles.map((filter) => createFilter(filter, names)),
    rowFilters: ofRows.map((filter) => createFilter(filter, names)),
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
      // A sealed segment has no visitor hashes, so its visitors are counted separately from the visitors of all other
      // segments.
      for (const segment of sealed) scanSegments(scan, [segment], buckets);
    },
    answer: tally.answer,
  };
}
