const msPerDay = 86_400_000;
/**
 * How long a UTC day stays open after its end for late clicks from a disconnected node, in ms. After this time, the
 * visitor hashes of the day, which are then at most 36 hours old, are deleted.
 */
const openMs = 43_200_000;

/** Returns the UTC day of a time, in days since the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / msPerDay);
}

/** Returns when a UTC day begins, ms since the epoch. */
export function startOfDay(day: number): number {
  return day * msPerDay;
}

/**
 * Returns the last sealed UTC day. For clicks that arrive after their day was sealed, visitors are not distinguished.
 */
export function lastSealedDay(now: number): number {
  return dayOf(now - openMs) - 1;
}
