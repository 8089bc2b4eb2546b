import { addDays, addMonths, clockIn, type Day, daysIn, firstOfMonth, isDay, lastOfMonth } from './days.ts';

/** Ranges with a keyboard shortcut, in the order in which they are offered. */
export const presets = ['today', '7d', '30d', 'month', '12m', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Keyboard shortcut of each preset. */
export const presetKeys: Readonly<Record<Preset, string>> = {
  today: 'd',
  '7d': 'w',
  '30d': 't',
  month: 'm',
  '12m': 'l',
  all: 'a',
};

/** The range: a preset, which moves with time, or fixed dates. */
export type Period =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'days'; readonly first: Day; readonly last: Day };

export const defaultPeriod: Period = { kind: 'preset', preset: '30d' };

/** Parses `7d` or `2026-10-01..2026-10-31`. @returns undefined if it is neither */
export function readPeriod(text: string): Period | undefined {
  const preset = presets.find((one) => one === text);
  if (preset !== undefined) return { kind: 'preset', preset };
  const [first = '', last = first] = text.split('..');
  return isDay(first) && isDay(last) && first <= last ? { kind: 'days', first, last } : undefined;
}

export function periodText(period: Period): string {
  if (period.kind === 'preset') return period.preset;
  return period.first === period.last ? period.first : `${period.first}..${period.last}`;
}

/** The current time, in the chosen zone. */
export interface Now {
  readonly day: Day;
  readonly time: string;
}

export function nowIn(zone: string, at: number): Now {
  return clockIn(zone, at);
}

/** First and last day of a range. */
export interface Days {
  readonly first: Day;
  readonly last: Day;
}

/** @param earliest start of `all`, whose days are unknown without it */
export function daysOf(period: Period, now: Now, earliest?: Day): Days {
  if (period.kind === 'days') return { first: period.first, last: period.last };
  const last = now.day;
  switch (period.preset) {
    case 'today':
      return { first: last, last };
    case '7d':
      return { first: addDays(last, -6), last };
    case '30d':
      return { first: addDays(last, -29), last };
    case 'month':
      return { first: firstOfMonth(last), last };
    case '12m':
      return { first: addMonths(firstOfMonth(last), -11), last };
    case 'all':
      return { first: earliest ?? last, last };
  }
}

/** Number of whole months that the days cover, up to today for the last one; 0 if they are not whole months. */
export function wholeMonths({ first, last }: Days, now: Now): number {
  const ends = last === lastOfMonth(last) || last === now.day;
  if (first !== firstOfMonth(first) || !ends) return 0;
  const months = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(last) - months(first) + 1;
}

/**
 * Returns the previous or next range of equal length: in months if they are whole months, else in days. Never later
 * than today.
 */
export function shifted(period: Period, steps: number, now: Now): Period {
  const days = daysOf(period, now);
  const months = wholeMonths(days, now);
  const isMonths = months > 0 && (period.kind === 'days' || ['month', '12m'].includes(period.preset));
  const first = isMonths
    ? addMonths(days.first, steps * months)
    : addDays(days.first, steps * daysIn(days.first, days.last));
  const last = isMonths
    ? lastOfMonth(addMonths(firstOfMonth(days.last), steps * months))
    : addDays(days.last, steps * daysIn(days.first, days.last));
  if (first > now.day) return period;
  return backToPreset({ first, last: last > now.day ? now.day : last }, now);
}

/** Converts the days of a preset back to it, so that the range moves with time. */
function backToPreset({ first, last }: Days, now: Now): Period {
  const same = presets.find((preset) => {
    const days = daysOf({ kind: 'preset', preset }, now);
    return preset !== 'all' && days.first === first && days.last === last;
  });
  return same === undefined ? { kind: 'days', first, last } : { kind: 'preset', preset: same };
}

/** What the range is compared with. */
const comparisons = ['none', 'previous', 'year'] as const;
export type Comparison = (typeof comparisons)[number] | Days;

export function readComparison(text: string): Comparison | undefined {
  const word = comparisons.find((one) => one === text);
  if (word !== undefined) return word;
  const [first = '', last = ''] = text.split('..');
  return isDay(first) && isDay(last) && first <= last ? { first, last } : undefined;
}

export function comparisonText(comparison: Comparison): string {
  return typeof comparison === 'string' ? comparison : `${comparison.first}..${comparison.last}`;
}

/** Returns the days to compare with. */
export function daysBeside(days: Days, comparison: Comparison, now: Now): Days | undefined {
  if (comparison === 'none') return undefined;
  if (typeof comparison !== 'string') return comparison;
  const months = comparison === 'year' ? 12 : wholeMonths(days, now);
  if (months === 0) {
    const length = daysIn(days.first, days.last);
    return { first: addDays(days.first, -length), last: addDays(days.last, -length) };
  }
  const first = addMonths(days.first, -months);
  const last = addMonths(days.last, -months);
  // A whole month is compared with a whole month, whatever their lengths.
  const isWhole = comparison !== 'year' && days.last === lastOfMonth(days.last) && days.last !== now.day;
  return { first, last: isWhole ? lastOfMonth(last) : last };
}

/** A range in the form of an API query. */
export interface QueryRange {
  readonly from: string;
  /** Undefined for now. */
  readonly to: string | undefined;
  /** `from..to` of the comparison. */
  readonly compare: string | undefined;
}

/** Converts a range for the API. A day that has not ended is compared with the same part of an earlier one. */
export function queryRange(days: Days, comparison: Comparison, now: Now): QueryRange {
  const isOpen = days.last >= now.day;
  const beside = daysBeside(days, comparison, now);
  const end = (last: Day): string => (isOpen ? `${last}T${now.time}` : addDays(last, 1));
  return {
    from: days.first,
    to: isOpen ? undefined : addDays(days.last, 1),
    compare: beside === undefined ? undefined : `${beside.first}..${end(beside.last)}`,
  };
}

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

/** Intervals by length of the range, the default first. Each makes a readable chart. */
export function intervalsFor(days: Days): readonly Interval[] {
  const length = daysIn(days.first, days.last);
  if (length <= 3) return ['hour', ...(length > 1 ? (['day'] as const) : [])];
  if (length <= 14) return ['day', 'hour'];
  if (length <= 62) return ['day', 'week'];
  if (length <= 366) return length > 300 ? ['month', 'week', 'day'] : ['week', 'day', 'month'];
  return ['month', ...(length <= 3 * 366 ? (['week', 'day'] as const) : [])];
}
