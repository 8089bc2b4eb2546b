import { type DayClicks, noVisitor } from './day-clicks.ts';
import { type ProfileDimension, profileDimensions, secondsPerDay } from './dimensions.ts';
import { createNumberTable } from './number-table.ts';
import { countsOf, isConstant, largest, numberTuples } from './tuples.ts';

/** What is looked up of a day's clicks again and again: their order, their visitors and their links. */
export interface DayIndex {
  /** The clicks as they came; of one second as they were counted. */
  readonly inTime: Uint32Array<ArrayBuffer>;
  /** By click: its visitor, dense numbers in the order of their first clicks; `visitors` when it is not distinguished. */
  readonly visitorOf: Uint32Array<ArrayBuffer>;
  readonly visitors: number;
  /** By click: which of its visitor's clicks it is, 0 for the first. */
  readonly rankOf: Uint32Array<ArrayBuffer>;
  /** By click: the number of its link; by link: its row. */
  readonly linkOf: Uint32Array<ArrayBuffer>;
  readonly links: Uint32Array<ArrayBuffer>;
  /** Links in the order of their rows. */
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

/** How the clicks of a day are put into rows. */
export interface SortedDay extends DayIndex {
  /** The clicks (their places in the day) by row: by block, profile, visitor, time. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** By click: a number of its profile. */
  readonly profileOf: Uint32Array<ArrayBuffer>;
  /** By click: its block. */
  readonly blockOf: Uint32Array<ArrayBuffer>;
  readonly blocks: number;
  /** By link. */
  readonly blockOfLink: Uint32Array<ArrayBuffer>;
  readonly clicksOfLink: Uint32Array<ArrayBuffer>;
}

export type ProfileColumns = Readonly<Record<ProfileDimension, ArrayLike<number>>>;

/**
 * Sorts by counting, once for each key from the last to the first, so its time only grows with the number of clicks.
 * Visitors of a profile are in the order of their first clicks: times grow by little from row to row, which compresses
 * well, and nothing is left of the order of their hashes.
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

/** Numbers profiles in the order of what their dimensions say, the first of these first. */
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

/** 0, 1, 2 … */
export function identity(length: number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) places[at] = at;
  return places;
}

/** Stable: of equal keys the order is kept. */
export function countingSort(
  order: Uint32Array<ArrayBuffer>,
  keys: ArrayLike<number>,
  range: number,
): Uint32Array<ArrayBuffer> {
  if (range <= 1) return order;
  // Of few clicks, counting would look at more keys than there are clicks.
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

/** Blocks of about `rowsPerBlock` clicks, each with a range of links, so that a question about one link reads one of them. */
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
    // A link that fills a block by itself gets one by itself.
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

/** Places from 0 on, by what stands there, growing; those of equal keys in their order. @param keys below 2^32 */
export function orderByKey(keys: Uint32Array): Uint32Array<ArrayBuffer> {
  const room = 2 ** 21;
  if (keys.length > room)
    return identity(keys.length).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  // Key and place in one number, as a sort without a function takes a tenth of the time.
  const both = new Float64Array(keys.length);
  for (let at = 0; at < both.length; at += 1) both[at] = (keys[at] as number) * room + at;
  both.sort();
  const places = new Uint32Array(both.length);
  for (let at = 0; at < both.length; at += 1) places[at] = (both[at] as number) % room;
  return places;
}

/** Places that occur, those of most clicks first; of as many in their order. */
export function orderByCount(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const places = orderByKey(counts.map((count) => 0xffffffff - count));
  let used = places.length;
  while (used > 0 && counts[places[used - 1] as number] === 0) used -= 1;
  return places.subarray(0, used);
}
