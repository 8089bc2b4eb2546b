import { secondsPerQuarter } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import { profileMask, type RunningFilter, rowMask } from '../filters.ts';

/** A click, by where it stands. */
export interface ClickPosition {
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

/** The clicks of a block, from the last one backwards. */
interface Part {
  readonly segment: Segment;
  readonly block: Block;
  /** By row: 1 when it passes; undefined when all do. */
  readonly passes: Uint8Array<ArrayBuffer> | undefined;
  /** Where each profile ends, in rows. */
  profileEnds: Uint32Array<ArrayBuffer> | undefined;
  /** How many clicks are left, in the order of time. */
  left: number;
  /** Of the last of them that passes; before the day when there is none. */
  second: number;
}

const beforeDay = -1;

/**
 * The clicks of a day that pass, a list for each second that has some, the last second first. What is not asked for is not
 * looked at: so a page costs by its clicks, not by those of the day.
 * @param from first second of the day that counts
 * @param upto last one
 */
export function* secondsOfDay(
  segments: readonly Segment[],
  filters: ClickFilters,
  { from, upto }: { readonly from: number; readonly upto: number },
): Generator<ClickPosition[]> {
  const parts = segments.flatMap((segment) => partsOf(segment, filters, upto));
  for (;;) {
    let second = beforeDay;
    for (const part of parts) if (part.second > second) second = part.second;
    if (second < from) return;
    const found: ClickPosition[] = [];
    for (const part of parts) {
      while (part.second === second) {
        const row = part.block.rowsInTime()[part.left - 1] as number;
        found.push({ segment: part.segment, block: part.block, row, profile: profileOf(part, row), second });
        part.left -= 1;
        part.second = lastSecond(part);
      }
    }
    yield found;
  }
}

function partsOf(segment: Segment, { ofProfiles, ofRows }: ClickFilters, upto: number): Part[] {
  const parts: Part[] = [];
  for (const block of segment.blocks) {
    if (block.isAbsent || !ofRows.every((filter) => filter.mayPass(block))) continue;
    const rows = rowMask(ofRows, segment, block);
    const profiles = ofProfiles.length === 0 ? undefined : profileMask(ofProfiles, segment, block);
    const passes = profiles === undefined ? rows : masked(segment, block, profiles, rows);
    if (passes?.includes(1) === false) continue;
    const part: Part = { segment, block, passes, profileEnds: undefined, left: 0, second: beforeDay };
    part.left = clicksUpto(block, upto);
    part.second = lastSecond(part);
    parts.push(part);
  }
  return parts;
}

/** By row: 1 when both it and its profile pass. */
function masked(
  segment: Segment,
  block: Block,
  profiles: Uint8Array<ArrayBuffer>,
  rows = new Uint8Array(block.rows).fill(1),
): Uint8Array<ArrayBuffer> {
  const ofProfile = segment.profiles().rows;
  let end = 0;
  for (let profile = 0; profile < block.profiles; profile += 1) {
    const start = end;
    end += ofProfile[block.firstProfile + profile] as number;
    if (profiles[profile] === 0) rows.fill(0, start, end);
  }
  return rows;
}

function secondOf(block: Block, row: number): number {
  const inQuarter = block.secondInQuarter()[row] as number;
  return (block.visits().quarter[row] as number) * secondsPerQuarter + inQuarter;
}

function clicksUpto(block: Block, upto: number): number {
  const rows = block.rowsInTime();
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (secondOf(block, rows[middle] as number) <= upto) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Goes back to a click that passes. @returns its second */
function lastSecond(part: Part): number {
  const { block, passes } = part;
  const rows = block.rowsInTime();
  while (part.left > 0 && passes !== undefined && passes[rows[part.left - 1] as number] === 0) part.left -= 1;
  return part.left === 0 ? beforeDay : secondOf(block, rows[part.left - 1] as number);
}

function profileOf(part: Part, row: number): number {
  const { segment, block } = part;
  if (part.profileEnds === undefined) {
    let end = 0;
    const { firstProfile } = block;
    const rows = segment.profiles().rows.subarray(firstProfile, firstProfile + block.profiles);
    part.profileEnds = Uint32Array.from(rows, (of) => {
      end += of;
      return end;
    });
  }
  let low = 0;
  let high = part.profileEnds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((part.profileEnds[middle] as number) <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
