import type { DayClicks } from './day-clicks.ts';
import { profileDimensions, quartersPerDay, rowDimensions, secondsPerQuarter } from './dimensions.ts';
import { sameRun } from './layout.ts';
import { packLists, planeOf } from './planes.ts';
import { type Packing, packSections, writeVarints } from './sections.ts';
import {
  type DayIndex,
  indexDay,
  orderByCount,
  type ProfileColumns,
  type SortedDay,
  sortDay,
} from './sort.ts';
import { packSpans } from './spans.ts';
import { packCombinations, rankWords } from './words.ts';

/**
 * Approximate number of rows per block. It is small enough that a query for one link reads little, and large enough
 * that columns compress well.
 */
const defaultRowsPerBlock = 32_768;

export interface EncodeOptions {
  /** True to store visitor hashes, so that the same visitors can be recognized in later segments of the day. */
  readonly keepsHashes: boolean;
  /** Approximate number of rows per block, at most 32,768. All clicks on a link are in one block. */
  readonly rowsPerBlock?: number;
  /** Compression of sections; `plain` for a segment that is read only once. */
  readonly packing?: Packing;
}

/** An encoded segment. */
export interface SegmentFile {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly blocks: readonly BlockFile[];
}

export interface BlockFile {
  /** Lowest and highest link row in the block. */
  readonly leastLink: number;
  readonly largestLink: number;
  readonly clicks: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Start rows of blocks, profiles and runs in a segment. */
interface Bounds {
  /** First row of each profile and of each run. */
  readonly profiles: number[];
  readonly runs: number[];
  /** Number of runs before each profile. */
  readonly runsBefore: number[];
  /** For each row, `profileStart` or `runStart` if a profile or run starts at the row, otherwise `noStart`. */
  readonly begins: Uint8Array<ArrayBuffer>;
  /** First row of each block, and number of profiles and runs before the block. */
  readonly blocks: { readonly row: number; readonly profile: number; readonly run: number }[];
}

const noStart = 0;
const runStart = 1;
const profileStart = 2;

/** Encodes a day's clicks as a segment. @param clicks at least one @param index index of the clicks */
export function encodeSegment(
  clicks: DayClicks,
  options: EncodeOptions,
  index: DayIndex = indexDay(clicks),
): SegmentFile {
  if (clicks.length === 0) throw new RangeError('Cannot encode a segment without clicks.');
  const regions = rankWords(clicks.region, clicks.words);
  const profile = { ...clicks.codes, region: regions.numbers };
  const rowsPerBlock = Math.min(options.rowsPerBlock ?? defaultRowsPerBlock, defaultRowsPerBlock);
  const sorted = sortDay(index, profile, rowsPerBlock);
  const bounds = findBounds(sorted);
  const referrers = rankWords(clicks.referrer, clicks.words);
  const combined = packCombinations(clicks);
  const spans = packSpans(bounds.runs, sorted);
  const rankedLinks = rankLinks(sorted);
  const blocks = bounds.blocks.map(({ row }, block) => ({
    rows: sorted.order.subarray(row, bounds.blocks[block + 1]?.row ?? clicks.length),
    begins: bounds.begins.subarray(row),
    links: rankedLinks.blocks[block] as Links,
  }));
  const pack = (sections: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
    packSections(sections, options.packing);
  return {
    head: pack([
      packBlocks(bounds, rankedLinks.blocks, clicks.length, options.keepsHashes),
      packProfiles(bounds, profile, sorted, spans.lists),
      spans.laterRanks,
      referrers.texts,
      combined.packed,
      regions.texts,
      options.keepsHashes ? packHashes(bounds.runs, clicks, sorted.order) : new Uint8Array(),
    ]),
    blocks: blocks.map(({ rows, begins, links }) => {
      const bytes = pack([
        links.packed,
        packVisits(rows, begins, clicks.second),
        twoPlanes(rows, sorted.linkOf, rankedLinks.rankOf),
        twoPlanes(rows, referrers.numbers),
        twoPlanes(rows, combined.numbers),
        packSeconds(rows, clicks.second),
        ...rowDimensions.map((dimension) => onePlane(rows, clicks.codes[dimension])),
      ]);
      return { leastLink: links.least, largestLink: links.largest, clicks: rows.length, bytes };
    }),
  };
}

type Rows = Uint32Array<ArrayBuffer>;

function onePlane(rows: Rows, values: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) bytes[row] = values[rows[row] as number] as number;
  return bytes;
}

/** Writes the low bytes of all rows, then the high bytes. @param numberOf maps values to the numbers to write */
function twoPlanes(rows: Rows, values: Uint32Array, numberOf?: Uint32Array): Uint8Array<ArrayBuffer> {
  const { length } = rows;
  const bytes = new Uint8Array(2 * length);
  for (let row = 0; row < length; row += 1) {
    const value = values[rows[row] as number] as number;
    const number = numberOf === undefined ? value : (numberOf[value] as number);
    bytes[row] = number;
    bytes[length + row] = number >>> 8;
  }
  return bytes;
}

function findBounds({ order, profileOf, visitorOf, blockOf }: SortedDay): Bounds {
  const bounds: Bounds = {
    profiles: [],
    runs: [],
    runsBefore: [],
    blocks: [],
    begins: new Uint8Array(order.length),
  };
  for (let row = 0; row < order.length; row += 1) {
    const click = order[row] as number;
    const above = order[row - 1] ?? click;
    const isBlock = row === 0 || blockOf[click] !== blockOf[above];
    const isProfile = isBlock || profileOf[click] !== profileOf[above];
    if (isBlock) bounds.blocks.push({ row, profile: bounds.profiles.length, run: bounds.runs.length });
    if (isProfile) {
      bounds.profiles.push(row);
      bounds.runsBefore.push(bounds.runs.length);
    }
    const isRun = isProfile || visitorOf[click] !== visitorOf[above];
    if (isRun) bounds.runs.push(row);
    bounds.begins[row] = isProfile ? profileStart : isRun ? runStart : noStart;
  }
  return bounds;
}

function packBlocks(bounds: Bounds, links: readonly Links[], rows: number, keepsHashes: boolean): Uint8Array {
  const ends = [
    ...bounds.blocks.slice(1),
    { row: rows, profile: bounds.profiles.length, run: bounds.runs.length },
  ];
  const numbers = bounds.blocks.flatMap((from, block) => {
    const end = ends[block] ?? from;
    const of = links[block];
    return [
      end.row - from.row,
      end.run - from.run,
      end.profile - from.profile,
      of?.count ?? 0,
      of?.least ?? 0,
      of?.largest ?? 0,
    ];
  });
  return writeVarints([keepsHashes ? 1 : 0, bounds.blocks.length, ...numbers]);
}

function packProfiles(
  bounds: Bounds,
  profile: ProfileColumns,
  { order, visitorOf, visitors }: SortedDay,
  spans: readonly ArrayLike<number>[],
): Uint8Array<ArrayBuffer> {
  const dimensions = profileDimensions.map((dimension) =>
    bounds.profiles.map((row) => profile[dimension][order[row] as number] as number),
  );
  const isLastUnknown = bounds.profiles.map((_, at) => {
    const last = (bounds.profiles[at + 1] ?? order.length) - 1;
    return visitorOf[order[last] as number] === visitors ? 1 : 0;
  });
  return packLists([
    ...dimensions,
    distances(bounds.profiles, order.length),
    distances(bounds.runsBefore, bounds.runs.length),
    isLastUnknown,
    ...spans,
  ]);
}

function distances(starts: readonly number[], end: number): number[] {
  return starts.map((start, at) => (starts[at + 1] ?? end) - start);
}

function packHashes(
  runs: readonly number[],
  { visitor }: DayClicks,
  order: Uint32Array<ArrayBuffer>,
): Uint8Array {
  const hashes = runs.map((row) => visitor[order[row] as number] as number);
  return Buffer.concat([0, 1, 2, 3].map((place) => planeOf(hashes, place)));
}

/** A block's encoded links. */
interface Links {
  readonly packed: Uint8Array;
  readonly count: number;
  readonly least: number;
  readonly largest: number;
}

/**
 * Numbers the links in each block by descending number of clicks, so that low numbers are frequent and high bytes are
 * mostly zero. Links with the same number of clicks are ordered by row.
 */
function rankLinks({ blockOfLink, blocks, links, linksByRow, clicksOfLink }: SortedDay): {
  readonly blocks: readonly Links[];
  /** Number of each link in its block. */
  readonly rankOf: Uint32Array<ArrayBuffer>;
} {
  const ofBlocks = Array.from({ length: blocks }, (): number[] => []);
  const rankOf = new Uint32Array(links.length);
  const byRow = linksByRow.map((link) => clicksOfLink[link] as number);
  for (const place of orderByCount(byRow)) {
    const link = linksByRow[place] as number;
    rankOf[link] = (ofBlocks[blockOfLink[link] as number] as number[]).push(links[link] as number) - 1;
  }
  return { rankOf, blocks: ofBlocks.map(packLinks) };
}

/** Encodes a block's links. @param rows link rows in the order of the links' numbers */
function packLinks(rows: readonly number[]): Links {
  let least = Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const row of rows) {
    if (row < least) least = row;
    if (row > largest) largest = row;
  }
  const steps = rows.map((row, at) => row - (at === 0 ? least : (rows[at - 1] as number)));
  return {
    packed: writeVarints(steps.map((step) => (step < 0 ? -2 * step - 1 : 2 * step))),
    count: rows.length,
    least,
    largest,
  };
}

function packVisits(rows: Rows, begins: Uint8Array, second: Uint32Array): Uint8Array {
  const visits = new Uint8Array(rows.length);
  let base = 0;
  let above = 0;
  for (let row = 0; row < rows.length; row += 1) {
    const quarter = Math.floor((second[rows[row] as number] as number) / secondsPerQuarter);
    if (begins[row] !== noStart) {
      if (begins[row] === profileStart) base = 0;
      visits[row] = (quarter - base + quartersPerDay) % quartersPerDay;
      base = quarter;
    } else {
      visits[row] = sameRun + quarter - above;
    }
    above = quarter;
  }
  return visits;
}

function packSeconds(rows: Rows, second: Uint32Array): Uint8Array {
  const packed = new Uint8Array(rows.length + Math.ceil(rows.length / 4));
  for (let row = 0; row < rows.length; row += 1) {
    const inQuarter = (second[rows[row] as number] as number) % secondsPerQuarter;
    packed[row] = inQuarter >> 2;
    const rest = rows.length + (row >> 2);
    packed[rest] = (packed[rest] as number) | ((inQuarter & 3) << ((row & 3) * 2));
  }
  return packed;
}
