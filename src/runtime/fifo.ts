/** A FIFO queue. Every operation takes constant time. */
export interface Fifo<T> {
  length(): number;
  first(): T | undefined;
  add(item: T): void;
  removeFirst(): T | undefined;
  /** Removes all items. @returns the items that were in the queue */
  clear(): readonly T[];
}

// Minimum length for compacting. Below this length, compacting costs more than it saves.
const compactFrom = 64;

/**
 * Creates a queue for pending requests. A `Map` would leak memory temporarily: V8 replaces its table from time to time,
 * and each old table points to the next table. Once one table is in the old generation, the young-generation collector
 * retains all later tables, with every request in them.
 */
export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    length: () => items.length - head,
    first: () => items[head],
    add: (item) => void items.push(item),
    removeFirst() {
      const item = items[head];
      if (item === undefined) return undefined;
      items[head] = undefined;
      head += 1;
      if (head >= compactFrom && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    clear() {
      const all = items.slice(head).filter((item) => item !== undefined);
      items = [];
      head = 0;
      return all;
    },
  };
}
