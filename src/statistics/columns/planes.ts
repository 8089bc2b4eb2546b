/**
 * Numbers to store as byte planes: the lowest bytes of all numbers, then the next bytes, and so on. Byte planes contain
 * sequences of similar bytes, which compress well.
 */
export type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Returns the number of bytes that the largest value needs, or 0 if all values are zero. */
export function widthOf(values: ArrayLike<number>): number {
  let all = 0;
  for (let at = 0; at < values.length; at += 1) all |= values[at] as number;
  return Math.ceil((32 - Math.clz32(all)) / 8);
}

/** Returns byte `place` of each number; byte 0 is the lowest. */
export function planeOf(values: ArrayLike<number>, place: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at += 1) bytes[at] = (values[at] as number) >>> (place * 8);
  return bytes;
}

/** Writes lists of numbers below 2^32 one after another. Their lengths are not stored. */
export function packLists(lists: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const parts = lists.flatMap((values) => {
    const width = widthOf(values);
    return [Uint8Array.of(width), ...Array.from({ length: width }, (_, place) => planeOf(values, place))];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Reads the next list. The caller must know its length. */
export type NextList = ((length: number) => Numbers) & { readonly isAtEnd: () => boolean };

export function unpackLists(bytes: Uint8Array<ArrayBuffer>): NextList {
  let at = 0;
  const next = (length: number): Numbers => {
    const width = bytes[at];
    const start = at + 1;
    if (width === undefined || start + width * length > bytes.length) {
      throw new RangeError('A list of numbers is truncated.');
    }
    at = start + width * length;
    if (width === 0) return new Uint8Array(length);
    return joinPlanes(
      Array.from({ length: width }, (_, place) =>
        bytes.subarray(start + place * length, start + (place + 1) * length),
      ),
    );
  };
  return Object.assign(next, { isAtEnd: () => at === bytes.length });
}

/** Converts byte planes to numbers. @param planes at least one, of equal length, lowest bytes first */
export function joinPlanes(planes: readonly Uint8Array<ArrayBuffer>[]): Numbers {
  const [low, high] = planes;
  if (low === undefined) throw new RangeError('A list of numbers must have at least one plane.');
  if (high === undefined) return low;
  if (planes.length === 2) {
    const values = new Uint16Array(low.length);
    for (let at = 0; at < values.length; at += 1)
      values[at] = (low[at] as number) | ((high[at] as number) << 8);
    return values;
  }
  const values = new Uint32Array(low.length);
  for (const [place, plane] of planes.entries()) {
    for (let at = 0; at < values.length; at += 1) {
      values[at] = (values[at] as number) | ((plane[at] as number) << (place * 8));
    }
  }
  return values;
}
