import { secondsPerQuarter } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import { profileMask, type RunningFilter, rowMask } from '../filters.ts';

/** The position of a click in a segment. */
export interface ClickPosition {
  readonly segment: Segment;
  readonly block: Block;
  readonly row: number;
  /** Profile number within the block. */
  readonly profile: number;
  /** Second of the day. */
  readonly second: number;
}

export interface ClickFilters {
  readonly ofProfiles: readonly RunningFilter[];
  readonly ofRows: readonly RunningFilter[];
}

/** A position in a block's clicks. The position moves backwards in time. */
interface BlockCursor {
  readonly segment: Segment;
  readonly block: Block;
  /** For each row, 1 if the click matches the filters. Undefined if all clicks match. */
  readonly passes: Uint8Array<ArrayBuffer> | undefined;
  /** End row of each profile. */
  profileEnds: Uint32Array<ArrayBuffer> | undefined;
  /** Number of clicks still to be checked. These are the earliest clicks of the day, because listing goes backwards. */
  left: number;
  /** Second of the last matching click among the `left` clicks, or `beforeDay` if none matches. */
  second: number;
}

const beforeDay = -1;

/**
 * Lists a day's matching clicks, grouped by second, latest first. Clicks are read lazily: apart from each block's
 * filter mask and time order, the cost of a page depends only on its own clicks, not on all of the day's clicks.
 * @param from first second of the day
 * @param upto last second of the day
 */
export function* listDay(
  segments: readonly Segment[],
  filters: ClickFilters,
  { from, upto }: { readonly from: number; readonly upto: number },
): Generator<ClickPosition[]> {
  const cursors = segments.flatMap((segment) => createCursors(segment, filters, upto));
  for (;;) {
    let second = beforeDay;
    for (const cursor of cursors) if (cursor.second > second) second = cursor.second;
    if (second < from) return;
    const found: ClickPosition[] = [];
    for (const cursor of cursors) {
      while (cursor.second === second) {
        const row = cursor.block.rowsInTime()[cursor.left - 1] as number;
        found.push({
          segment: cursor.segment,
          block: cursor.block,
          row,
          profile: profileOf(cursor, row),
          second,
        });
        cursor.left -= 1;
        cursor.second = seekBack(cursor);
      }
    }
    yield found;
  }
}

function createCursors(segment: Segment, { ofProfiles, ofRows }: ClickFilters, upto: number): BlockCursor[] {
  const cursors: BlockCursor[] = [];
  for (const block of segment.blocks) {
    if (block.isAbsent || !ofRows.every((filter) => filter.mayPass(block))) continue;
    const rows = rowMask(ofRows, segment, block);
    const profiles = ofProfiles.length === 0 ? undefined : profileMask(ofProfiles, segment, block);
    const passes = profiles === undefined ? rows : combineMasks(segment, block, profiles, rows);
    if (passes?.includes(1) === false) continue;
    const cursor: BlockCursor = {
      segment,
      block,
      passes,
      profileEnds: undefined,
      left: 0,
      second: beforeDay,
    };
    cursor.left = countUntil(block, upto);
    cursor.second = seekBack(cursor);
    cursors.push(cursor);
  }
  return cursors;
}

/** Returns a mask by row: 1 if both the row and its profile match. */
function combineMasks(
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

function countUntil(block: Block, upto: number): number {
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

/** Moves back to the next matching click. @returns the click's second */
function seekBack(cursor: BlockCursor): number {
  const { block, passes } = cursor;
  const rows = block.rowsInTime();
  while (cursor.left > 0 && passes !== undefined && passes[rows[cursor.left - 1] as number] === 0)
    cursor.left -= 1;
  return cursor.left === 0 ? beforeDay : secondOf(block, rows[cursor.left - 1] as number);
}

function profileOf(cursor: BlockCursor, row: number): number {
  const { segment, block } = cursor;
  if (cursor.profileEnds === undefined) {
    let end = 0;
    const { firstProfile } = block;
    const rows = segment.profiles().rows.subarray(firstProfile, firstProfile + block.profiles);
    cursor.profileEnds = Uint32Array.from(rows, (of) => {
      end += of;
      return end;
    });
  }
  let low = 0;
  let high = cursor.profileEnds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cursor.profileEnds[middle] as number) <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
