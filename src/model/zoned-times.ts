import { parseTimestamp } from './timestamps.ts';

const zoneShape = /^[A-Za-z][\w+/-]{0,63}$/;

/** Returns the canonical name of an IANA time zone, or undefined if the zone does not exist. */
export function zoneNamed(name: string): string | undefined {
  if (!zoneShape.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

const withoutOffset = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+)?$/;

/**
 * Parses a time like `parseTimestamp`, except that a date, or a time without an offset, is interpreted in the given
 * zone. A date means the start of that day in the zone. A time skipped by a clock change moves forward by the gap; an
 * ambiguous time means the earlier of the two times.
 * @returns milliseconds since the epoch; undefined for other strings
 */
export function parseTimeIn(text: string, zone: string): number | undefined {
  const at = parseTimestamp(text);
  if (at === undefined || zone === 'UTC' || !withoutOffset.test(text)) return at;
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');
  const isDate = !text.includes('T');
  return (
    isDate
      ? local.toPlainDate().toZonedDateTime(zone)
      : local.toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'compatible' })
  ).epochMilliseconds;
}

/** Formats a time with the zone's offset: `2027-03-28T00:00:00+01:00`. @param at ms since the epoch */
export function formatTimeIn(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone: zone, smallestUnit: 'second' });
}
