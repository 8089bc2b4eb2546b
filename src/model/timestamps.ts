import { type Problem, problem } from './failures.ts';

export const msPerHour = 3_600_000;

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Parses an ISO 8601 calendar date, or date and time with optional seconds and fraction (truncated to milliseconds) and
 * an offset `Z`, `±hh`, `±hhmm` or `±hh:mm`. A time without an offset is in UTC. Rejects times that do not exist: 30
 * February, hour 24, leap seconds (CONTRACT §4, expiresAt).
 * @returns milliseconds since the epoch; undefined for other strings
 */
export function parseTimestamp(text: string): number | undefined {
  const match = iso.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return undefined;
  }
  date.setUTCHours(hour, minute, second, milliseconds);
  const offset = offsetMinutes(match[8] ?? 'Z');
  if (offset === undefined) return undefined;
  const at = date.getTime() - offset * 60_000;
  return at <= latest && at >= 0 - 62_167_219_200_000 ? at : undefined;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Formats a time in UTC with milliseconds and `Z`, like every timestamp in the API (CONTRACT §3). */
export function formatTimestamp(at: number): string {
  return new Date(at).toISOString();
}

/** Formats a time. Returns null for null. */
export function formatOptionalTime(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

/** Returns the validation error (422) for an `expiresAt` that is not a valid time in the future. */
export function expiryProblem(text: string, now: number): Problem | undefined {
  const at = parseTimestamp(text);
  if (at === undefined) {
    const form = 'expiresAt must be an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.';
    return problem('expiresAt', 'invalid_format', form);
  }
  if (at > now) return undefined;
  const message = `expiresAt ${formatTimestamp(at)} is in the past. Use a later time, or null for no expiry.`;
  return problem('expiresAt', 'in_the_past', message, 'EXPIRY_IN_PAST');
}
