import type { DayClicks } from './columns/day-clicks.ts';
import { classCount, combinedDimensions, quartersPerDay, secondsPerQuarter } from './columns/dimensions.ts';
import { createNumberTable } from './columns/number-table.ts';
import type { DayIndex } from './columns/sort.ts';
import { isConstant } from './columns/tuples.ts';
import { type LinkColumns, packLinkSums } from './link-sums.ts';
import {
  humanCode,
  packRollup,
  type RolledUpClicks,
  type RolledUpDimension,
  rolledUpClicks,
  rolledUpDimensions,
  type ValueSums,
} from './rollup-file.ts';

/** Maximum number of values stored per dimension, except links, which are all stored. Few days have more values. */
const maxRolledUpValues = 10_000;
/**
 * Days with fewer clicks get no roll-up, because reading their segments is as fast, and a roll-up would take up space.
 */
export const minRollupClicks = 1_000;

export interface RolledUpDay {
  /** Input of `openRollup`. */
  readonly sums: Uint8Array<ArrayBuffer>;
  /** Input of `openLinkSums`. */
  readonly linkSums: Uint8Array<ArrayBuffer>;
}

/** The clicks of a day with their index. */
export interface DayPart {
  readonly clicks: DayClicks;
  readonly index: DayIndex;
}

/** The selected clicks of a part, and the first selected click of each visitor. */
interface SelectedPart extends DayPart {
  /** For each click, 1 if it is selected. Undefined if all clicks are selected. */
  readonly is: Uint8Array | undefined;
  readonly first: Uint32Array;
}

/**
 * Computes a day's sums.
 * @param parts all clicks of the day, in parts that share no visitors
 * @param maxValues maximum number of values per dimension; the rest are combined into one sum
 */
export function rollUpDay(parts: readonly DayPart[], maxValues = maxRolledUpValues): RolledUpDay {
  const selected = rolledUpClicks.map((of) => parts.map((part) => selectClicks(part, of)));
  const sums = selected.map((of) => ({
    ...sumQuarters(of),
    values: rolledUpDimensions.map((dimension) =>
      dimension === 'link' ? noValues : mergeValues(of.map((part) => sumValues(part, dimension))),
    ),
  }));
  return { sums: packRollup(sums, maxValues), linkSums: packLinkSums(sumLinks(parts, selected)) };
}

function selectClicks({ clicks, index }: DayPart, of: RolledUpClicks): SelectedPart {
  const { inTime, visitorOf, visitors } = index;
  const is = of === 'human' ? new Uint8Array(clicks.length) : undefined;
  const ofClass = clicks.codes.class;
  for (let click = 0; is !== undefined && click < is.length; click += 1)
    is[click] = ofClass[click] === humanCode ? 1 : 0;
  const isSeen = new Uint8Array(visitors);
  const first = new Uint32Array(visitors);
  let count = 0;
  for (let at = 0; at < inTime.length; at += 1) {
    const click = inTime[at] as number;
    const visitor = visitorOf[click] as number;
    if (visitor === visitors || isSeen[visitor] === 1 || is?.[click] === 0) continue;
    isSeen[visitor] = 1;
    first[count] = click;
    count += 1;
  }
  return { clicks, index, is, first: first.subarray(0, count) };
}

function sumQuarters(parts: readonly SelectedPart[]): {
  readonly clicks: Float64Array;
  readonly visitors: Float64Array;
} {
  const clicks = new Float64Array(quartersPerDay * classCount);
  const visitors = new Float64Array(quartersPerDay);
  for (const { clicks: day, is, first } of parts) {
    const { class: ofClass } = day.codes;
    for (let click = 0; click < day.length; click += 1) {
      if (is?.[click] === 0) continue;
      const quarter = Math.floor((day.second[click] as number) / secondsPerQuarter);
      const cell = quarter * classCount + (ofClass[click] as number);
      clicks[cell] = (clicks[cell] as number) + 1;
    }
    for (const click of first) {
      const quarter = Math.floor((day.second[click] as number) / secondsPerQuarter);
      visitors[quarter] = (visitors[quarter] as number) + 1;
    }
  }
  return { clicks, visitors };
}

/** Counts the selected clicks, and the first clicks of visitors among them, for each number. */
function countByNumber({ is, first }: SelectedPart, numbers: ArrayLike<number>, range: number) {
  const clicks = new Uint32Array(range);
  const visitors = new Uint32Array(range);
  for (let click = 0; click < numbers.length; click += 1) {
    const number = numbers[click] as number;
    clicks[number] = (clicks[number] as number) + (is === undefined ? 1 : (is[click] as number));
  }
  for (let at = 0; at < first.length; at += 1) {
    const number = numbers[first[at] as number] as number;
    visitors[number] = (visitors[number] as number) + 1;
  }
  return { clicks, visitors };
}

const noValues: ValueSums = { texts: [], clicks: [], visitors: [] };

function sumValues(part: SelectedPart, dimension: Exclude<RolledUpDimension, 'link'>): ValueSums {
  const { clicks: day, is, first } = part;
  const { numbers, nameOf } = readColumn(day, dimension);
  if (is === undefined && isConstant(numbers, day.length))
    return { texts: [nameOf(numbers[0] as number)], clicks: [day.length], visitors: [first.length] };
  let most = 0;
  for (let click = 0; click < numbers.length; click += 1)
    if ((numbers[click] as number) > most) most = numbers[click] as number;
  const counts = countByNumber(part, numbers, most + 1);
  const texts: string[] = [];
  const clicks: number[] = [];
  const visitors: number[] = [];
  for (let number = 0; number <= most; number += 1) {
    if (counts.clicks[number] === 0) continue;
    texts.push(nameOf(number));
    clicks.push(counts.clicks[number] as number);
    visitors.push(counts.visitors[number] as number);
  }
  return { texts, clicks, visitors };
}

function readColumn(
  { words, codes, combined, ...day }: DayClicks,
  dimension: Exclude<RolledUpDimension, 'link'>,
): { readonly numbers: ArrayLike<number>; readonly nameOf: (number: number) => string } {
  const nameOf = (place: number): string => words[place] as string;
  if (dimension === 'region' || dimension === 'referrer') return { numbers: day[dimension], nameOf };
  return isCombined(dimension)
    ? { numbers: combined[dimension], nameOf }
    : { numbers: codes[dimension], nameOf: String };
}

function isCombined(dimension: string): dimension is (typeof combinedDimensions)[number] {
  return (combinedDimensions as readonly string[]).includes(dimension);
}

/** Merges the sums of several parts. Each part numbers its words differently. */
function mergeValues(parts: readonly ValueSums[]): ValueSums {
  if (parts.length === 1) return parts[0] as ValueSums;
  const places = new Map<string, number>();
  const clicks: number[] = [];
  const visitors: number[] = [];
  for (const part of parts) {
    for (const [at, text] of part.texts.entries()) {
      const place = places.getOrInsertComputed(text, () => places.size);
      clicks[place] = (clicks[place] ?? 0) + (part.clicks[at] as number);
      visitors[place] = (visitors[place] ?? 0) + (part.visitors[at] as number);
    }
  }
  return { texts: [...places.keys()], clicks, visitors };
}

function sumLinks(parts: readonly DayPart[], selected: readonly (readonly SelectedPart[])[]): LinkColumns {
  const table = createNumberTable();
  const placesIn = parts.map(({ index }) => index.links.map((row) => table.numberOf(row)));
  const columns = selected.map((of) => {
    const sums = { clicks: new Uint32Array(table.size()), visitors: new Uint32Array(table.size()) };
    for (const [at, part] of of.entries()) {
      const counts = countByNumber(part, part.index.linkOf, part.index.links.length);
      for (const [link, place] of (placesIn[at] as Uint32Array).entries()) {
        sums.clicks[place] = (sums.clicks[place] as number) + (counts.clicks[link] as number);
        sums.visitors[place] = (sums.visitors[place] as number) + (counts.visitors[link] as number);
      }
    }
    return sums;
  });
  const [all, human] = columns as [(typeof columns)[number], (typeof columns)[number]];
  return { rows: table.keys(), all, human };
}
