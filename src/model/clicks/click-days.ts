const msPerDay = 86_400_000;
/**
 * How long a UTC day stays open after its end, ms, for late clicks of a disconnected node. Afterwards, the visitor
 * hashes of the day, at most 36 hours old, are deleted.
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

/** Returns the last sealed UTC day. Visitors of clicks that arrive for a sealed day are not distinguished. */
export function lastSealedDay(now: number): number {
  return dayOf(now - openMs) - 1;
}
