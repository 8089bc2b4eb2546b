import { classCount, secondsPerQuarter } from './columns/dimensions.ts';
import type { Block, Segment } from './columns/segment.ts';
import { numberVisitors, type Visitors } from './columns/visitors.ts';
import { type DayBuckets, outside } from './day-buckets.ts';
import { narrow, profileMask, type RunningFilter } from './filters.ts';
import { createFirstClicks, type FirstClicks, noGroup } from './first-clicks.ts';
import type { Groups } from './groups.ts';
import { profileNumbers } from './reading.ts';
import type { Tally } from './tally.ts';

/** A question while it is answered. */
export interface Scan {
  readonly profileFilters: readonly RunningFilter[];
  readonly rowFilters: readonly RunningFilter[];
  readonly groups: (segment: Segment, block: Block) => Groups;
  readonly tally: Tally;
}

/**
 * Adds the clicks of a day in which visitors are told from each other: one segment, or several with hashes. What nothing but
 * profiles can tell is added up from them, without a look at rows.
 */
export function scanSegments(scan: Scan, segments: readonly Segment[], buckets: DayBuckets): void {
  if (buckets.only === outside) return;
  const [first, ...further] = segments;
  if (first === undefined) return;
  const joined = further.length === 0 ? undefined : numberVisitors(segments);
  const firstClicks = createFirstClicks(joined?.count ?? first.spans().visitors);
  for (const [at, segment] of segments.entries()) {
    for (const block of segment.blocks) {
      if (!scan.rowFilters.every((filter) => filter.mayPass(block))) continue;
      const groups = scan.groups(segment, block);
      const passing = profileMask(scan.profileFilters, segment, block);
      const part: Part = { ...{ scan, segment, at, block, groups, passing, buckets, firstClicks }, joined };
      if (
        joined === undefined &&
        buckets.only !== undefined &&
        scan.rowFilters.length === 0 &&
        groups.isOfProfiles
      ) {
        addProfiles(part, buckets.only);
      } else {
        addRows(part);
      }
    }
  }
  firstClicks.addTo(scan.tally);
}

interface Part {
  readonly scan: Scan;
  readonly segment: Segment;
  /** The segment's place among those of the day, and how many there are. */
  readonly at: number;
  readonly block: Block;
  readonly groups: Groups;
  /** By profile. */
  readonly passing: Uint8Array<ArrayBuffer>;
  readonly buckets: DayBuckets;
  readonly firstClicks: FirstClicks;
  readonly joined: Visitors | undefined;
}

function addProfiles({ scan, segment, block, groups, passing, firstClicks }: Part, bucket: number): void {
  const { tally } = scan;
  const { rows, runs } = segment.profiles();
  const classes = profileNumbers('class', segment, block);
  const spans = segment.spans();
  let span = firstSpan(spans.run, block.firstRun);
  let run = block.firstRun;
  for (let profile = 0; profile < block.profiles; profile += 1) {
    const nextRun = run + (runs[block.firstProfile + profile] as number);
    if (passing[profile] === 0) {
      run = nextRun;
      while ((spans.run[span] as number) < nextRun) span += 1;
      continue;
    }
    const group = groups.of(profile);
    let alone = nextRun - run;
    for (; (spans.run[span] as number) < nextRun; span += 1) {
      firstClicks.offer(spans.visitorOf[span] as number, spans.firstRank[span] as number, bucket, group);
      alone -= 1;
    }
    const clicks = rows[block.firstProfile + profile] as number;
    const cell = bucket * classCount + (classes[profile] as number);
    tally.clicks[cell] = (tally.clicks[cell] as number) + clicks;
    tally.visitors[bucket] = (tally.visitors[bucket] as number) + alone;
    if (group !== noGroup) {
      tally.groupClicks[group] = (tally.groupClicks[group] as number) + clicks;
      tally.groupVisitors[group] = (tally.groupVisitors[group] as number) + alone;
    }
    run = nextRun;
  }
}

function addRows(part: Part): void {
  const { scan, segment, block, groups, passing, buckets } = part;
  const selected = rowsOfProfiles(segment, block, passing);
  let count = selected.length;
  for (const filter of scan.rowFilters) {
    if (count === 0) return;
    count = narrow(selected, count, filter, segment, block);
  }
  if (count === 0) return;
  const { tally } = scan;
  const { quarter, run } = block.visits();
  const seconds = buckets.isBySecond ? block.secondInQuarter() : undefined;
  const { rows } = segment.profiles();
  const classes = profileNumbers('class', segment, block);
  const offer = visitorsOf(part);
  let profile = -1;
  let profileEnd = 0;
  let group = noGroup;
  let lastRun = -1;
  for (let at = 0; at < count; at += 1) {
    const row = selected[at] as number;
    if (row >= profileEnd) {
      do {
        profile += 1;
        profileEnd += rows[block.firstProfile + profile] as number;
      } while (row >= profileEnd);
      if (groups.isOfProfiles) group = groups.of(profile);
    }
    const unit =
      seconds === undefined
        ? (quarter[row] as number)
        : (quarter[row] as number) * secondsPerQuarter + (seconds[row] as number);
    const bucket = buckets.bucketOf[unit] as number;
    if (bucket === outside) continue;
    if (!groups.isOfProfiles) group = groups.of(row);
    const cell = bucket * classCount + (classes[profile] as number);
    tally.clicks[cell] = (tally.clicks[cell] as number) + 1;
    if (group !== noGroup) tally.groupClicks[group] = (tally.groupClicks[group] as number) + 1;
    // Rows of a run are in the order of time: the first that passes is the first click of this visitor here.
    const ofRun = run[row] as number;
    if (ofRun === lastRun) continue;
    lastRun = ofRun;
    if (!offer(row, ofRun, bucket, group)) {
      tally.visitors[bucket] = (tally.visitors[bucket] as number) + 1;
      if (group !== noGroup) tally.groupVisitors[group] = (tally.groupVisitors[group] as number) + 1;
    }
  }
}

/** The rows of profiles that pass, growing. */
function rowsOfProfiles(
  segment: Segment,
  block: Block,
  passing: Uint8Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  const selected = new Uint32Array(block.rows);
  const { rows } = segment.profiles();
  let count = 0;
  let row = 0;
  for (let profile = 0; profile < block.profiles; profile += 1) {
    const end = row + (rows[block.firstProfile + profile] as number);
    if (passing[profile] === 0) row = end;
    else while (row < end) selected[count++] = row++;
  }
  return selected.subarray(0, count);
}

/** Above the number of clicks of any visitor in a segment. */
const ranks = 2 ** 28;

/** Offers a run's first click when its visitor may have others elsewhere. @returns whether it may */
function visitorsOf(part: Part): (row: number, run: number, bucket: number, group: number) => boolean {
  const { segment, at, block, firstClicks, joined } = part;
  const spans = segment.spans();
  const spanOf = new Int32Array(block.runs).fill(-1);
  for (let span = firstSpan(spans.run, block.firstRun); span < spans.run.length; span += 1) {
    const run = (spans.run[span] as number) - block.firstRun;
    if (run >= block.runs) break;
    spanOf[run] = span;
  }
  const rankOf = (row: number, run: number): number => {
    const span = spanOf[run] as number;
    if (span < 0) return 0;
    const inRun = row - (block.visits().firstRow[run] as number);
    return inRun === 0
      ? (spans.firstRank[span] as number)
      : (spans.ranks()[(spans.ranksFrom[span] as number) + inRun] as number);
  };
  if (joined === undefined) {
    return (row, run, bucket, group) => {
      const span = spanOf[run] as number;
      if (span < 0) return false;
      firstClicks.offer(spans.visitorOf[span] as number, rankOf(row, run), bucket, group);
      return true;
    };
  }
  const segments = joined.visitorOf.length;
  const visitorOf = joined.visitorOf[at] as Uint32Array;
  const { quarter } = block.visits();
  const seconds = block.secondInQuarter();
  return (row, run, bucket, group) => {
    const second = (quarter[row] as number) * secondsPerQuarter + (seconds[row] as number);
    const order = (second * segments + at) * ranks + rankOf(row, run);
    firstClicks.offer(visitorOf[block.firstRun + run] as number, order, bucket, group);
    return true;
  };
}

/** The first of growing runs that is not before a run. */
function firstSpan(runs: Uint32Array<ArrayBuffer>, run: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as number) < run) low = middle + 1;
    else high = middle;
  }
  return low;
}
