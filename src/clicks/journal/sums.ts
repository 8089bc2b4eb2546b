import { type ClickSums, numbersPerSum } from '../../model/clicks/clicks.ts';

export interface Sum {
  readonly row: number;
  readonly hour: number;
  readonly classIndex: number;
  readonly count: number;
}

/** Clicks summed by link, hour and class, with the total of each link at hand. */
export interface Sums {
  /** @param count negative to take clicks out again */
  add(row: number, hour: number, classIndex: number, count?: number): void;
  /** Clicks of one link, all hours and classes. */
  total(row: number): number;
  isEmpty(): boolean;
  /** How many sums there are at most: those that came to zero may be among them. */
  count(): number;
  /** The links' rows. */
  rows(): readonly number[];
  /** The sums of one link that are not zero. */
  of(row: number, visit: (hour: number, classIndex: number, count: number) => void): void;
  /** Every sum that is not zero. */
  all(): Generator<Sum>;
}

const firstRoom = 256;
const golden = 0x9e3779b1;

/** Columns of sums, and where the newest sum of a link is; places count from 1, so that 0 is nowhere. */
function roomFor(most: number) {
  return {
    most,
    rows: new Float64Array(most + 1),
    hours: new Float64Array(most + 1),
    counts: new Float64Array(most + 1),
    classes: new Uint8Array(most + 1),
    /** The place of the sum of the same link that came before. */
    before: new Int32Array(most + 1),
    /** A hash table with twice as many slots as there can be links. */
    newest: new Int32Array(2 * most),
  };
}

/**
 * Sums by the rows of links, in numbers alone: under load a batch has ten thousand, and as objects they would all be
 * copied twice by V8's collector, which takes longer than to count them.
 */
export function createSums(): Sums {
  let room = roomFor(firstRoom);
  let used = 0;

  /** The slot in which a link's newest sum stands, or would. */
  const slotOf = (row: number): number => {
    const { newest, rows } = room;
    const last = newest.length - 1;
    // The high bits: in the product, each of them depends on all bits of the row.
    let slot = Math.imul(row | 0, golden) >>> Math.clz32(last);
    for (let place = newest[slot]; place !== 0 && rows[place as number] !== row; place = newest[slot]) {
      slot = (slot + 1) & last;
    }
    return slot;
  };
  const newestOf = (row: number): number => room.newest[slotOf(row)] as number;

  const grow = (): void => {
    const { rows, hours, counts, classes, before } = room;
    room = roomFor(2 * room.most);
    room.rows.set(rows);
    room.hours.set(hours);
    room.counts.set(counts);
    room.classes.set(classes);
    room.before.set(before);
    // The last of a link stays.
    for (let place = 1; place <= used; place += 1) room.newest[slotOf(rows[place] as number)] = place;
  };

  const sumAt = (place: number): Sum => ({
    row: room.rows[place] as number,
    hour: room.hours[place] as number,
    classIndex: room.classes[place] as number,
    count: room.counts[place] as number,
  });

  return {
    add(row, hour, classIndex, count = 1) {
      const newest = newestOf(row);
      // A link nearly always has one hour and one class in here.
      for (let place = newest; place !== 0; place = room.before[place] as number) {
        if (room.hours[place] === hour && room.classes[place] === classIndex) {
          room.counts[place] = (room.counts[place] as number) + count;
          return;
        }
      }
      if (used === room.most) grow();
      used += 1;
      room.rows[used] = row;
      room.hours[used] = hour;
      room.classes[used] = classIndex;
      room.counts[used] = count;
      room.before[used] = newest;
      room.newest[slotOf(row)] = used;
    },
    total(row) {
      let total = 0;
      for (let place = newestOf(row); place !== 0; place = room.before[place] as number) {
        total += room.counts[place] as number;
      }
      return total;
    },
    isEmpty: () => used === 0,
    count: () => used,
    rows() {
      const rows: number[] = [];
      for (let place = 1; place <= used; place += 1) {
        if (room.before[place] === 0) rows.push(room.rows[place] as number);
      }
      return rows;
    },
    of(row, visit) {
      for (let place = newestOf(row); place !== 0; place = room.before[place] as number) {
        const { hour, classIndex, count } = sumAt(place);
        if (count !== 0) visit(hour, classIndex, count);
      }
    },
    *all() {
      for (let place = 1; place <= used; place += 1) if (room.counts[place] !== 0) yield sumAt(place);
    },
  };
}

/**
 * Sums whose links were looked up after they were summed.
 * @param ownerOf by what stands in place of the row; undefined for a link that storage does not know
 * @returns what is of these, and how many clicks are of others
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

/** The form in which storage takes sums: flat, and ordered by row, so that two appliers never deadlock. */
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
