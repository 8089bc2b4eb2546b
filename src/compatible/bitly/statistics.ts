import { problem, refused } from '../../model/failures.ts';
import type { Fields, Incoming } from '../request/adapter.ts';
import { allTime, type FullLink } from '../request/links.ts';

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 0 } as const;
type Unit = keyof typeof lengths;

/** Maximum number of buckets in a response. Linkfold's analytics has the same limit. */
const maxBuckets = 1_000;

interface Range {
  readonly unit: Unit;
  /** Number of units. -1 means all time. */
  readonly units: number;
  readonly reference: number;
}

function rangeIn({ query, context }: Incoming): Range {
  const { unit = 'day', units = '-1', unit_reference: given } = query;
  if (typeof unit !== 'string' || !Object.hasOwn(lengths, unit))
    throw refused([problem('unit', 'unknown_value', `unit must be ${Object.keys(lengths).join(', ')}.`)]);
  const number = Number(units);
  if (!Number.isInteger(number) || number < -1 || number === 0 || number > maxBuckets)
    throw refused([problem('units', 'out_of_range', `units must be -1 for all, or 1 to ${maxBuckets}.`)]);
  const reference = given === undefined || given === '' ? context.now() : Date.parse(String(given));
  if (Number.isNaN(reference))
    throw refused([problem('unit_reference', 'invalid_format', 'unit_reference must be an ISO 8601 time.')]);
  return { unit: unit as Unit, units: number, reference };
}

/**
 * Returns the start, in UTC, of the unit (such as a day) that is `before` units earlier than the one that contains
 * `at`. Weeks start on Monday.
 */
function startOf(unit: Unit, at: number, before: number): number {
  if (unit === 'month') {
    const day = new Date(at);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - before, 1);
  }
  const ms = lengths[unit];
  // The epoch was a Thursday, so the first Monday was four days later.
  const shift = unit === 'week' ? 4 * lengths.day : 0;
  return Math.floor((at - shift) / ms) * ms + shift - before * ms;
}

function described({ unit, units, reference }: Range) {
  return { unit, units, unit_reference: timeOf(reference) };
}

/** Formats a time as Bitly does. */
export function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+0000`;
}

function statistics({ ask }: Incoming, { id }: FullLink, query: Fields) {
  return ask('linkStatistics', { params: { id }, query }).then(({ body }) => body.data);
}

function between({ unit, units, reference }: Range): Fields {
  const from = new Date(startOf(unit, reference, units - 1)).toISOString();
  return { interval: unit, from, to: new Date(reference + 1).toISOString() };
}

/**
 * Returns clicks per unit of time, newest first. If the range is all time, the oldest bucket contains the first click,
 * which may be an imported click from before the link was created.
 */
export async function clicks(request: Incoming, link: FullLink) {
  const range = rangeIn(request);
  const { unit, units, reference } = range;
  const query: Record<string, unknown> = {
    ...between({ ...range, units: units === -1 ? maxBuckets : units }),
  };
  if (units === -1) {
    const months = (await statistics(request, link, allTime)).series;
    const first = Date.parse(months.find((month) => month.clicks > 0)?.start ?? '') || reference;
    const from = Math.max(Date.parse(String(query['from'])), startOf(unit, first, 0));
    query['from'] = new Date(from).toISOString();
  }
  const { series } = await statistics(request, link, query);
  const buckets = series.map(({ start, clicks: of }) => ({ date: timeOf(Date.parse(start)), clicks: of }));
  const begin = units === -1 ? buckets.findIndex((one) => one.clicks > 0) : 0;
  return { ...described(range), link_clicks: begin < 0 ? [] : buckets.slice(begin).toReversed() };
}

export async function summary(request: Incoming, link: FullLink) {
  const range = rangeIn(request);
  const { totals } = await statistics(request, link, summed(range));
  return { ...described(range), total_clicks: totals.clicks };
}

/**
 * Returns the query for totals. If the range is all time, the query uses large buckets, so that the number of buckets
 * stays below the maximum.
 */
function summed(range: Range): Fields {
  return range.units === -1 ? allTime : between(range);
}

/** Bitly's names for unknown values. */
const unknown = { country: '', referrer: 'direct' } as const;

/** Returns clicks per value of a dimension, highest count first. */
export async function metrics(
  request: Incoming,
  link: FullLink,
  dimension: keyof typeof unknown,
  facet: string,
) {
  const range = rangeIn(request);
  const size = request.query['size'] ?? '50';
  const query = { ...summed(range), groupBy: dimension, limit: size };
  const { breakdown } = await statistics(request, link, query);
  const values = (breakdown?.values ?? []).map(({ value, clicks: of }) => ({
    value: value === '' ? unknown[dimension] : value,
    clicks: of,
  }));
  return { ...described(range), facet, metrics: values };
}
