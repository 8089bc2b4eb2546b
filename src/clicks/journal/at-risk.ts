/**
 * Clicks that would be lost if the process died or power failed: they are only in memory, or in a file that could not
 * be synced.
 */
export interface AtRisk {
  /** @param to they are safe when storage has applied the journal up to this offset */
  add(to: number, clicks: number): void;
  /** Call after storage has applied the journal up to the offset. */
  release(offset: number): void;
  clicks(): number;
}

/** @param maxEntries each attempt adds one while neither disk nor storage accepts writes */
export function createAtRisk(maxEntries = 1_000): AtRisk {
  let entries: { readonly to: number; readonly clicks: number }[] = [];
  return {
    add(to, clicks) {
      // Merges entries beyond the limit; a merged entry is released slightly later than possible.
      const last = entries.length >= maxEntries ? entries.pop() : undefined;
      entries.push({ to, clicks: clicks + (last?.clicks ?? 0) });
    },
    release(offset) {
      entries = entries.filter(({ to }) => to > offset);
    },
    clicks: () => entries.reduce((sum, { clicks }) => sum + clicks, 0),
  };
}
