import { type CodedDimension, classCount, codedDimensions } from './columns/dimensions.ts';
import { type DayBuckets, outside } from './day-buckets.ts';
import { createLinkGroups } from './groups.ts';
import type { LinkSums } from './link-sums.ts';
import type { Names, Query } from './query.ts';
import {
  humanCode,
  type RolledUpClicks,
  type RolledUpDimension,
  type Rollup,
  rolledUpDimensions,
} from './rollup-file.ts';
import type { Tally } from './tally.ts';

/**
 * Adds a day's sums from its roll-up.
 * @returns false, without adding anything, if the roll-up is not sufficient
 */
export type AddRollup = (rollup: Rollup, linkSums: LinkSums | undefined, buckets: DayBuckets) => boolean;

/** Creates the function that adds roll-ups. @returns undefined if roll-ups are not sufficient for the query */
export function createRollupScan(query: Query, names: Names, tally: Tally): AddRollup | undefined {
  const of = clicksOf(query, names);
  if (of === undefined) return undefined;
  const addValues = createAddValues(query.groupBy, names, tally);
  if (addValues === undefined) return undefined;

  return (rollup, linkSums, { bucketOf, isBySecond, only }) => {
    if (only === outside) return true;
    // The day's clicks are needed if the range includes only part of the day, or a bucket starts within a quarter of an
    // hour.
    if (isBySecond || bucketOf.includes(outside)) return false;
    if (!addValues(rollup, linkSums, of)) return false;
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
    return true;
  };
}

/**
 * Adds a day's sums for each value of the breakdown.
 * @returns false, without adding anything, if the roll-up has no sums for some values
 */
type AddValues = (rollup: Rollup, linkSums: LinkSums | undefined, of: RolledUpClicks) => boolean;

function createAddValues(groupBy: Query['groupBy'], names: Names, tally: Tally): AddValues | undefined {
  const add = (group: number, clicks: number, visitors: number): void => {
    tally.groupClicks[group] = (tally.groupClicks[group] as number) + clicks;
    tally.groupVisitors[group] = (tally.groupVisitors[group] as number) + visitors;
  };
  if (groupBy === undefined) return () => true;
  if (groupBy === 'link' || groupBy === 'folder') {
    const groupOf = createLinkGroups(groupBy, names, tally);
    return (_, linkSums, of) => {
      if (linkSums === undefined) return false;
      const { rows } = linkSums;
      const { clicks, visitors } = linkSums.of(of);
      for (let at = 0; at < rows.length; at += 1) {
        const group = groupOf(rows[at] as number);
        const { groupClicks, groupVisitors } = tally;
        groupClicks[group] = (groupClicks[group] as number) + (clicks[at] as number);
        groupVisitors[group] = (groupVisitors[group] as number) + (visitors[at] as number);
      }
      return true;
    };
  }
  const dimension = groupBy === 'referrerKind' ? 'referrer' : groupBy;
  if (!isRolledUp(dimension)) return undefined;
  const nameOf = (text: string): string => {
    if (groupBy === 'referrerKind') return names.referrerKind(text);
    return isCoded(groupBy) ? names.codeName(groupBy, Number(text)) : text;
  };
  return (rollup, _, of) => {
    const { texts, clicks, visitors, other } = rollup.values(of, dimension);
    if (other.clicks > 0) return false;
    for (let at = 0; at < texts.length; at += 1)
      add(tally.groupOf(nameOf(texts[at] as string)), clicks[at] as number, visitors[at] as number);
    return true;
  };
}

/** Returns the kind of clicks that the query filters for, or undefined if roll-ups have no sums for this kind. */
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

function isCoded(dimension: string): dimension is CodedDimension {
  return (codedDimensions as readonly string[]).includes(dimension);
}
