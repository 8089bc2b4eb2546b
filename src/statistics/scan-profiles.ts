import { classCount } from './columns/dimensions.ts';
import type { Block, Segment } from './columns/segment.ts';
import type { FirstClicks } from './first-clicks.ts';
import { type Groups, groupAt, noGroup } from './groups.ts';
import { profileNumbers } from './reading.ts';
import type { Tally } from './tally.ts';

/** A block to scan, with the state of the query. */
export interface Part {
  readonly segment: Segment;
  readonly block: Block;
  readonly groups: Groups;
  /** By profile of the block: 1 if it matches. */
  readonly profiles: Uint8Array<ArrayBuffer>;
  readonly tally: Tally;
  /** First clicks of visitors who may have clicks elsewhere. */
  readonly firstClicks: FirstClicks;
}

/** Adds all clicks of the matching profiles to one bucket. */
export function addProfiles(
  { segment, block, groups, profiles, tally, firstClicks }: Part,
  bucket: number,
): void {
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

/** Returns the first index of ascending runs at or after a run. */
export function firstSpan(runs: Uint32Array<ArrayBuffer>, run: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as number) < run) low = middle + 1;
    else high = middle;
  }
  return low;
}
