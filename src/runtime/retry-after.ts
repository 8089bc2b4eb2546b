/**
 * Parses a `Retry-After` header, which contains seconds or a date.
 * @param now ms since the epoch
 * @returns milliseconds; undefined if the header is missing or invalid
 */
export function retryAfterIn(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? 1_000 * Number(text) : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
