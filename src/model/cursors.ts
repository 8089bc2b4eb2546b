import { createHash } from 'node:crypto';

/** All parameters of a list request except the page. A cursor is valid only for the list that returned it. */
export type ListIdentity = readonly unknown[];

function fingerprintOf(list: ListIdentity): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);
}

/** Returns the cursor for the page after a position. @param position numbers and strings that identify the position */
export function writeCursor(list: ListIdentity, position: readonly (number | string | null)[]): string {
  return Buffer.from(JSON.stringify([fingerprintOf(list), ...position])).toString('base64url');
}

/**
 * Parses a cursor.
 * @param parse parses the position; returns undefined if it is invalid
 * @returns `foreign` for a cursor from another list, undefined for a malformed cursor
 */
export function readCursor<Place>(
  list: ListIdentity,
  cursor: string,
  parse: (parts: readonly unknown[]) => Place | undefined,
): Place | 'foreign' | undefined {
  if (!/^[\w-]{1,4000}$/.test(cursor)) return undefined;
  let held: unknown;
  try {
    held = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(held)) return undefined;
  const [fingerprint, ...parts] = held as unknown[];
  const position = parse(parts);
  if (position === undefined) return undefined;
  return fingerprint === fingerprintOf(list) ? position : 'foreign';
}

/** Returns true for a non-negative integer. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
