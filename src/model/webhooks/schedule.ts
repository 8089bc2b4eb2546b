const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

/** Delays between attempts, in ms. The first attempt is immediate. */
const waits = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];
/** Time without a success after which an endpoint is disabled, in ms. */
export const maxFailingMs = 5 * 24 * hour;
/** How long the previous secret also signs requests after a rotation, in ms. */
export const rotationMs = 24 * hour;
const longestWait = 24 * hour;

/**
 * Returns the time of the next attempt, ms since the epoch; undefined after the last attempt.
 * @param attempts number of attempts so far, including the current one
 * @param chance a random number from 0 to 1, for a jitter of ±10 %, so that a recovered endpoint does not receive all
 * retries at once
 * @param retryAfterMs the endpoint's `Retry-After` in ms
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

/** Maximum number of endpoints that a process sends to concurrently. */
export const maxConcurrentEndpoints = 32;
/** Milliseconds after which a slow request ends the endpoint's turn. */
export const slowRequestMs = 2 * second;

/**
 * Returns how long to pause an endpoint after a slow failure or a timeout, in ms: as long as the endpoint has been
 * failing, but at least 5 s and at most 1 min.
 * @param failingSince ms since the epoch
 */
export function pauseMs(failingSince: number, now: number): number {
  return Math.min(Math.max(now - failingSince, 5 * second), minute);
}

/** Parses a `Retry-After` header (seconds or a date) to ms from now. */
export function retryAfterIn(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
