import type { DayClicks } from './day-clicks.ts';
import {
  type ProfileDimension,
  profileDimensions,
  quartersPerDay,
  rowDimensions,
  secondsPerQuarter,
} from './dimensions.ts';
import { sameRun } from './layout.ts';
import { packLists, planeOf } from './planes.ts';
import { packSections, writeVarints } from './sections.ts';
import { type SortedDay, sortDay } from './sort.ts';
import { packSpans } from './spans.ts';
import { packCombinations, rankWords } from './words.ts';

/** Small enough that a question about one link reads little, large enough that columns compress. */
const usualRowsPerBlock = 32_768;

export interface EncodeOptions {
  /** Whether hashes of visitors are kept, so that further segments of the day can tell the same visitors. */
  readonly keepsHashes: boolean;
  /** At most 32,768. */
  readonly rowsPerBlock?: number;
  /** Leaves sections as they are: for a segment that is read once. */
  readonly isPlain?: boolean;
}

/** A segment as bytes. */
export interface SegmentFile {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly blocks: readonly BlockFile[];
}

export interface BlockFile {
  /** Rows of links: all of the block are between, both included. */
  readonly leastLink: number;
  readonly largestLink: number;
  readonly clicks: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Profile = Readonly<Record<ProfileDimension, ArrayLike<number>>>;

/** Where a block, a profile or a run begins and ends, in rows. */
interface Bounds {
  /** First rows of profiles and of runs. */
  readonly profiles: number[];
  readonly runs: number[];
  /** Runs before each profile. */
  readonly runsBefore: number[];
  /** By row: what begins there. */
  readonly begins: Uint8Array<ArrayBuffer>;
  /** First row and number of profiles and runs before each block. */
  readonly blocks: { readonly row: number; readonly profile: number; readonly run: number }[];
}

const nothing = 0;
const aRun = 1;
const aProfile = 2;

/** Makes a segment of the clicks of a day, at least one. */
export function encodeSegment(clicks: DayClicks, options: EncodeOptions): SegmentFile {
  if (clicks.length === 0) throw new RangeError('A segment has at least one click.');
  const regions = rankWords(clicks.region, clicks.words);
  const profile = { ...clicks.codes, region: regions.numbers };
  const sorted = sortDay(
    clicks,
    profile,
    Math.min(options.rowsPerBlock ?? usualRowsPerBlock, usualRowsPerBlock),
  );
  const bounds = boundsOf(clicks.length, profile, sorted);
  const referrers = rankWords(clicks.referrer, clicks.words);
  const combined = packCombinations(clicks);
  const spans = packSpans(bounds.runs, sorted);
  const links: Links[] = bounds.blocks.map((from, block) => {
    const end = bounds.blocks[block + 1]?.row ?? clicks.length;
    return linksOf(sorted.order.subarray(from.row, end), clicks.link);
  });
  const pack = (sections: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
    packSections(sections, options.isPlain);
  return {
    head: pack([
      packBlocks(bounds, links, clicks.length, options.keepsHashes),
      packProfiles(bounds, profile, sorted, spans.lists),
      spans.laterRanks,
      referrers.texts,
      combined.packed,
      regions.texts,
      options.keepsHashes ? packHashes(bounds.runs, clicks, sorted.order) : new Uint8Array(),
    ]),
    blocks: links.map((of, block) => {
      const from = bounds.blocks[block]?.row ?? 0;
      const rows = sorted.order.subarray(from, from + of.numbers.length);
      const column = (values: ArrayLike<number>): number[] =>
        Array.from(rows, (click) => values[click] as number);
      const bytes = pack([
        of.packed,
        packVisits(rows, bounds.begins.subarray(from), clicks.second),
        twoPlanes(of.numbers),
        twoPlanes(column(referrers.numbers)),
        twoPlanes(column(combined.numbers)),
        packSeconds(column(clicks.second)),
        ...rowDimensions.map((dimension) => Uint8Array.from(column(clicks.codes[dimension]))),
      ]);
      return { leastLink: of.least, largestLink: of.largest, clicks: of.numbers.length, bytes };
    }),
  };
}

function twoPlanes(values: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([planeOf(values, 0), planeOf(values, 1)]));
}

function boundsOf(length: number, profile: Profile, { order, visitorOf, blockOf }: SortedDay): Bounds {
  const bounds: Bounds = {
    ...{ profiles: [], runs: [], runsBefore: [], blocks: [] },
    begins: new Uint8Array(length),
  };
  const columns = profileDimensions.map((dimension) => profile[dimension]);
  for (let row = 0; row < order.length; row += 1) {
    const click = order[row] as number;
    const above = row === 0 ? undefined : (order[row - 1] as number);
    const isBlock = above === undefined || blockOf[click] !== blockOf[above];
    const isProfile = isBlock || columns.some((codes) => codes[click] !== codes[above]);
    if (isBlock) bounds.blocks.push({ row, profile: bounds.profiles.length, run: bounds.runs.length });
    if (isProfile) {
      bounds.profiles.push(row);
      bounds.runsBefore.push(bounds.runs.length);
    }
    const isRun = isProfile || visitorOf[click] !== visitorOf[above];
    if (isRun) bounds.runs.push(row);
    bounds.begins[row] = isProfile ? aProfile : isRun ? aRun : nothing;
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
      ...[end.row - from.row, end.run - from.run, end.profile - from.profile],
      ...[of?.count ?? 0, of?.least ?? 0, of?.largest ?? 0],
    ];
  });
  return writeVarints([keepsHashes ? 1 : 0, bounds.blocks.length, ...numbers]);
}

function packProfiles(
  bounds: Bounds,
  profile: Profile,
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

interface Links {
  readonly packed: Uint8Array;
  /** By row of the block: the number of its link. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  readonly count: number;
  readonly least: number;
  readonly largest: number;
}

/** Numbers links by falling clicks, so that low bytes are frequent and high ones mostly zero; those of as many by row. */
function linksOf(rows: Uint32Array<ArrayBuffer>, link: Uint32Array<ArrayBuffer>): Links {
  const counts = new Map<number, number>();
  for (const click of rows) {
    const row = link[click] as number;
    counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b).map(([row]) => row);
  const numberOf = new Map(ranked.map((row, number) => [row, number]));
  const least = ranked.reduce((a, b) => Math.min(a, b));
  const steps = ranked.map((row, at) => row - (at === 0 ? least : (ranked[at - 1] as number)));
  return {
    packed: writeVarints(steps.map((step) => (step < 0 ? -2 * step - 1 : 2 * step))),
    numbers: rows.map((click) => numberOf.get(link[click] as number) as number),
    count: ranked.length,
    least,
    largest: ranked.reduce((a, b) => Math.max(a, b)),
  };
}

function packVisits(
  rows: Uint32Array<ArrayBuffer>,
  begins: Uint8Array<ArrayBuffer>,
  second: Uint32Array<ArrayBuffer>,
): Uint8Array {
  const visits = new Uint8Array(rows.length);
  let base = 0;
  let above = 0;
  for (const [at, click] of rows.entries()) {
    const quarter = Math.floor((second[click] as number) / secondsPerQuarter);
    if (begins[at] !== nothing) {
      if (begins[at] === aProfile) base = 0;
      visits[at] = (quarter - base + quartersPerDay) % quartersPerDay;
      base = quarter;
    } else {
      visits[at] = sameRun + quarter - above;
    }
    above = quarter;
  }
  return visits;
}

function packSeconds(seconds: readonly number[]): Uint8Array {
  const packed = new Uint8Array(seconds.length + Math.ceil(seconds.length / 4));
  for (const [row, second] of seconds.entries()) {
    const inQuarter = second % secondsPerQuarter;
    packed[row] = inQuarter >> 2;
    const rest = seconds.length + (row >> 2);
    packed[rest] = (packed[rest] as number) | ((inQuarter & 3) << ((row & 3) * 2));
  }
  return packed;
}
