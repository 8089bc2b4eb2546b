import type { DayClicks } from './day-clicks.ts';
import { combinedDimensions } from './dimensions.ts';
import { countingSort, type DayIndex, identity } from './sort.ts';
import { countsOf, isConstant, numberTuples } from './tuples.ts';

/** Word that replaces words beyond the limits. */
const otherWord = 'other';
/** Maximum number of distinct words per link, day and dimension. */
const maxWordsOfLink = 100;
/**
 * Maximum number of distinct words, and of distinct campaigns, per segment. A segment can store at most 65,536 of each
 * (`maxDistinct` in `words.ts`).
 */
const maxWordsOfSegment = 50_000;

/**
 * Limits the distinct values in a day. Retains the values with the most clicks and replaces all other values with
 * `other`, so that visitors cannot make tables grow by making up values in URLs.
 */
export function capWords(clicks: DayClicks, index: DayIndex, maxOfLink = maxWordsOfLink): DayClicks {
  if (clicks.words.length <= maxOfLink) return clicks;
  const known = clicks.words.indexOf(otherWord);
  const other = known < 0 ? clicks.words.length : known;
  const words = known < 0 ? [...clicks.words, otherWord] : clicks.words;
  let links: ByLink | undefined;
  const capped = (column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
    // If the whole day is within the limit, each link is too.
    if (isConstant(column, column.length) || countDistinct(column, words.length) <= maxOfLink) return column;
    links ??= byLink(index);
    return capSegment(capLinks(links, column, words, other, maxOfLink), words, other);
  };
  const combined = { ...clicks.combined };
  for (const dimension of combinedDimensions) combined[dimension] = capped(combined[dimension]);
  capCampaigns(combined, other);
  return { ...clicks, words, region: capped(clicks.region), referrer: capped(clicks.referrer), combined };
}

function countDistinct(column: Uint32Array<ArrayBuffer>, range: number): number {
  let distinct = 0;
  for (const count of countsOf(column, range)) if (count > 0) distinct += 1;
  return distinct;
}

/** Clicks sorted by link, and the position of each link's first click. */
interface ByLink {
  readonly order: Uint32Array<ArrayBuffer>;
  readonly starts: readonly number[];
}

function byLink({ linkOf, links }: DayIndex): ByLink {
  const order = countingSort(identity(linkOf.length), linkOf, links.length);
  const starts: number[] = [];
  for (let at = 0; at < order.length; at += 1)
    if (at === 0 || linkOf[order[at] as number] !== linkOf[order[at - 1] as number]) starts.push(at);
  return { order, starts };
}

/** Returns all words except the `max` most frequent ones. The empty word and `other` are excluded. */
function selectRarest(
  counts: ReadonlyMap<number, number>,
  words: readonly string[],
  other: number,
  max: number,
): ReadonlySet<number> {
  const ranked = [...counts]
    .filter(([place]) => place !== other && words[place] !== '')
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || ((words[a] ?? '') < (words[b] ?? '') ? -1 : 1));
  return new Set(ranked.slice(max).map(([place]) => place));
}

function capLinks(
  { order, starts }: ByLink,
  column: Uint32Array<ArrayBuffer>,
  words: readonly string[],
  other: number,
  max: number,
): Uint32Array<ArrayBuffer> {
  const capped = column.slice();
  for (const [link, start] of starts.entries()) {
    const end = starts[link + 1] ?? order.length;
    if (end - start <= max) continue;
    const counts = new Map<number, number>();
    for (let at = start; at < end; at += 1) {
      const place = column[order[at] as number] as number;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    if (counts.size <= max) continue;
    const dropped = selectRarest(counts, words, other, max);
    for (let at = start; at < end; at += 1) {
      const click = order[at] as number;
      if (dropped.has(column[click] as number)) capped[click] = other;
    }
  }
  return capped;
}

function capSegment(
  column: Uint32Array<ArrayBuffer>,
  words: readonly string[],
  other: number,
): Uint32Array<ArrayBuffer> {
  if (countDistinct(column, words.length) <= maxWordsOfSegment) return column;
  const counts = new Map<number, number>();
  for (const [place, count] of countsOf(column, words.length).entries())
    if (count > 0) counts.set(place, count);
  const dropped = selectRarest(counts, words, other, maxWordsOfSegment);
  return column.map((place) => (dropped.has(place) ? other : place));
}

/** Replaces the words of the rarest campaigns with `other`. Unknown words stay unknown. */
function capCampaigns(combined: Readonly<Record<string, Uint32Array<ArrayBuffer>>>, other: number): void {
  const columns = Object.values(combined);
  const { numberOf, first } = numberTuples(columns, columns[0]?.length ?? 0);
  if (first.length <= maxWordsOfSegment) return;
  const counts = countsOf(numberOf, first.length);
  // Of campaigns with equal counts, the earliest are retained.
  const ranked = identity(first.length).sort(
    (a, b) => (counts[b] as number) - (counts[a] as number) || a - b,
  );
  const isDropped = new Uint8Array(first.length);
  for (const number of ranked.subarray(maxWordsOfSegment)) isDropped[number] = 1;
  for (let click = 0; click < numberOf.length; click += 1) {
    if (isDropped[numberOf[click] as number] === 0) continue;
    for (const column of columns) if (column[click] !== 0) column[click] = other;
  }
}
