import { createNumberTable } from './number-table.ts';
import type { Segment } from './segment.ts';

/** Visitor numbers for the runs in several segments of one day. */
export interface Visitors {
  readonly count: number;
  /** For each segment, the visitor of each run, 0 to `count` − 1. */
  readonly visitorOf: readonly Uint32Array<ArrayBuffer>[];
}

/**
 * Assigns numbers to visitors. In segments with hashes, equal hashes are one visitor. In segments without hashes, the
 * file stores which runs belong to the same visitor.
 */
export function numberVisitors(segments: readonly Segment[]): Visitors {
  const table = createNumberTable();
  const byHash = segments.map(({ hashes }) => hashes?.().map((hash) => table.numberOf(hash)));
  let count = table.size();
  const visitorOf = segments.map((segment, at) => {
    const known = byHash[at];
    if (known !== undefined) return known;
    const { run, visitorOf, visitors } = segment.spans();
    const numbers = new Uint32Array(segment.runs);
    let alone = count + visitors;
    let span = 0;
    for (let of = 0; of < segment.runs; of += 1) {
      if (run[span] === of) numbers[of] = count + (visitorOf[span++] as number);
      else numbers[of] = alone++;
    }
    count = alone;
    return numbers;
  });
  return { count, visitorOf };
}
