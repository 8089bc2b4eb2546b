import { createHash } from 'node:crypto';

/** Everything of a list but its page: a cursor leads on only in the list that it came from. */
export type ListIdentity = readonly unknown[];

function fingerprintOf(list: ListIdentity): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);
}

/** What a client gets to continue behind a place. @param place numbers and texts */
export function writeCursor(list: ListIdentity, place: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify([fingerprintOf(list), ...place])).toString('base64url');
}

/**
 * The place that a cursor names.
 * @param placeOf makes it of what the cursor holds; undefined when that is no place
 * @returns `foreign` when it is of another list, undefined when the text is no cursor
 */
export function readCursor<Place>(
  list: ListIdentity,
  cursor: string,
  placeOf: (parts: readonly unknown[]) => Place | undefined,
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
  const place = placeOf(parts);
  if (place === undefined) return undefined;
  return fingerprint === fingerprintOf(list) ? place : 'foreign';
}

/** Whether it is a whole number that is not below 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
