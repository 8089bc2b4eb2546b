const msPerDay = 86_400_000;
/**
 * How long after its end a UTC day stays open, ms, for late clicks of a disconnected node. Then its visitor hashes are deleted,
 * at most 36 hours old.
 */
const openMs = 43_200_000;

/** The UTC day since the epoch in which a moment falls. */
export function dayOf(at: number): number {
  return Math.floor(at / msPerDay);
}

/** When a UTC day begins, ms since the epoch. */
export function startOfDay(day: number): number {
  return day * msPerDay;
}

/** The last sealed UTC day: visitors of clicks that arrive later are no longer distinguished. */
export function lastSealedDay(now: number): number {
  return dayOf(now - openMs) - 1;
}
