// Arithmetic on date strings such as `2026-11-22`, independent of time zones and clock changes.

export type Day = string;

const dayMs = 86_400_000;
const shape = /^\d{4}-\d{2}-\d{2}$/;

/** Returns true if a string is a valid date. */
export function isDay(text: string): boolean {
  return shape.test(text) && toText(toMs(text)) === text;
}

function toMs(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function toText(ms: number): Day {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10);
}

export function addDays(day: Day, days: number): Day {
  return toText(toMs(day) + days * dayMs);
}

/** Returns the same day of another month, or the last day of that month if the month is too short. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(toMs(day));
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return toText(date.getTime());
}

/** Returns the number of days in an inclusive range. */
export function daysIn(first: Day, last: Day): number {
  return Math.round((toMs(last) - toMs(first)) / dayMs) + 1;
}

export function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`;
}

export function lastOfMonth(day: Day): Day {
  return addDays(addMonths(firstOfMonth(day), 1), -1);
}

/** Returns the local date and time in a time zone, such as `2026-11-22` and `14:31:07`. */
export function clockIn(zone: string, at: number): { readonly day: Day; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  };
}

/** Returns true if `Intl` supports a time zone. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}
