import { type CodedDimension, classCount, codedDimensions } from './columns/dimensions.ts';
import { type DayBuckets, outside } from './day-buckets.ts';
import type { Names, Query } from './query.ts';
import {
  humanCode,
  openRollup,
  type RolledUpClicks,
  type RolledUpDimension,
  type RolledUpValues,
  type Rollup,
  rolledUpDimensions,
} from './rollup-file.ts';
import type { Tally } from './tally.ts';

/** Adds a day from its roll-up. @returns false, with nothing added, when the roll-up cannot tell */
export type AddRollup = (
  file: Rollup | Uint8Array<ArrayBuffer>,
  buckets: DayBuckets,
  acceptsOther: boolean,
) => boolean;

/** @returns undefined when no roll-up can answer the question */
export function createRollupScan(query: Query, names: Names, tally: Tally): AddRollup | undefined {
  const of = clicksOf(query, names);
  const { groupBy } = query;
  const dimension = groupBy === 'referrerKind' ? 'referrer' : groupBy;
  if (of === undefined) return undefined;
  if (dimension !== undefined && !isRolledUp(dimension)) return undefined;

  return (file, { bucketOf, isBySecond, only }, acceptsOther) => {
    if (only === outside) return true;
    // What a day has only in part, or parts within a quarter, its clicks must tell.
    if (isBySecond || bucketOf.includes(outside)) return false;
    const rollup = file instanceof Uint8Array ? openRollup(file) : file;
    const values = dimension === undefined ? undefined : rollup.values(of, dimension);
    if (values !== undefined && values.other.clicks > 0 && !acceptsOther) return false;
    const inBucket = (unit: number): number => only ?? (bucketOf[unit] as number);
    const { clicks, visitors } = only === undefined ? rollup.quarters(of) : rollup.totals(of);
    for (let cell = 0; cell < clicks.length; cell += 1) {
      const bucket = inBucket(Math.floor(cell / classCount));
      const to = bucket * classCount + (cell % classCount);
      tally.clicks[to] = (tally.clicks[to] as number) + (clicks[cell] as number);
    }
    for (let quarter = 0; quarter < visitors.length; quarter += 1) {
      const bucket = inBucket(quarter);
      tally.visitors[bucket] = (tally.visitors[bucket] as number) + (visitors[quarter] as number);
    }
    if (values !== undefined && groupBy !== undefined) addValues(values);
    return true;
  };

  function addValues({ texts, clicks, visitors }: RolledUpValues): void {
    for (let at = 0; at < texts.length; at += 1) {
      const group = tally.groupOf(nameOf(texts[at] as string));
      tally.groupClicks[group] = (tally.groupClicks[group] as number) + (clicks[at] as number);
      tally.groupVisitors[group] = (tally.groupVisitors[group] as number) + (visitors[at] as number);
    }
  }

  function nameOf(text: string): string {
    if (groupBy === 'referrerKind') return names.referrerKind(text);
    return isCoded(groupBy) ? names.codeName(groupBy, Number(text)) : text;
  }
}

/** Which of the sums are the ones that a question asks for. */
function clicksOf({ filters }: Query, names: Names): RolledUpClicks | undefined {
  const [filter, ...further] = filters;
  if (filter === undefined) return 'all';
  if (further.length > 0 || filter.dimension !== 'class' || filter.operator !== 'is') return undefined;
  const isHuman = (value: string): boolean => value === names.codeName('class', humanCode);
  return filter.values.length > 0 && filter.values.every(isHuman) ? 'human' : undefined;
}

function isRolledUp(dimension: string): dimension is RolledUpDimension {
  return (rolledUpDimensions as readonly string[]).includes(dimension);
}

function isCoded(dimension: string | undefined): dimension is CodedDimension {
  return (codedDimensions as readonly (string | undefined)[]).includes(dimension);
}
