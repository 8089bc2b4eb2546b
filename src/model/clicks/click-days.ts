const msPerDay = 86_400_000;
/**
 * How long after its end a UTC day is open, ms: clicks of a node that was away come in meanwhile. Then its visitors' hashes
 * are dropped, at most 36 hours old.
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

/** The last UTC day that is over for good at a moment: clicks of it that come later are told from the others' visitors no more. */
export function lastSealedDay(now: number): number {
  return dayOf(now - openMs) - 1;
}
