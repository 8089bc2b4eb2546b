import { locale } from '../../texts/locale.ts';
import { addDays, type Day, lastOfMonth } from './days.ts';
import type { Days, Interval } from './ranges.ts';

const made = new Map<string, Intl.DateTimeFormat>();

/** Formats the start of a bucket. The string is already in the selected time zone, so no conversion is needed. */
function format(text: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  made.set(key, known);
  const clock = text.length === 10 ? `${text}T00:00` : text.slice(0, 16);
  return known.format(Date.parse(`${clock}Z`));
}

export function dayOf(start: string): Day {
  return start.slice(0, 10);
}

/** Formats a label below the axis, such as 14:00, 24 Oct or Nov 2026. */
export function shortMoment(start: string, interval: Interval, isWholeDay: boolean): string {
  switch (interval) {
    case 'hour':
      return isWholeDay
        ? format(start, { hour: '2-digit', minute: '2-digit' })
        : format(start, { weekday: 'short', hour: '2-digit' });
    case 'month':
      return format(start, { month: 'short', ...(start.slice(5, 7) === '01' && { year: 'numeric' }) });
    case 'day':
    case 'week':
      return format(start, { day: 'numeric', month: 'short' });
  }
}

/** Formats a label for the tooltip, such as "Tuesday, 10 November", "9–15 November" or "November 2026". */
export function longMoment(start: string, interval: Interval): string {
  switch (interval) {
    case 'hour':
      return format(start, {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
      });
    case 'day':
      return format(start, { weekday: 'long', day: 'numeric', month: 'long' });
    case 'week':
      return daysText({ first: dayOf(start), last: addDays(dayOf(start), 6) });
    case 'month':
      return format(start, { month: 'long', year: 'numeric' });
  }
}

/** Formats a range, such as 24 Oct – 22 Nov 2026. */
export function daysText({ first, last }: Days): string {
  const range = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return range.formatRange(Date.parse(first), Date.parse(last));
}

export function monthText(day: Day): string {
  return format(day, { month: 'long', year: 'numeric' });
}

/**
 * Returns the days of a range of buckets, to zoom in. Returns undefined if the range is not smaller than the current
 * range.
 */
export function daysOfBuckets(first: string, last: string, interval: Interval, seen: Days): Days | undefined {
  const begin = dayOf(first);
  const end = dayOf(last);
  const until = interval === 'month' ? lastOfMonth(end) : interval === 'week' ? addDays(end, 6) : end;
  const days = {
    first: begin < seen.first ? seen.first : begin,
    last: until > seen.last ? seen.last : until,
  };
  return days.first === seen.first && days.last === seen.last ? undefined : days;
}
