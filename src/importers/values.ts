import { parseTimeIn } from '../model/zoned-times.ts';

/**
 * Thrown for a row or value that cannot be read. The message is a clause, to be appended to the name of the row or
 * column.
 */
export class BadRow extends Error {
  override readonly name = 'BadRow';
}

/** Order of day and month in a date such as `01/02/2024`. */
export type DateOrder = 'dmy' | 'mdy';

/** Matches placeholders for a missing count or date. */
const blank = /^(?:|#?n\/?a|nan|nil|null|none|never|undefined|unlimited|forever|[+-]?infinity|\\N|[-–—]+)$/i;
const zeroDate = /^(?:0{4}-00-00|0001-01-01)(?!\d)|^0+$/;

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}

/**
 * Parses a non-negative integer in common formats: `1234`, `1,234`, `1.234`, `1 234`, `12.0`, `1.2k`, `3M`.
 * @returns undefined for a placeholder such as `N/A`
 * @throws BadRow if the number is invalid
 */
export function readCount(given: string): number | undefined {
  const text = given.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (blank.test(text)) return undefined;
  const [, digits = '', unit = '', exponent = '0'] =
    /^\+?(\d[\d\s.,'’]*?)(?:\s*(k|mn?|mio\.?|bn?)|e\+?(\d{1,2}))?$/i.exec(text) ?? [];
  const scale = { '': 1, k: 1e3, m: 1e6, b: 1e9 }[unit.slice(0, 1).toLowerCase()] ?? 1;
  const number = decimalIn(digits, unit !== '') * scale * 10 ** Number(exponent);
  // Rounding errors are tolerated: 1.1 × 1000 is 1100.0000000000002.
  const whole = Math.round(number);
  if (digits === '' || !Number.isSafeInteger(whole) || Math.abs(number - whole) > 1e-6)
    throw new BadRow(`${quoted(text)} is not an integer`);
  return whole;
}

/** Parses digits with group and decimal separators. @returns NaN if the separators are contradictory */
function decimalIn(text: string, hasUnit: boolean): number {
  const separators = text.replaceAll(/\d/g, '');
  const parts = text.split(/[\s.,'’]/);
  const last = parts.at(-1) ?? '';
  const isGrouped = ([first = '', ...rest]: readonly string[]): boolean =>
    rest.length === 0 ||
    (/^[1-9]\d{0,2}$/.test(first) &&
      rest.at(-1)?.length === 3 &&
      rest.every((part) => /^\d{2,3}$/.test(part)));
  const isUniform = new Set(separators).size <= 1;
  if (isUniform && isGrouped(parts) && !(hasUnit && /^[.,]$/.test(separators))) return Number(parts.join(''));
  // In a number with a unit, the point in `1.234k` is a decimal point, but the comma in `1,234k` is ambiguous.
  const isUnclear = hasUnit && separators === ',' && last.length === 3;
  const hasFraction =
    /^(.?)\1*[.,]$/s.test(separators) &&
    separators.indexOf(separators.at(-1) ?? '') === separators.length - 1;
  if (isUnclear || !hasFraction || !isGrouped(parts.slice(0, -1))) return Number.NaN;
  return Number(`${parts.slice(0, -1).join('')}.${last}`);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const germanMonths: Readonly<Record<string, string>> = {
  mär: 'mar',
  mrz: 'mar',
  mai: 'may',
  okt: 'oct',
  dez: 'dec',
};
/** UTC offsets in hours for the time zones in RFC 2822 and in Central Europe. */
const zones: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ cet: 1, cest: 2, mez: 1, mesz: 2 },
};

export interface DateRules {
  /** Time zone for times without an offset. */
  readonly zone: string;
  readonly dates?: DateOrder | undefined;
}

/**
 * Parses a date or time in the formats of APIs, databases, spreadsheets and emails: ISO 8601, `31.01.2024`, `1/31/2024
 * 3:30 PM`, `Jan 31, 2024`, RFC 2822, Go's and JavaScript's formats, `20240131`, an Excel serial number, or an epoch in
 * s, ms, µs or ns.
 * @returns milliseconds since the epoch; undefined for a placeholder such as `never` or `0000-00-00`
 * @throws BadRow for any other value
 */
export function readTime(given: string, { zone, dates }: DateRules): number | undefined {
  const text = given.trim();
  if (blank.test(text) || zeroDate.test(text)) return undefined;
  const number = /^\d+(?:[.,]\d+)?$/.test(text) ? epochOrSerial(text) : undefined;
  const at = typeof number === 'number' ? number : parseTimeIn(number ?? isoOf(text, dates) ?? '', zone);
  if (at === undefined) throw new BadRow(`${quoted(text)} is not a date`);
  return at;
}

/** Parses an epoch or an Excel serial number. @returns milliseconds since the epoch, or a local time as ISO 8601 */
function epochOrSerial(text: string): number | string | undefined {
  if (/^(?:19|20|21)\d{6}(?:\d{6})?$/.test(text)) {
    const [, date, hour = '00', minute = '00', second = '00'] =
      /^(\d{8})(?:(\d\d)(\d\d)(\d\d))?$/.exec(text) ?? [];
    return `${date?.replace(/(....)(..)(..)/, '$1-$2-$3')}T${hour}:${minute}:${second}`;
  }
  const number = Number(text.replace(',', '.'));
  if (number >= 20_000 && number < 100_000)
    // An Excel serial number counts the days since 30 December 1899, in local time. Serial numbers of dates from 1954
    // to 2173 are accepted.
    return new Date(Math.round((number - 25_569) * 86_400) * 1_000).toISOString().slice(0, 19);
  if (number < 1e8 || number >= 1e20) return undefined;
  const perMs = number < 1e11 ? 1e-3 : number < 1e14 ? 1 : number < 1e17 ? 1e3 : 1e6;
  return Math.floor(number / perMs);
}

const timeShape =
  /^(?:(?:T|[\s,]+(?:at |um )?)(\d{1,2})(?::?(\d{2}))?(?::?(\d{2})(?:[.,](\d{1,9}))?)?(?: ?Uhr)?\s*(?:([ap])\.?m\.?)?)?\s*((?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?(?: [A-Z]{3,5})?|[A-Z]{1,4})?$/i;

/** Rewrites a date as ISO 8601. @throws BadRow if the day and month are ambiguous */
function isoOf(given: string, dates: DateOrder | undefined): string | undefined {
  const text = given
    .replace(/^[a-zäö]{2,10}(?:\.,?|,) *(?=\d|[a-z])|^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* +/i, '')
    .replace(/ \(.*\)$| m=[+-][\d.]+$/, '')
    // `date` and ctime() print the year at the end.
    .replace(/^([a-z]{3} +\d{1,2}) (\d\d:\d\d:\d\d(?: [A-Z]{3,4})?) (\d{4})$/i, '$1 $3 $2');
  const [date, rest] = dateIn(text, dates) ?? [];
  const time = rest === undefined ? null : timeShape.exec(rest);
  if (date === undefined || time === null) return undefined;
  const [, hour, minute, second = '00', fraction = '0', half, zone] = time;
  if (hour === undefined) return zone === undefined ? date : undefined;
  if (half === undefined ? minute === undefined : Number(hour) < 1 || Number(hour) > 12) return undefined;
  const shift = half === undefined ? 0 : (/p/i.test(half) ? 12 : 0) - (hour === '12' ? 12 : 0);
  const offset = offsetIn(zone);
  const clock = `${two(Number(hour) + shift)}:${minute ?? '00'}:${second}.${fraction}`;
  return offset === undefined ? undefined : `${date}T${clock}${offset}`;
}

/** Converts a time zone to a UTC offset. @returns an empty string if no zone is given; undefined for an unknown zone */
function offsetIn(zone = ''): string | undefined {
  if (zone === '') return '';
  const [, sign, hours = '', minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?/i.exec(zone) ?? [];
  if (sign !== undefined) return `${sign}${two(hours)}:${minutes}`;
  const offset = zones[zone.toLowerCase()];
  return offset === undefined ? undefined : `${offset < 0 ? '-' : '+'}${two(Math.abs(offset))}:00`;
}

function two(part: string | number): string {
  return String(part).padStart(2, '0');
}

/** Parses the date at the start of a string. @returns the date as ISO 8601, and the rest of the string */
function dateIn(text: string, dates: DateOrder | undefined): [string, string] | undefined {
  const after = ([found]: RegExpExecArray): string => text.slice(found.length);
  const joined = (year: string, month: string | number, day: string): string =>
    `${year.length > 2 ? year : Number(year) < 70 ? `20${year}` : `19${year}`}-${two(month)}-${two(day)}`;
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)|^(\d{4})()(\d\d)(\d\d)(?=T)/.exec(text);
  if (iso !== null) {
    const [year = '', , month = '', day = ''] = iso.slice(iso[1] === undefined ? 5 : 1);
    return [joined(year, month, day), after(iso)];
  }
  const named =
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?[\s.-]+(?<month>[a-zä]{3,9})[\s.,-]+(?<year>\d{4}|\d\d)(?!\d)/i.exec(
      text,
    ) ?? /^(?<month>[a-zä]{3,9})\.? +(?<day>\d{1,2})(?:st|nd|rd|th)?,? +(?<year>\d{4})(?!\d)/i.exec(text);
  if (named?.groups !== undefined) {
    const { year = '', month = '', day = '' } = named.groups;
    const short = month.toLowerCase().slice(0, 3);
    return [joined(year, months.indexOf(germanMonths[short] ?? short) + 1, day), after(named)];
  }
  const numbers = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?!\d)/.exec(text);
  if (numbers === null) return undefined;
  const [, first = '', separator, second = '', year = ''] = numbers;
  const isDayFirst = separator === '.' || Number(first) > 12 || first === second || dates === 'dmy';
  if (!isDayFirst && Number(second) <= 12 && dates === undefined)
    throw new BadRow(`${quoted(text)} could be day/month or month/day: use --dates dmy or --dates mdy`);
  const [day, month] = isDayFirst && Number(second) <= 12 ? [first, second] : [second, first];
  return [joined(year, month, day), after(numbers)];
}
