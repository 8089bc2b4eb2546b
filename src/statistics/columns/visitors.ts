import { createNumberTable } from './number-table.ts';
import type { Segment } from './segment.ts';

/** Visitor numbers of the runs of several segments of one day. */
export interface Visitors {
  readonly count: number;
  /** By segment, by run: the visitor, 0 to `count` − 1. */
  readonly visitorOf: readonly Uint32Array<ArrayBuffer>[];
}

/**
 * Numbers visitors. In segments with hashes, equal hashes are one visitor; in segments without hashes, the file stores
 * which runs belong together.
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
