import { locale } from './locale.ts';

const dayMs = 86_400_000;

/** Formats a number, such as 18,402. */
export function number(value: number): string {
  return numbers({}).format(value);
}

/** Formats a number with its sign, such as +1,204 or −38. */
export function signed(value: number): string {
  return numbers({ signDisplay: 'exceptZero' }).format(value).replace('-', '−');
}

/** Formats a number with a noun, such as 1 link or 18,402 links. */
export function count(n: number, one: string, other: string): string {
  return `${number(n)} ${n === 1 ? one : other}`;
}

/** Formats a relative change with its sign, such as +12% or −4%. */
export function change(share: number): string {
  return numbers({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 })
    .format(share)
    .replace('-', '−');
}

/** Formats a fraction as a percentage, such as 92%. */
export function percent(share: number): string {
  return numbers({ style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** Formats a time as a day of the week, such as Sunday. */
export function weekday(at: string | number): string {
  return dates({ weekday: 'long' }).format(new Date(at));
}

/** Formats a date for table columns, such as 14 Sep for recent dates or 3 Mar 2024 for older dates. */
export function shortDate(at: string | number, now = Date.now()): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  // Omit the year for dates in the last 180 days, even if the year has changed since then.
  const isNear = isThisYear || (date.getTime() < now && now - date.getTime() < 180 * dayMs);
  return dates({
    day: 'numeric',
    month: 'short',
    ...(isNear ? {} : { year: 'numeric' }),
  }).format(date);
}

/** Formats a date, such as 14 September 2026. */
export function longDate(at: string | number): string {
  return dates({ day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(at));
}

/** Formats a date with its weekday, such as Sunday, 22 November. */
export function weekdayDate(at: string | number): string {
  return dates({ weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(at));
}

/** Formats a date without the year, such as 7 November. */
export function dayAndMonth(at: string | number): string {
  return dates({ day: 'numeric', month: 'long' }).format(new Date(at));
}

/** Formats a time of day, such as 14:31. */
export function time(at: string | number): string {
  return dates({ hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

/** Formats a date and time, such as 28 November 2026, 23:59. */
export function dateAndTime(at: string | number): string {
  return `${longDate(at)}, ${time(at)}`;
}

/**
 * Formats a time relative to now, such as 2 minutes ago, yesterday or in 6 days. Uses hours for up to 24 hours, then
 * calendar days, and the date if the time is more than 30 days away.
 */
export function relative(at: string | number, now = Date.now()): string {
  const passed = new Date(at).getTime() - now;
  const distance = Math.abs(passed);
  if (distance > 30 * dayMs) return shortDate(at, now);
  const format = once('relative', {}, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  if (distance < 60_000 && passed <= 0) return locale.startsWith('de') ? 'gerade eben' : 'just now';
  if (distance < 60_000) return format.format(0, 'second');
  if (distance < 3_600_000) return format.format(Math.trunc(passed / 60_000), 'minute');
  if (distance < dayMs) return format.format(Math.trunc(passed / 3_600_000), 'hour');
  return format.format(calendarDays(now, at), 'day');
}

/** Returns the number of calendar days between two times in the user's time zone. Negative if `to` is earlier. */
function calendarDays(from: string | number, to: string | number): number {
  const [first, last] = [from, to].map((at) => {
    const date = new Date(at);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  });
  return ((last ?? 0) - (first ?? 0)) / dayMs;
}

/** Formats the time of a click: "now", seconds such as "4 s", the time of day, or the date if it was before today. */
export function ago(at: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(at)) / 1_000);
  if (seconds < 2) return relative(at, now);
  if (seconds < 60) return `${number(seconds)} s`;
  return new Date(at).toDateString() === new Date(now).toDateString() ? time(at) : shortDate(at, now);
}

/** Formats a list, such as a, b and c. */
export function list(words: readonly string[]): string {
  return once('list', {}, () => new Intl.ListFormat(locale)).format(words);
}

const made = new Map<string, unknown>();

/** Caches `Intl` formatters, because they are slow to create and every row uses several. */
function once<F>(kind: string, options: object, make: () => F): F {
  const name = `${kind} ${locale} ${JSON.stringify(options)}`;
  const found = (made.get(name) as F | undefined) ?? make();
  made.set(name, found);
  return found;
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return once('number', options, () => new Intl.NumberFormat(locale, options));
}

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once('date', options, () => new Intl.DateTimeFormat(locale, options));
}
