import { type ClickSums, clickClasses } from '../domain/clicks.ts';

export interface Sum<Key> {
  readonly key: Key;
  readonly hour: number;
  readonly classIndex: number;
  readonly count: number;
}

/** Clicks summed by link, hour and class, with the total of each link at hand. */
export interface Sums<Key> {
  /** @param count negative to take clicks out again */
  add(key: Key, hour: number, classIndex: number, count?: number): void;
  /** Clicks of one link, all hours and classes. */
  total(key: Key): number;
  isEmpty(): boolean;
  keys(): readonly Key[];
  /** The sums of one link that are not zero. */
  of(key: Key, visit: (hour: number, classIndex: number, count: number) => void): void;
  /** Every sum that is not zero. */
  all(): Generator<Sum<Key>>;
}

interface HourOfLink {
  total: number;
  readonly hour: number;
  readonly counts: number[];
  earlier: HourOfLink | undefined;
}

/** A link nearly always has one hour in here, so an hour hangs on the one before it and a click is one look-up. */
export const createSums = <Key extends string | number>(): Sums<Key> => {
  const links = new Map<Key, HourOfLink>();

  const hourIn = (key: Key, hour: number): HourOfLink => {
    const latest = links.get(key);
    for (let one = latest; one !== undefined; one = one.earlier) if (one.hour === hour) return one;
    const fresh = { total: 0, hour, counts: clickClasses.map(() => 0), earlier: latest };
    links.set(key, fresh);
    return fresh;
  };

  return {
    add(key, hour, classIndex, count = 1) {
      const one = hourIn(key, hour);
      one.total += count;
      one.counts[classIndex] = (one.counts[classIndex] ?? 0) + count;
    },
    total(key) {
      let total = 0;
      for (let one = links.get(key); one !== undefined; one = one.earlier) total += one.total;
      return total;
    },
    isEmpty: () => links.size === 0,
    keys: () => [...links.keys()],
    of(key, visit) {
      for (let one = links.get(key); one !== undefined; one = one.earlier) {
        for (let index = 0; index < one.counts.length; index += 1) {
          const count = one.counts[index] ?? 0;
          if (count !== 0) visit(one.hour, index, count);
        }
      }
    },
    *all() {
      for (const [key, latest] of links) {
        for (let one: HourOfLink | undefined = latest; one !== undefined; one = one.earlier) {
          for (const [classIndex, count] of one.counts.entries()) {
            if (count !== 0) yield { key, hour: one.hour, classIndex, count };
          }
        }
      }
    },
  };
};

/** The form in which storage takes sums: flat, and ordered by row, so that two appliers never deadlock. */
export const flatten = (sums: Sums<number>): ClickSums => {
  const flat: number[] = [];
  for (const row of Float64Array.from(sums.keys()).sort()) {
    sums.of(row, (hour, classIndex, count) => flat.push(row, hour, classIndex, count));
  }
  return Float64Array.from(flat);
};
