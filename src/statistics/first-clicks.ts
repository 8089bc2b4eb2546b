import { noGroup } from './groups.ts';
import type { Tally } from './tally.ts';

/** The first click of each visitor among the clicks read so far. */
export interface FirstClicks {
  /**
   * Records a click if it is its visitor's first click so far.
   * @param order number that increases with time; the click with the lowest number is retained
   */
  offer(visitor: number, order: number, bucket: number, group: number): void;
  /** Adds each visitor to the bucket and group of their first click. */
  addTo(tally: Tally): void;
}

/** Creates an empty table. @param visitors number of visitors, if known; the table grows as needed */
export function createFirstClicks(visitors = 0): FirstClicks {
  let orders = new Float64Array(visitors).fill(Number.POSITIVE_INFINITY);
  let buckets = new Int32Array(visitors);
  let groups = new Int32Array(visitors);

  const grow = (wanted: number): void => {
    const room = Math.max(64, 2 * wanted);
    const [oldOrders, oldBuckets, oldGroups] = [orders, buckets, groups];
    orders = new Float64Array(room).fill(Number.POSITIVE_INFINITY);
    orders.set(oldOrders);
    buckets = new Int32Array(room);
    buckets.set(oldBuckets);
    groups = new Int32Array(room);
    groups.set(oldGroups);
  };

  return {
    offer(visitor, order, bucket, group) {
      if (visitor >= orders.length) grow(visitor + 1);
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
