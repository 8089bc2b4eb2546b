import { addDays, addMonths, clockIn, type Day, daysIn, firstOfMonth, isDay, lastOfMonth } from './days.ts';

/** Preset ranges in menu order. Each has a keyboard shortcut. */
export const presets = ['today', '7d', '30d', 'month', '12m', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Keyboard shortcuts by preset. */
export const presetKeys: Readonly<Record<Preset, string>> = {
  today: 'd',
  '7d': 'w',
  '30d': 't',
  month: 'm',
  '12m': 'l',
  all: 'a',
};

/** Statistics range: either a preset, which moves with time, or fixed dates. */
export type Period =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'days'; readonly first: Day; readonly last: Day };

export const defaultPeriod: Period = { kind: 'preset', preset: '30d' };

/** Parses a preset such as `7d` or a range such as `2026-10-01..2026-10-31`. @returns undefined if invalid */
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

/** The current time in the selected time zone. */
export interface Now {
  readonly day: Day;
  readonly time: string;
}

export function nowIn(zone: string, at: number): Now {
  return clockIn(zone, at);
}

/** First and last day of an inclusive range. */
export interface Days {
  readonly first: Day;
  readonly last: Day;
}

/** Returns the days of a range. @param earliest start of the preset `all` */
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

/**
 * Returns the number of whole months in a range. The last month may end today. Returns 0 if the range does not consist
 * of whole months.
 */
export function wholeMonths({ first, last }: Days, now: Now): number {
  const ends = last === lastOfMonth(last) || last === now.day;
  if (first !== firstOfMonth(first) || !ends) return 0;
  const months = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(last) - months(first) + 1;
}

/**
 * Returns the previous or next range of equal length, counted in months if the range consists of whole months, else in
 * days. The range never ends later than today.
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

/** Converts days that match a preset back to the preset, so that the range moves with time. */
function backToPreset({ first, last }: Days, now: Now): Period {
  const same = presets.find((preset) => {
    const days = daysOf({ kind: 'preset', preset }, now);
    return preset !== 'all' && days.first === first && days.last === last;
  });
  return same === undefined ? { kind: 'days', first, last } : { kind: 'preset', preset: same };
}

/** Predefined comparisons for a range. */
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

/** Returns the comparison period for a range, or undefined without a comparison. */
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
  // Compare whole months with whole months, even if their lengths differ.
  const isWhole = comparison !== 'year' && days.last === lastOfMonth(days.last) && days.last !== now.day;
  return { first, last: isWhole ? lastOfMonth(last) : last };
}

/** Range in API query format. */
export interface QueryRange {
  readonly from: string;
  /** Undefined means now. */
  readonly to: string | undefined;
  /** Comparison range in the format `from..to`. */
  readonly compare: string | undefined;
}

/** Converts a range to API format. An incomplete day is compared with the same part of an earlier day. */
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

/** Returns the intervals that make a readable chart for a range, the default first. */
export function intervalsFor(days: Days): readonly Interval[] {
  const length = daysIn(days.first, days.last);
  if (length <= 3) return ['hour', ...(length > 1 ? (['day'] as const) : [])];
  if (length <= 14) return ['day', 'hour'];
  if (length <= 62) return ['day', 'week'];
  if (length <= 366) return length > 300 ? ['month', 'week', 'day'] : ['week', 'day', 'month'];
  return ['month', ...(length <= 3 * 366 ? (['week', 'day'] as const) : [])];
}
