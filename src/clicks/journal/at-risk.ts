/** Clicks that would be lost with the process or a power cut: only memory holds them, or a file that a sync failed for. */
export interface AtRisk {
  /** @param to once storage has applied up to this offset of the journal, they are safe */
  add(to: number, clicks: number): void;
  /** Storage has applied up to the offset. */
  release(offset: number): void;
  clicks(): number;
}

/** @param maxEntries while neither disk nor storage takes anything, every try adds one */
export function createAtRisk(maxEntries = 1_000): AtRisk {
  let entries: { readonly to: number; readonly clicks: number }[] = [];
  return {
    add(to, clicks) {
      // Beyond, two become one, which is called safe a little later than it might be.
      const last = entries.length >= maxEntries ? entries.pop() : undefined;
      entries.push({ to, clicks: clicks + (last?.clicks ?? 0) });
    },
    release(offset) {
      entries = entries.filter(({ to }) => to > offset);
    },
    clicks: () => entries.reduce((sum, { clicks }) => sum + clicks, 0),
  };
}
