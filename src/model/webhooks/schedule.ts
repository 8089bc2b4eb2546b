const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

/** Delays between attempts; the first attempt is immediate. */
const waits = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];
/** An endpoint without a success for this long is disabled, ms. */
export const patienceMs = 5 * 24 * hour;
/** How long the previous secret also signs after a rotation, ms. */
export const rotationMs = 24 * hour;
const longestWait = 24 * hour;

/**
 * Returns the time of the next attempt, ms since the epoch; undefined after the last one.
 * @param attempts made so far, including this one
 * @param chance 0 to 1: jitter of ±10 %, so that recovered receivers are not hit by all retries at once
 * @param retryAfterMs the receiver's `Retry-After`
 */
export function nextAttempt(
  attempts: number,
  now: number,
  chance: number,
  retryAfterMs?: number,
): number | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (0.9 + chance / 5);
  return Math.round(now + Math.max(spread, Math.min(retryAfterMs ?? 0, longestWait)));
}

/** Maximum endpoints that a process sends to concurrently. */
export const slots = 32;
/** A request that takes longer, ms, ends the endpoint's turn. */
export const slowMs = 2 * second;

/**
 * Returns the pause of an endpoint after a slow failure or a timeout, ms: as long as it has been failing, 5 s to 1 min.
 * @param failingSince ms since the epoch
 */
export function pauseOf(failingSince: number, now: number): number {
  return Math.min(Math.max(now - failingSince, 5 * second), minute);
}

/** Parses `Retry-After`, ms: seconds or a date. */
export function retryAfterIn(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
