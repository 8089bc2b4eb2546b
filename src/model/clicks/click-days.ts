const msPerDay = 86_400_000;
/**
 * How long a UTC day accepts late clicks from a disconnected node after the day ends, in ms. After this time, the day's
 * visitor hashes are deleted. They are then at most 36 hours old.
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
 * Returns the last sealed UTC day. Clicks that arrive after their day was sealed are counted without distinguishing
 * visitors.
 */
export function lastSealedDay(now: number): number {
  return dayOf(now - openMs) - 1;
}
