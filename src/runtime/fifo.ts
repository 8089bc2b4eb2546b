/** A queue, from which the newest can be taken too. Each costs the same however long it is. */
export interface Fifo<T> {
  length(): number;
  first(): T | undefined;
  add(item: T): void;
  removeFirst(): T | undefined;
  removeLast(): T | undefined;
  /** @returns those that were in it */
  clear(): readonly T[];
}

// Below, there is nothing to gain by giving room back.
const fewPlaces = 64;

/**
 * For what waits while a request is served a `Map` would be wrong. One that is filled and emptied again makes itself anew
 * now and then, and the table that it leaves points to the next one: as soon as V8 has moved one of them among the old
 * objects, all that follow stay until it looks through the old ones, each with every request that was in it.
 */
export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    length: () => items.length - head,
    first: () => items[head],
    add: (item) => void items.push(item),
    removeLast: () => (items.length > head ? items.pop() : undefined),
    removeFirst() {
      const item = items[head];
      if (item === undefined) return undefined;
      items[head] = undefined;
      head += 1;
      if (head >= fewPlaces && head * 2 > items.length) {
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
