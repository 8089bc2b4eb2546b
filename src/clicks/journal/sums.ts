import { type ClickSums, numbersPerSum } from '../../model/clicks/clicks.ts';

export interface Sum {
  readonly row: number;
  readonly hour: number;
  readonly classIndex: number;
  readonly count: number;
}

/** Clicks summed by link, hour and class, with the total of each link. */
export interface Sums {
  /** Adds clicks. @param count number of clicks; negative to remove clicks */
  add(row: number, hour: number, classIndex: number, count?: number): void;
  /** Returns the number of clicks on a link over all hours and classes. */
  total(row: number): number;
  isEmpty(): boolean;
  /** Returns the number of sums, including sums that are zero. */
  count(): number;
  /** Returns the rows of all links that have sums. */
  rows(): readonly number[];
  /** Calls `visit` for each non-zero sum of a link. */
  of(row: number, visit: (hour: number, classIndex: number, count: number) => void): void;
  /** Yields all non-zero sums. */
  all(): Generator<Sum>;
}

const initialCapacity = 256;
const golden = 0x9e3779b1;

/**
 * Allocates columns for sums, and a hash table with the column index of each link's newest sum. Indexes start at 1; 0
 * means none.
 */
function allocate(most: number) {
  return {
    most,
    rows: new Float64Array(most + 1),
    hours: new Float64Array(most + 1),
    counts: new Float64Array(most + 1),
    classes: new Uint8Array(most + 1),
    /** The index of the previous sum of the same link. */
    before: new Int32Array(most + 1),
    /** A hash table with twice as many slots as the maximum number of links. */
    newest: new Int32Array(2 * most),
  };
}

/**
 * Creates sums by link row. The sums are stored in typed arrays. Under load a batch has ten thousand sums, and if they
 * were objects, garbage collection would take longer than counting.
 */
export function createSums(): Sums {
  let table = allocate(initialCapacity);
  let used = 0;

  /** Returns the slot of a link's newest sum, or a free slot. */
  const slotOf = (row: number): number => {
    const { newest, rows } = table;
    const last = newest.length - 1;
    // Uses the high bits of the product, because each of them depends on all bits of the row.
    let slot = Math.imul(row | 0, golden) >>> Math.clz32(last);
    for (let place = newest[slot]; place !== 0 && rows[place as number] !== row; place = newest[slot]) {
      slot = (slot + 1) & last;
    }
    return slot;
  };
  const newestOf = (row: number): number => table.newest[slotOf(row)] as number;

  const grow = (): void => {
    const { rows, hours, counts, classes, before } = table;
    table = allocate(2 * table.most);
    table.rows.set(rows);
    table.hours.set(hours);
    table.counts.set(counts);
    table.classes.set(classes);
    table.before.set(before);
    // Later sums overwrite earlier ones, so that each slot ends up with the newest sum of its link.
    for (let place = 1; place <= used; place += 1) table.newest[slotOf(rows[place] as number)] = place;
  };

  const sumAt = (place: number): Sum => ({
    row: table.rows[place] as number,
    hour: table.hours[place] as number,
    classIndex: table.classes[place] as number,
    count: table.counts[place] as number,
  });

  return {
    add(row, hour, classIndex, count = 1) {
      const newest = newestOf(row);
      // This loop is short, because a link nearly always has only one hour and class in a batch.
      for (let place = newest; place !== 0; place = table.before[place] as number) {
        if (table.hours[place] === hour && table.classes[place] === classIndex) {
          table.counts[place] = (table.counts[place] as number) + count;
          return;
        }
      }
      if (used === table.most) grow();
      used += 1;
      table.rows[used] = row;
      table.hours[used] = hour;
      table.classes[used] = classIndex;
      table.counts[used] = count;
      table.before[used] = newest;
      table.newest[slotOf(row)] = used;
    },
    total(row) {
      let total = 0;
      for (let place = newestOf(row); place !== 0; place = table.before[place] as number) {
        total += table.counts[place] as number;
      }
      return total;
    },
    isEmpty: () => used === 0,
    count: () => used,
    rows() {
      const rows: number[] = [];
      for (let place = 1; place <= used; place += 1) {
        if (table.before[place] === 0) rows.push(table.rows[place] as number);
      }
      return rows;
    },
    of(row, visit) {
      for (let place = newestOf(row); place !== 0; place = table.before[place] as number) {
        const { hour, classIndex, count } = sumAt(place);
        if (count !== 0) visit(hour, classIndex, count);
      }
    },
    *all() {
      for (let place = 1; place <= used; place += 1) if (table.counts[place] !== 0) yield sumAt(place);
    },
  };
}

/**
 * Replaces placeholders in sums with link rows.
 * @param ownerOf returns the link for a placeholder, or undefined if the link is unknown
 * @returns sums of the known links, and the number of clicks on unknown links
 */
export function sumsOfKnown(
  sums: Sums,
  ownerOf: (row: number) => { readonly row: number } | undefined,
): { readonly known: Sums; readonly unknown: number } {
  const known = createSums();
  let unknown = 0;
  for (const { row, hour, classIndex, count } of sums.all()) {
    const owner = ownerOf(row);
    if (owner === undefined) unknown += count;
    else known.add(owner.row, hour, classIndex, count);
  }
  return { known, unknown };
}

/** Converts sums to the storage format: a flat list, ordered by row so that two appliers cannot deadlock. */
export function flatten(sums: Sums): ClickSums {
  const flat = new Float64Array(numbersPerSum * sums.count());
  let length = 0;
  for (const row of Float64Array.from(sums.rows()).sort()) {
    sums.of(row, (hour, classIndex, clicks) => {
      flat[length] = row;
      flat[length + 1] = hour;
      flat[length + 2] = classIndex;
      flat[length + 3] = clicks;
      length += numbersPerSum;
    });
  }
  return flat.slice(0, length);
}
