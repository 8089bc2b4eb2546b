import { type Numbers, packLists, unpackLists } from './planes.ts';
import type { SortedDay } from './sort.ts';

/**
 * The runs of spanning visitors, who have several runs in a segment (see `layout.ts`). Each of these runs is a span.
 */
export interface Spans {
  /** Number of spanning visitors. */
  readonly visitors: number;
  /** Run numbers in the segment, ascending. */
  readonly run: Uint32Array<ArrayBuffer>;
  /** Visitor of each span, 0 to `visitors` − 1. */
  readonly visitorOf: ArrayLike<number>;
  /** Rank of each span's first click among its visitor's clicks. */
  readonly firstRank: ArrayLike<number>;
  /** Returns the ranks of all clicks in spans. A span's ranks start at its `ranksFrom`. */
  ranks(): Uint32Array<ArrayBuffer>;
  readonly ranksFrom: Uint32Array<ArrayBuffer>;
}

/** Packs a segment's spans. @param runs first row of each run */
export function packSpans(
  runs: readonly number[],
  sorted: SortedDay,
): { readonly lists: readonly ArrayLike<number>[]; readonly laterRanks: Uint8Array } {
  const { order, visitorOf, rankOf } = sorted;
  // The last element counts the runs of clicks without a visitor hash.
  const runsOf = new Uint32Array(sorted.visitors + 1);
  for (const row of runs) {
    const visitor = visitorOf[order[row] as number] as number;
    runsOf[visitor] = (runsOf[visitor] as number) + 1;
  }
  const numberOf = new Map<number, number>();
  const steps: number[] = [];
  const visitors: number[] = [];
  const firstRanks: number[] = [];
  const lengths: number[] = [];
  const laterRanks: number[] = [];
  let last = 0;
  for (const [run, from] of runs.entries()) {
    const visitor = visitorOf[order[from] as number] as number;
    if (visitor === sorted.visitors || (runsOf[visitor] as number) < 2) continue;
    if (!numberOf.has(visitor)) numberOf.set(visitor, numberOf.size);
    const end = runs[run + 1] ?? order.length;
    steps.push(run - last);
    last = run;
    visitors.push(numberOf.get(visitor) ?? 0);
    firstRanks.push(rankOf[order[from] as number] as number);
    lengths.push(end - from);
    for (let row = from + 1; row < end; row += 1) {
      laterRanks.push(
        (rankOf[order[row] as number] as number) - (rankOf[order[row - 1] as number] as number),
      );
    }
  }
  return {
    lists: [[steps.length], steps, visitors, firstRanks, lengths],
    laterRanks: packLists([[laterRanks.length], laterRanks]),
  };
}

/**
 * Unpacks a segment's spans.
 * @param next reads the next list in the section
 * @param readLaterRanks reads the section `laterRanks`; called only if ranks are needed
 */
export function unpackSpans(
  next: (length: number) => Numbers,
  readLaterRanks: () => Uint8Array<ArrayBuffer>,
): Spans {
  const count = next(1)[0] as number;
  const steps = next(count);
  const visitorOf = next(count);
  const firstRank = next(count);
  const lengths = next(count);
  const run = new Uint32Array(count);
  const ranksFrom = new Uint32Array(count + 1);
  let last = 0;
  let visitors = 0;
  for (let at = 0; at < count; at += 1) {
    last += steps[at] as number;
    run[at] = last;
    ranksFrom[at + 1] = (ranksFrom[at] as number) + (lengths[at] as number);
    visitors = Math.max(visitors, 1 + (visitorOf[at] as number));
  }
  let known: Uint32Array<ArrayBuffer> | undefined;
  return {
    visitors,
    run,
    visitorOf,
    firstRank,
    ranksFrom,
    ranks() {
      known ??= unpackRanks();
      return known;
    },
  };

  function unpackRanks(): Uint32Array<ArrayBuffer> {
    const all = new Uint32Array(ranksFrom[count] as number);
    const lists = unpackLists(readLaterRanks());
    const later = lists(lists(1)[0] as number);
    let read = 0;
    for (let at = 0; at < count; at += 1) {
      let rank = firstRank[at] as number;
      const from = ranksFrom[at] as number;
      const end = ranksFrom[at + 1] as number;
      all[from] = rank;
      for (let place = from + 1; place < end; place += 1) {
        rank += later[read++] as number;
        all[place] = rank;
      }
    }
    return all;
  }
}
