import { secondsPerDay, secondsPerQuarter } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import { profileMask, type RunningFilter, rowMask } from '../filters.ts';

/** A click, by where it stands. */
export interface FoundClick {
  readonly segment: Segment;
  readonly block: Block;
  readonly row: number;
  /** Of the block. */
  readonly profile: number;
  /** Of the day. */
  readonly second: number;
}

export interface ClickFilters {
  readonly ofProfiles: readonly RunningFilter[];
  readonly ofRows: readonly RunningFilter[];
}

/** Clicks of a day that pass, and where they are. */
interface Part {
  readonly segment: Segment;
  readonly block: Block;
  /** By profile of the block: 1 when it passes. */
  readonly profiles: Uint8Array<ArrayBuffer>;
  /** By row: 1 when it passes; undefined when all do. */
  readonly rows: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * The last clicks of a day that pass, all of some seconds: so many that at least `wanted` are in seconds below `upto`, or all
 * there are. Rows are looked at twice, first to count them by second, so that memory holds only what is wanted.
 * @param from first second of the day that counts
 * @param upto last one, all of whose clicks are among the found
 */
export function lastClicksOfDay(
  segments: readonly Segment[],
  filters: ClickFilters,
  { from, upto, wanted }: { readonly from: number; readonly upto: number; readonly wanted: number },
): FoundClick[] {
  const parts = segments.flatMap((segment) => partsOf(segment, filters));
  const clicks = new Uint32Array(secondsPerDay);
  for (const part of parts) {
    eachClick(part, (second) => {
      clicks[second] = (clicks[second] as number) + 1;
    });
  }
  let least = upto;
  for (let enough = 0; least > from && enough < wanted; ) {
    least -= 1;
    enough += clicks[least] as number;
  }
  const found: FoundClick[] = [];
  for (const part of parts) {
    const { segment, block } = part;
    eachClick(part, (second, row, profile) => {
      if (second >= least && second <= upto) found.push({ segment, block, row, profile, second });
    });
  }
  return found;
}

function partsOf(segment: Segment, { ofProfiles, ofRows }: ClickFilters): Part[] {
  const parts: Part[] = [];
  for (const block of segment.blocks) {
    if (block.isAbsent || !ofRows.every((filter) => filter.mayPass(block))) continue;
    const rows = rowMask(ofRows, segment, block);
    if (rows?.includes(1) === false) continue;
    const profiles = profileMask(ofProfiles, segment, block);
    if (profiles.includes(1)) parts.push({ segment, block, profiles, rows });
  }
  return parts;
}

function eachClick(
  { segment, block, profiles, rows }: Part,
  visit: (second: number, row: number, profile: number) => void,
): void {
  const { quarter } = block.visits();
  const inQuarter = block.secondInQuarter();
  const ofProfile = segment.profiles().rows;
  let end = 0;
  for (let profile = 0; profile < block.profiles; profile += 1) {
    const start = end;
    end += ofProfile[block.firstProfile + profile] as number;
    if (profiles[profile] === 0) continue;
    for (let row = start; row < end; row += 1) {
      if (rows !== undefined && rows[row] === 0) continue;
      visit((quarter[row] as number) * secondsPerQuarter + (inQuarter[row] as number), row, profile);
    }
  }
}
