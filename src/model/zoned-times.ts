import { parseTimestamp } from './timestamps.ts';

const zoneShape = /^[A-Za-z][\w+/-]{0,63}$/;

/** The usual spelling of an IANA time zone's name; undefined when there is no such zone. */
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
 * Reads a time as `parseTimestamp` does, but a bare date or a time without an offset is of a zone. A date begins when the
 * day begins there; a time that the clocks skip is that much later, one that comes twice is the first of the two.
 * @returns milliseconds since the epoch, or undefined when the text is no time
 */
export function parseTimeIn(text: string, zone: string): number | undefined {
  const at = parseTimestamp(text);
  if (at === undefined || !withoutOffset.test(text)) return at;
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');
  const isDate = !text.includes('T');
  return (
    isDate
      ? local.toPlainDate().toZonedDateTime(zone)
      : local.toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'compatible' })
  ).epochMilliseconds;
}

/** A time as clocks in a zone show it, with their offset: `2027-03-28T00:00:00+01:00`. @param at ms since the epoch */
export function formatTimeIn(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone: zone, smallestUnit: 'second' });
}
