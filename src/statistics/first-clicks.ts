import type { Tally } from './tally.ts';

/** The first click of each of some visitors, as far as a question has looked. */
export interface FirstClicks {
  /** @param order growing with time; the least wins */
  offer(visitor: number, order: number, bucket: number, group: number): void;
  /** Counts each visitor where its first click is. */
  addTo(tally: Tally): void;
}

/** @param group of clicks without a breakdown */
export const noGroup = -1;

export function createFirstClicks(visitors: number): FirstClicks {
  const orders = new Float64Array(visitors).fill(Number.POSITIVE_INFINITY);
  const buckets = new Int32Array(visitors);
  const groups = new Int32Array(visitors);
  return {
    offer(visitor, order, bucket, group) {
      if (order >= (orders[visitor] as number)) return;
      orders[visitor] = order;
      buckets[visitor] = bucket;
      groups[visitor] = group;
    },
    addTo({ visitors: sums, groupVisitors }) {
      for (let visitor = 0; visitor < orders.length; visitor += 1) {
        if (orders[visitor] === Number.POSITIVE_INFINITY) continue;
        const bucket = buckets[visitor] as number;
        const group = groups[visitor] as number;
        sums[bucket] = (sums[bucket] as number) + 1;
        if (group !== noGroup) groupVisitors[group] = (groupVisitors[group] as number) + 1;
      }
    },
  };
}
