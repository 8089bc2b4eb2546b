/** Consecutive numbers of the change log that were missing when a later one was there. */
interface Gap {
  readonly low: number;
  readonly high: number;
  /** Above the number of every transaction that may yet fill it; undefined until that is known. */
  readonly before: number | undefined;
}

/**
 * Numbers that may still appear below the end of the log. A transaction generates a number when it notes a change, and readers
 * see it when the transaction commits, so 11 may be there before 10. Or 10 never comes, because its transaction was rolled back.
 */
export interface Gaps {
  note(low: number, high: number): void;
  fill(seq: number): void;
  /** Whether any gap still needs {@link Gaps.bound}. */
  areUnbound(): boolean;
  /** Every transaction that may fill a gap noted so far has a number below this one. */
  bound(transaction: number): void;
  /**
   * Gives up numbers that cannot come any more.
   * @param oldestRunning the lowest number of a transaction that had not ended when the log was read
   * @returns the lowest number given up
   */
  settle(oldestRunning: number): number | undefined;
  clear(): void;
  /** First and last numbers, in two columns. */
  columns(): { readonly lows: readonly number[]; readonly highs: readonly number[] };
}

/** Beyond, the two oldest become one, and the known numbers between them are read again and again. */
const maxGaps = 1_000;

export function createGaps(): Gaps {
  let gaps: Gap[] = [];
  return {
    note(low, high) {
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
    areUnbound: () => gaps.some(({ before }) => before === undefined),
    bound(transaction) {
      gaps = gaps.map((gap) => (gap.before === undefined ? { ...gap, before: transaction } : gap));
    },
    settle(oldestRunning) {
      const isOver = ({ before }: Gap): boolean => before !== undefined && oldestRunning >= before;
      const over = gaps.filter(isOver);
      if (over.length === 0) return undefined;
      gaps = gaps.filter((gap) => !isOver(gap));
      return Math.min(...over.map(({ low }) => low));
    },
    clear() {
      gaps = [];
    },
    columns: () => ({ lows: gaps.map(({ low }) => low), highs: gaps.map(({ high }) => high) }),
  };
}
