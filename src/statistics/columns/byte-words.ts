/** Numbers words by their bytes, so that a text is made of each different one only. */
export interface ByteWords {
  /** The place of a word in `words`, new when it was not seen. */
  placeOf(bytes: Buffer, from: number, end: number): number;
  /** The first is empty. Lines of texts are how words are kept, so none has a line break. */
  readonly words: string[];
}

const firstRoom = 256;

export function createByteWords(): ByteWords {
  const words = [''];
  const known = new Map([['', 0]]);
  /** Different bytes may be one word. */
  const places: number[] = [];
  const hashes: number[] = [];
  const copies: Uint8Array[] = [];
  let slots = new Int32Array(firstRoom).fill(-1);

  const grow = (): void => {
    slots = new Int32Array(2 * slots.length).fill(-1);
    for (const [number, hash] of hashes.entries()) {
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number;
    }
  };
  const add = (text: string): number => {
    const word = text.replaceAll('\n', ' ');
    const place = known.get(word);
    if (place !== undefined) return place;
    known.set(word, words.length);
    return words.push(word) - 1;
  };

  return {
    words,
    placeOf(bytes, from, end) {
      if (from === end) return 0;
      let hash = end - from;
      for (let at = from; at < end; at += 1)
        hash = Math.imul(hash ^ (bytes[at] as number), 0x9e3779b1) ^ (hash >>> 15);
      let slot = hash & (slots.length - 1);
      for (; slots[slot] !== -1; slot = (slot + 1) & (slots.length - 1)) {
        const number = slots[slot] as number;
        if (hashes[number] === hash && isSame(copies[number] as Uint8Array, bytes, from, end))
          return places[number] as number;
      }
      slots[slot] = hashes.length;
      hashes.push(hash);
      copies.push(Uint8Array.prototype.slice.call(bytes, from, end));
      const place = add(bytes.toString('utf8', from, end));
      places.push(place);
      if (2 * hashes.length > slots.length) grow();
      return place;
    },
  };
}

function isSame(copy: Uint8Array, bytes: Buffer, from: number, end: number): boolean {
  if (copy.length !== end - from) return false;
  for (let at = 0; at < copy.length; at += 1) if (copy[at] !== bytes[from + at]) return false;
  return true;
}
