/** Clicks that only memory, or only a file that is not trusted, holds until storage has applied them. */
export interface AtRisk {
  /** @param to the position in the journal up to which storage has to come */
  add(to: number, clicks: number): void;
  /** Storage has applied up to the position. */
  release(position: number): void;
  clicks(): number;
}

/** @param most entries to keep: while neither disk nor storage takes anything, every try adds one */
export function createAtRisk(most = 1_000): AtRisk {
  let entries: { readonly to: number; readonly clicks: number }[] = [];
  return {
    add(to, clicks) {
      // Beyond, one goes with the one before it, and is called safe a little later than it might be.
      const last = entries.length >= most ? entries.pop() : undefined;
      entries.push({ to, clicks: clicks + (last?.clicks ?? 0) });
    },
    release(position) {
      entries = entries.filter(({ to }) => to > position);
    },
    clicks: () => entries.reduce((sum, { clicks }) => sum + clicks, 0),
  };
}
