import { type DayClicks, noVisitor } from './day-clicks.ts';
import { type ProfileDimension, profileDimensions, secondsPerDay } from './dimensions.ts';
import { createNumberTable } from './number-table.ts';

/** How the clicks of a day are put into rows. */
export interface SortedDay {
  /** The clicks (their places in the day) by row: by block, profile, visitor, time. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** By click: its visitor, dense numbers in the order of their first clicks; `visitors` when it is not told apart. */
  readonly visitorOf: Uint32Array<ArrayBuffer>;
  readonly visitors: number;
  /** By click: which of its visitor's clicks it is, 0 for the first. */
  readonly rankOf: Uint32Array<ArrayBuffer>;
  /** By click: its block. */
  readonly blockOf: Uint32Array<ArrayBuffer>;
  readonly blocks: number;
}

/**
 * Sorts by counting, once for each key from the last to the first, so its time only grows with the number of clicks.
 * Visitors of a profile are in the order of their first clicks: times grow by little from row to row, which compresses
 * well, and nothing is left of the order of their hashes.
 */
export function sortDay(
  clicks: DayClicks,
  profile: Readonly<Record<ProfileDimension, ArrayLike<number>>>,
  rowsPerBlock: number,
): SortedDay {
  const inTime = countingSort(identity(clicks.length), clicks.second, secondsPerDay);
  const { visitorOf, rankOf, visitors } = numberVisitors(clicks, inTime);
  const { blockOf, blocks } = splitByLink(clicks.link, rowsPerBlock);
  let order = countingSort(inTime, visitorOf, visitors + 1);
  for (const dimension of profileDimensions.toReversed()) {
    const codes = profile[dimension];
    order = countingSort(order, codes, 1 + largest(codes));
  }
  return { order: countingSort(order, blockOf, blocks), visitorOf, visitors, rankOf, blockOf, blocks };
}

function identity(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(length).map((_, at) => at);
}

/** Stable: of equal keys the order is kept. */
export function countingSort(
  order: Uint32Array<ArrayBuffer>,
  keys: ArrayLike<number>,
  range: number,
): Uint32Array<ArrayBuffer> {
  if (range <= 1) return order;
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

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) most = Math.max(most, values[at] as number);
  return most;
}

function numberVisitors(
  clicks: DayClicks,
  inTime: Uint32Array<ArrayBuffer>,
): Pick<SortedDay, 'visitorOf' | 'rankOf' | 'visitors'> {
  const table = createNumberTable(clicks.length);
  const visitorOf = new Uint32Array(clicks.length);
  const rankOf = new Uint32Array(clicks.length);
  const seen = new Uint32Array(clicks.length);
  for (const click of inTime) {
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
  links: Uint32Array<ArrayBuffer>,
  rowsPerBlock: number,
): { readonly blockOf: Uint32Array<ArrayBuffer>; readonly blocks: number } {
  const table = createNumberTable();
  const numberOf = links.map((link) => table.numberOf(link));
  const counts = new Uint32Array(table.size());
  for (const number of numberOf) counts[number] = (counts[number] as number) + 1;
  const keys = table.keys();
  const blockOfNumber = new Uint32Array(table.size());
  const target = links.length / Math.max(1, Math.round(links.length / rowsPerBlock));
  let block = 0;
  let rows = 0;
  for (const number of identity(keys.length).sort((a, b) => (keys[a] as number) - (keys[b] as number))) {
    const count = counts[number] as number;
    // A link that fills a block by itself gets one by itself.
    if (rows > 0 && rows + count / 2 > target) {
      block += 1;
      rows = 0;
    }
    blockOfNumber[number] = block;
    rows += count;
  }
  return { blockOf: numberOf.map((number) => blockOfNumber[number] as number), blocks: block + 1 };
}
