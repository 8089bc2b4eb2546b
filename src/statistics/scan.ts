import { classCount, quartersPerDay, secondsPerQuarter } from './columns/dimensions.ts';
import { sameRun } from './columns/layout.ts';
import type { Block, Segment } from './columns/segment.ts';
import { numberVisitors, type Visitors } from './columns/visitors.ts';
import { type DayBuckets, outside } from './day-buckets.ts';
import { profileMask, type RunningFilter, rowMask } from './filters.ts';
import { createFirstClicks, type FirstClicks } from './first-clicks.ts';
import { type Groups, groupAt, noGroup } from './groups.ts';
import { profileNumbers } from './reading.ts';
import type { Tally } from './tally.ts';

/** A block to scan, together with the state of the query. */
interface Part {
  readonly segment: Segment;
  readonly block: Block;
  readonly groups: Groups;
  /** For each profile of the block, 1 if it matches. */
  readonly profiles: Uint8Array<ArrayBuffer>;
  readonly tally: Tally;
  /** First clicks of visitors who may have clicks in other blocks or segments. */
  readonly firstClicks: FirstClicks;
}

/** Adds all clicks of the matching profiles to one bucket. */
function addProfiles({ segment, block, groups, profiles, tally, firstClicks }: Part, bucket: number): void {
  const { rows, runs, isLastUnknown } = segment.profiles();
  const classes = profileNumbers('class', segment, block);
  const numbers = groups.numbers();
  const spans = segment.spans();
  let span = firstSpan(spans.run, block.firstRun);
  let run = block.firstRun;
  for (let profile = 0; profile < block.profiles; profile += 1) {
    const from = run;
    run += runs[block.firstProfile + profile] as number;
    if (profiles[profile] === 0) {
      while ((spans.run[span] as number) < run) span += 1;
      continue;
    }
    const group = groupAt(groups, numbers[profile]);
    let alone = run - from - (isLastUnknown[block.firstProfile + profile] as number);
    for (; (spans.run[span] as number) < run; span += 1) {
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
  }
}

/** Returns the index of the first run in `runs` (ascending) that is not below `run`. */
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

/** The visitors of several segments, and the index of the segment being scanned. */
type SegmentVisitors = Visitors & { readonly place: number };

/**
 * Adds the clicks of matching profiles row by row. Times are unpacked while scanning, because each profile's times can
 * be decoded separately. Profiles that do not match therefore cost almost nothing.
 * @param mask for each row, 1 if it matches
 */
function addRows(
  part: Part,
  mask: Uint8Array<ArrayBuffer> | undefined,
  { bucketOf, isBySecond }: DayBuckets,
  segmentVisitors: SegmentVisitors | undefined,
): void {
  const { segment, block, groups, profiles, tally } = part;
  const { rows, runs, isLastUnknown } = segment.profiles();
  const classes = profileNumbers('class', segment, block);
  const visits = block.visitBytes();
  const seconds = isBySecond ? block.secondInQuarter() : undefined;
  const numbers = groups.numbers();
  const { isOfProfiles } = groups;
  const offer = createVisitorCounter(part, segmentVisitors);
  const { clicks, visitors } = tally;
  /**
   * The matching row that the last search in `mask` found; −1 if there are no more matching rows. The search is
   * repeated once this row is below `start`.
   */
  let wanted = 0;
  let end = 0;
  let nextRun = 0;
  for (let profile = 0; profile < block.profiles; profile += 1) {
    const start = end;
    end += rows[block.firstProfile + profile] as number;
    let run = nextRun - 1;
    nextRun += runs[block.firstProfile + profile] as number;
    const unknownRun = isLastUnknown[block.firstProfile + profile] === 1 ? nextRun - 1 : -1;
    if (profiles[profile] === 0) continue;
    if (mask !== undefined) {
      if (wanted < start) wanted = mask.indexOf(1, start);
      if (wanted === -1) return;
      if (wanted >= end) continue;
    }
    const ofClass = classes[profile] as number;
    let group = isOfProfiles ? groupAt(groups, numbers[profile]) : noGroup;
    let firstQuarter = 0;
    let quarter = 0;
    let firstRow = start;
    let isCounted = false;
    for (let row = start; row < end; row += 1) {
      const visit = visits[row] as number;
      if (visit < sameRun) {
        run += 1;
        firstQuarter += visit;
        if (firstQuarter >= quartersPerDay) firstQuarter -= quartersPerDay;
        quarter = firstQuarter;
        firstRow = row;
        isCounted = run === unknownRun;
      } else {
        quarter += visit - sameRun;
      }
      if (mask !== undefined && mask[row] === 0) continue;
      const unit = seconds === undefined ? quarter : quarter * secondsPerQuarter + (seconds[row] as number);
      const bucket = bucketOf[unit] as number;
      if (bucket === outside) continue;
      if (!isOfProfiles) group = groupAt(groups, numbers[row]);
      const cell = bucket * classCount + ofClass;
      clicks[cell] = (clicks[cell] as number) + 1;
      if (group !== noGroup) tally.groupClicks[group] = (tally.groupClicks[group] as number) + 1;
      // Rows of a run are in chronological order, so the first matching row is the visitor's first matching click in
      // this run.
      if (isCounted) continue;
      isCounted = true;
      if (offer(run, row - firstRow, quarter, row, bucket, group)) continue;
      visitors[bucket] = (visitors[bucket] as number) + 1;
      if (group !== noGroup) tally.groupVisitors[group] = (tally.groupVisitors[group] as number) + 1;
    }
  }
}

/** Exclusive upper limit of ranks. No visitor has this many clicks in a segment. */
const maxRanks = 2 ** 28;

/**
 * Records a click as a candidate for its visitor's first click if the visitor may have clicks in other runs. Must be
 * called with ascending runs.
 * @returns false if the visitor has no other runs
 */
type OfferClick = (
  run: number,
  inRun: number,
  quarter: number,
  row: number,
  bucket: number,
  group: number,
) => boolean;

function createVisitorCounter(
  { segment, block, firstClicks }: Part,
  segmentVisitors: SegmentVisitors | undefined,
): OfferClick {
  const spans = segment.spans();
  let span = firstSpan(spans.run, block.firstRun);
  /**
   * Returns the rank of a click among its visitor's clicks in the segment, or undefined if the visitor has only this
   * run.
   */
  const rankOf = (run: number, inRun: number): number | undefined => {
    const inSegment = block.firstRun + run;
    while ((spans.run[span] as number) < inSegment) span += 1;
    if (spans.run[span] !== inSegment) return undefined;
    return inRun === 0
      ? (spans.firstRank[span] as number)
      : (spans.ranks()[(spans.ranksFrom[span] as number) + inRun] as number);
  };
  if (segmentVisitors === undefined) {
    return (run, inRun, _quarter, _row, bucket, group) => {
      const rank = rankOf(run, inRun);
      if (rank === undefined) return false;
      firstClicks.offer(spans.visitorOf[span] as number, rank, bucket, group);
      return true;
    };
  }
  const { place } = segmentVisitors;
  const segments = segmentVisitors.visitorOf.length;
  const visitorOf = segmentVisitors.visitorOf[place] as Uint32Array;
  const seconds = block.secondInQuarter();
  return (run, inRun, quarter, row, bucket, group) => {
    const second = quarter * secondsPerQuarter + (seconds[row] as number);
    const order = (second * segments + place) * maxRanks + (rankOf(run, inRun) ?? 0);
    firstClicks.offer(visitorOf[block.firstRun + run] as number, order, bucket, group);
    return true;
  };
}

/** The state of a running query. */
export interface Scan {
  readonly profileFilters: readonly RunningFilter[];
  readonly rowFilters: readonly RunningFilter[];
  readonly groups: (segment: Segment, block: Segment['blocks'][number]) => Groups;
  readonly tally: Tally;
}

/**
 * Adds a day's clicks, either from one segment or from several segments with hashes. Equal hashes mean the same visitor
 * in all segments. Reads no rows where the profiles are sufficient.
 */
export function scanSegments(scan: Scan, segments: readonly Segment[], buckets: DayBuckets): void {
  const [first, ...further] = segments;
  if (buckets.only === outside || first === undefined) return;
  const segmentVisitors = further.length === 0 ? undefined : numberVisitors(segments);
  const firstClicks = createFirstClicks(segmentVisitors?.count);
  for (const [place, segment] of segments.entries()) {
    for (const block of segment.blocks) {
      if (block.isAbsent || !scan.rowFilters.every((filter) => filter.mayPass(block))) continue;
      const rows = rowMask(scan.rowFilters, segment, block);
      if (rows?.includes(1) === false) continue;
      const profiles = profileMask(scan.profileFilters, segment, block);
      if (!profiles.includes(1)) continue;
      const groups = scan.groups(segment, block);
      const part = { segment, block, groups, profiles, tally: scan.tally, firstClicks };
      if (
        segmentVisitors === undefined &&
        buckets.only !== undefined &&
        rows === undefined &&
        groups.isOfProfiles
      ) {
        addProfiles(part, buckets.only);
      } else {
        addRows(part, rows, buckets, segmentVisitors && { ...segmentVisitors, place });
      }
    }
  }
  firstClicks.addTo(scan.tally);
}
