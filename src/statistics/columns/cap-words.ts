import type { DayClicks } from './day-clicks.ts';
import { combinedDimensions } from './dimensions.ts';
import { createNumberTable } from './number-table.ts';

/** What stands for words beyond the limits. */
const otherWord = 'other';
/** Different words of a link's day, of each dimension. */
const maxWordsOfLink = 100;
/** Different words, or campaigns, of a segment: less than it can number. */
const maxWordsOfSegment = 50_000;

/**
 * Changes the columns of words: keeps those of most clicks and puts `other` in place of the rest, so that visitors cannot make tables grow by what
 * they write into addresses.
 */
export function capWords(clicks: DayClicks, maxOfLink = maxWordsOfLink): DayClicks {
  const known = clicks.words.indexOf(otherWord);
  const other = known < 0 ? clicks.words.length : known;
  const words = known < 0 ? [...clicks.words, otherWord] : clicks.words;
  const capped = (column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
    const ofLinks = capOfLinks(clicks.link, column, words, other, maxOfLink);
    return capOfAll(ofLinks, words, other);
  };
  const combined = { ...clicks.combined };
  for (const dimension of combinedDimensions) combined[dimension] = capped(combined[dimension]);
  capCampaigns(combined, other);
  return { ...clicks, words, region: capped(clicks.region), referrer: capped(clicks.referrer), combined };
}

/** Places in `words` by clicks. Unknown and `other` need no room. */
function rankedPlaces(
  counts: ReadonlyMap<number, number>,
  words: readonly string[],
  other: number,
): readonly number[] {
  return [...counts]
    .filter(([place]) => place !== other && words[place] !== '')
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || ((words[a] ?? '') < (words[b] ?? '') ? -1 : 1))
    .map(([place]) => place);
}

function capOfLinks(
  links: Uint32Array<ArrayBuffer>,
  column: Uint32Array<ArrayBuffer>,
  words: readonly string[],
  other: number,
  max: number,
): Uint32Array<ArrayBuffer> {
  // Where the whole day has no more, no link has.
  if (new Set(column).size <= max) return column;
  const table = createNumberTable();
  const numbers = links.map((link) => table.numberOf(link));
  const countsOf = Array.from({ length: table.size() }, () => new Map<number, number>());
  for (const [click, place] of column.entries()) {
    const counts = countsOf[numbers[click] as number] as Map<number, number>;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const dropped = countsOf.map((counts) =>
    counts.size <= max ? undefined : new Set(rankedPlaces(counts, words, other).slice(max)),
  );
  return column.map((place, click) => (dropped[numbers[click] as number]?.has(place) ? other : place));
}

function capOfAll(
  column: Uint32Array<ArrayBuffer>,
  words: readonly string[],
  other: number,
): Uint32Array<ArrayBuffer> {
  const counts = new Map<number, number>();
  for (const place of column) counts.set(place, (counts.get(place) ?? 0) + 1);
  if (counts.size <= maxWordsOfSegment) return column;
  const dropped = new Set(rankedPlaces(counts, words, other).slice(maxWordsOfSegment));
  return column.map((place) => (dropped.has(place) ? other : place));
}

/** The words of the rarest campaigns become `other`, each that is known. */
function capCampaigns(combined: Readonly<Record<string, Uint32Array<ArrayBuffer>>>, other: number): void {
  const columns = Object.values(combined);
  const possible = columns.reduce((product, column) => product * new Set(column).size, 1);
  if (possible <= maxWordsOfSegment) return;
  const keys = Array.from(columns[0] ?? [], (_, click) => columns.map((column) => column[click]).join());
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  if (counts.size <= maxWordsOfSegment) return;
  const ranked = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
  const dropped = new Set(ranked.slice(maxWordsOfSegment).map(([key]) => key));
  for (const [click, key] of keys.entries()) {
    if (!dropped.has(key)) continue;
    for (const column of columns) if (column[click] !== 0) column[click] = other;
  }
}
