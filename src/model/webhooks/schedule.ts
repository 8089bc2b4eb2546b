const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

/** How long after an attempt the next one follows; the first is made at once. */
const waits = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];
/** Without a success for so long an endpoint is switched off, ms. */
export const patienceMs = 5 * 24 * hour;
/** For so long a rotated secret signs too, ms. */
export const rotationMs = 24 * hour;
const longestWait = 24 * hour;

/**
 * When a delivery is tried again, ms since the epoch; undefined when it was the last time.
 * @param attempts made so far, this one included
 * @param chance from 0 to 1: ten percent more or less, so that receivers that were away are not met by all at once
 * @param retryAfterMs what a receiver that is busy asked for
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

/** Endpoints that a process sends to at the same time. */
export const slots = 32;
/** A request that takes this long, ms, ends the turn of its endpoint. */
export const slowMs = 2 * second;

/**
 * How long an endpoint rests after a request that failed slowly or got no answer, ms: as long as it has been failing, 5 s to 1 min.
 * @param failingSince ms since the epoch
 */
export function pauseOf(failingSince: number, now: number): number {
  return Math.min(Math.max(now - failingSince, 5 * second), minute);
}

/** `Retry-After` of an answer, ms: seconds, or a date. */
export function retryAfterIn(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
