/** Consecutive numbers of the change log that were missing when a later number was read. */
interface Gap {
  readonly low: number;
  readonly high: number;
  /** Only transactions with an id below this bound may still fill the gap; undefined until the bound is known. */
  readonly before: number | undefined;
}

/**
 * Numbers that may still appear below the end of the log. A transaction reserves a number when it records a change, and
 * readers see the number when the transaction commits. So 11 may appear before 10, or 10 may never appear, because its
 * transaction was rolled back.
 */
export interface Gaps {
  add(low: number, high: number): void;
  fill(seq: number): void;
  /** Returns true if the bound of any gap is not set yet (see {@link Gaps.setBound}). */
  hasUnbounded(): boolean;
  /** Sets the bound of all gaps that lack one. All transactions that may fill those gaps have a lower id. */
  setBound(transaction: number): void;
  /**
   * Drops numbers that can no longer appear.
   * @param oldestRunning the lowest id of a transaction that was running when the log was read
   * @returns the lowest dropped number
   */
  dropExpired(oldestRunning: number): number | undefined;
  clear(): void;
  /** Returns the first and last numbers of all gaps, as two columns. */
  columns(): { readonly lows: readonly number[]; readonly highs: readonly number[] };
}

/**
 * Maximum number of gaps. Above this number, the two oldest gaps are merged; every poll then reads the numbers between
 * them again.
 */
const maxGaps = 1_000;

export function createGaps(): Gaps {
  let gaps: Gap[] = [];
  return {
    add(low, high) {
      gaps.push({ low, high, before: undefined });
      if (gaps.length <= maxGaps) return;
      const [first, second] = gaps as [Gap, Gap];
      const merged = {
        low: Math.min(first.low, second.low),
        high: Math.max(first.high, second.high),
        before: second.before,
      };
      gaps.splice(0, 2, merged);
    },
    fill(seq) {
      const at = gaps.findIndex(({ low, high }) => low <= seq && seq <= high);
      const gap = gaps[at];
      if (gap === undefined) return;
      const parts = [
        { ...gap, high: seq - 1 },
        { ...gap, low: seq + 1 },
      ].filter(({ low, high }) => low <= high);
      if (gaps.length - 1 + parts.length <= maxGaps) gaps.splice(at, 1, ...parts);
    },
    hasUnbounded: () => gaps.some(({ before }) => before === undefined),
    setBound(transaction) {
      gaps = gaps.map((gap) => (gap.before === undefined ? { ...gap, before: transaction } : gap));
    },
    dropExpired(oldestRunning) {
      const isExpired = ({ before }: Gap): boolean => before !== undefined && oldestRunning >= before;
      const expired = gaps.filter(isExpired);
      if (expired.length === 0) return undefined;
      gaps = gaps.filter((gap) => !isExpired(gap));
      return Math.min(...expired.map(({ low }) => low));
    },
    clear() {
      gaps = [];
    },
    columns: () => ({ lows: gaps.map(({ low }) => low), highs: gaps.map(({ high }) => high) }),
  };
}
