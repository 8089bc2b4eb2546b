/**
 * How long a server asks to wait, by its header `Retry-After`: seconds, or a date.
 * @param now ms since the epoch @returns ms; undefined when the header is absent or says nothing
 */
export function retryAfterIn(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? 1_000 * Number(text) : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
