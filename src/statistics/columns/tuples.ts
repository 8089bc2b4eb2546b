/** Numbers assigned to the distinct combinations of values in several columns. */
export interface Tuples {
  /** Tuple number of each click. */
  readonly numberOf: Uint32Array<ArrayBuffer>;
  /** First click with each tuple. Tuples are numbered in order of first occurrence. */
  readonly first: Uint32Array<ArrayBuffer>;
}

/** Assigns numbers to the distinct tuples of columns, one column at a time. A constant column takes only one pass. */
export function numberTuples(columns: readonly ArrayLike<number>[], length: number): Tuples {
  let tuples: Tuples = { numberOf: new Uint32Array(length), first: new Uint32Array(Math.min(1, length)) };
  for (const column of columns) {
    if (isConstant(column, length)) continue;
    const range = 1 + largest(column, length);
    const pairs = tuples.first.length * range;
    tuples =
      pairs <= Math.max(65_536, 4 * length)
        ? combineByTable(tuples, column, range)
        : combineByHash(tuples, column);
  }
  return tuples;
}

export function isConstant(column: ArrayLike<number>, length: number): boolean {
  for (let at = 1; at < length; at += 1) if (column[at] !== column[0]) return false;
  return true;
}

export function largest(column: ArrayLike<number>, length: number): number {
  let most = 0;
  for (let at = 0; at < length; at += 1) if ((column[at] as number) > most) most = column[at] as number;
  return most;
}

/**
 * Combines the tuples with another column, using a table with a cell for each possible pair.
 * @param range exclusive upper limit of the column's values
 */
function combineByTable(
  { numberOf: left, first: before }: Tuples,
  column: ArrayLike<number>,
  range: number,
): Tuples {
  const { length } = left;
  const numbers = new Int32Array(before.length * range).fill(-1);
  const numberOf = new Uint32Array(length);
  const first = new Uint32Array(Math.min(length, numbers.length));
  let count = 0;
  for (let click = 0; click < length; click += 1) {
    const place = (left[click] as number) * range + (column[click] as number);
    let number = numbers[place] as number;
    if (number === -1) {
      number = count;
      count += 1;
      numbers[place] = number;
      first[number] = click;
    }
    numberOf[click] = number;
  }
  return { numberOf, first: first.slice(0, count) };
}

const golden = 0x9e3779b1;

function combineByHash({ numberOf: left }: Tuples, right: ArrayLike<number>): Tuples {
  const { length } = left;
  let bits = 10;
  let slots = new Int32Array(2 ** bits).fill(-1);
  const numberOf = new Uint32Array(length);
  const first = new Uint32Array(length);
  let count = 0;
  const slotOf = (click: number): number => {
    const a = left[click] as number;
    const b = right[click] as number;
    let slot = Math.imul(Math.imul(a, golden) ^ b, golden) >>> (32 - bits);
    for (; slots[slot] !== -1; slot = (slot + 1) & (slots.length - 1)) {
      const known = first[slots[slot] as number] as number;
      if (left[known] === a && right[known] === b) break;
    }
    return slot;
  };
  for (let click = 0; click < length; click += 1) {
    const slot = slotOf(click);
    let number = slots[slot] as number;
    if (number === -1) {
      number = count;
      count += 1;
      first[number] = click;
      slots[slot] = number;
      if (2 * count > slots.length) {
        bits += 1;
        slots = new Int32Array(2 ** bits).fill(-1);
        for (let of = 0; of < count; of += 1) slots[slotOf(first[of] as number)] = of;
      }
    }
    numberOf[click] = number;
  }
  return { numberOf, first: first.slice(0, count) };
}

/** Counts the occurrences of each number. @param range upper limit of the numbers, exclusive */
export function countsOf(numbers: ArrayLike<number>, range: number): Uint32Array<ArrayBuffer> {
  const counts = new Uint32Array(range);
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    counts[number] = (counts[number] as number) + 1;
  }
  return counts;
}
