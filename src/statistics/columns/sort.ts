import { type DayClicks, noVisitor } from './day-clicks.ts';
import { type ProfileDimension, profileDimensions, secondsPerDay } from './dimensions.ts';
import { createNumberTable } from './number-table.ts';
import { countsOf, isConstant, largest, numberTuples } from './tuples.ts';

/** Frequently used indexes of a day's clicks: chronological order, visitors and links. */
export interface DayIndex {
  /** Clicks in chronological order. Clicks in the same second are in the order in which they were counted. */
  readonly inTime: Uint32Array<ArrayBuffer>;
  /**
   * Visitor number of each click, or `visitors` if the click has no visitor hash. Visitors are numbered in order of
   * their first clicks.
   */
  readonly visitorOf: Uint32Array<ArrayBuffer>;
  readonly visitors: number;
  /** Rank of each click among its visitor's clicks, from 0. */
  readonly rankOf: Uint32Array<ArrayBuffer>;
  /** Link number of each click, and the row for each link number. */
  readonly linkOf: Uint32Array<ArrayBuffer>;
  readonly links: Uint32Array<ArrayBuffer>;
  /** Link numbers sorted by row. */
  readonly linksByRow: Uint32Array<ArrayBuffer>;
}

export function indexDay(clicks: DayClicks): DayIndex {
  const inTime = countingSort(identity(clicks.length), clicks.second, secondsPerDay);
  const table = createNumberTable();
  const linkOf = new Uint32Array(clicks.length);
  for (let click = 0; click < clicks.length; click += 1)
    linkOf[click] = table.numberOf(clicks.link[click] as number);
  const links = table.keys();
  return { inTime, ...numberVisitors(clicks, inTime), linkOf, links, linksByRow: orderByKey(links) };
}

/** The order in which a day's clicks are stored as rows. */
export interface SortedDay extends DayIndex {
  /** The click (index in the day) in each row. Rows are sorted by block, profile, visitor and time. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** Profile number of each click. */
  readonly profileOf: Uint32Array<ArrayBuffer>;
  /** Block number of each click. */
  readonly blockOf: Uint32Array<ArrayBuffer>;
  readonly blocks: number;
  /** Block of each link, by link number. */
  readonly blockOfLink: Uint32Array<ArrayBuffer>;
  readonly clicksOfLink: Uint32Array<ArrayBuffer>;
}

export type ProfileColumns = Readonly<Record<ProfileDimension, ArrayLike<number>>>;

/**
 * Sorts a day's clicks in linear time with a counting sort per key, from the last key to the first. Within a profile,
 * visitors are ordered by their first click. In this order, times increase in small steps, which compress well. The
 * order reveals nothing about visitor hashes.
 */
export function sortDay(index: DayIndex, profile: ProfileColumns, rowsPerBlock: number): SortedDay {
  const { inTime, visitorOf, visitors } = index;
  const blocks = splitByLink(index, rowsPerBlock);
  const { profileOf, profiles } = rankProfiles(inTime.length, profile);
  const byVisitor = countingSort(inTime, visitorOf, visitors + 1);
  const byProfile = countingSort(byVisitor, profileOf, profiles);
  const order = countingSort(byProfile, blocks.blockOf, blocks.blocks);
  return { ...index, order, profileOf, ...blocks };
}

/** Assigns numbers to the profiles in order of their dimension values. */
function rankProfiles(
  length: number,
  profile: ProfileColumns,
): { readonly profileOf: Uint32Array<ArrayBuffer>; readonly profiles: number } {
  const columns = profileDimensions.map((dimension) => profile[dimension]);
  const { numberOf, first } = numberTuples(columns, length);
  let sorted = first;
  for (const column of columns.toReversed())
    if (!isConstant(column, length)) sorted = countingSort(sorted, column, 1 + largest(column, length));
  const rank = new Uint32Array(first.length);
  for (let place = 0; place < sorted.length; place += 1)
    rank[numberOf[sorted[place] as number] as number] = place;
  return { profileOf: numberOf.map((number) => rank[number] as number), profiles: first.length };
}

/** Returns the numbers 0, 1, 2 … */
export function identity(length: number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) places[at] = at;
  return places;
}

/** Sorts the items in `order` by key, with a stable sort. */
export function countingSort(
  order: Uint32Array<ArrayBuffer>,
  keys: ArrayLike<number>,
  range: number,
): Uint32Array<ArrayBuffer> {
  if (range <= 1) return order;
  // With few clicks and a large range of keys, a counting sort would process more keys than clicks.
  if (order.length * 16 < range) return order.toSorted((a, b) => (keys[a] as number) - (keys[b] as number));
  const starts = new Uint32Array(range + 1);
  for (let at = 0; at < order.length; at += 1) {
    const next = (keys[order[at] as number] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let key = 1; key < range; key += 1)
    starts[key] = (starts[key] as number) + (starts[key - 1] as number);
  const sorted = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at += 1) {
    const item = order[at] as number;
    const key = keys[item] as number;
    const place = starts[key] as number;
    starts[key] = place + 1;
    sorted[place] = item;
  }
  return sorted;
}

function numberVisitors(
  clicks: DayClicks,
  inTime: Uint32Array<ArrayBuffer>,
): Pick<DayIndex, 'visitorOf' | 'rankOf' | 'visitors'> {
  const table = createNumberTable(clicks.length);
  const visitorOf = new Uint32Array(clicks.length);
  const rankOf = new Uint32Array(clicks.length);
  const seen = new Uint32Array(clicks.length);
  for (let at = 0; at < inTime.length; at += 1) {
    const click = inTime[at] as number;
    const hash = clicks.visitor[click] as number;
    if (hash === noVisitor) continue;
    const visitor = table.numberOf(hash);
    const rank = seen[visitor] as number;
    seen[visitor] = rank + 1;
    visitorOf[click] = visitor;
    rankOf[click] = rank;
  }
  const visitors = table.size();
  for (let click = 0; click < clicks.length; click += 1) {
    if (clicks.visitor[click] === noVisitor) visitorOf[click] = visitors;
  }
  return { visitorOf, rankOf, visitors };
}

/**
 * Splits a day into blocks of about `rowsPerBlock` clicks, each with a range of links, so that a query for one link
 * reads only one block.
 */
function splitByLink(
  { linkOf, links, linksByRow }: DayIndex,
  rowsPerBlock: number,
): Pick<SortedDay, 'blockOf' | 'blocks' | 'blockOfLink' | 'clicksOfLink'> {
  const { length } = linkOf;
  const clicksOfLink = countsOf(linkOf, links.length);
  const blockOfLink = new Uint32Array(links.length);
  const target = length / Math.max(1, Math.round(length / rowsPerBlock));
  let block = 0;
  let rows = 0;
  for (const number of linksByRow) {
    const count = clicksOfLink[number] as number;
    // A link with enough clicks for a block gets its own block.
    if (rows > 0 && rows + count / 2 > target) {
      block += 1;
      rows = 0;
    }
    blockOfLink[number] = block;
    rows += count;
  }
  const blockOf = block === 0 ? new Uint32Array(length) : linkOf.map((link) => blockOfLink[link] as number);
  return { blockOf, blocks: block + 1, blockOfLink, clicksOfLink };
}

/** Returns the indexes of `keys` in a stable sort by key. @param keys below 2^32 */
export function orderByKey(keys: Uint32Array): Uint32Array<ArrayBuffer> {
  const maxIndex = 2 ** 21;
  if (keys.length > maxIndex)
    return identity(keys.length).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  // Combines key and index in one number, because a sort without a comparator takes a tenth of the time.
  const both = new Float64Array(keys.length);
  for (let at = 0; at < both.length; at += 1) both[at] = (keys[at] as number) * maxIndex + at;
  both.sort();
  const places = new Uint32Array(both.length);
  for (let at = 0; at < both.length; at += 1) places[at] = (both[at] as number) % maxIndex;
  return places;
}

/** Returns the indexes with non-zero counts in a stable sort by descending count. */
export function orderByCount(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const places = orderByKey(counts.map((count) => 0xffffffff - count));
  let used = places.length;
  while (used > 0 && counts[places[used - 1] as number] === 0) used -= 1;
  return places.subarray(0, used);
}
