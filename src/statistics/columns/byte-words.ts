/** Numbers words by their bytes, so that a text is decoded of each different one only. */
export interface ByteWords {
  /** The place of a word in `words`, new when it was not seen. */
  placeOf(bytes: Buffer, from: number, end: number): number;
  /** The first is empty. Lines of texts are how words are kept, so none has a line break. */
  readonly words: string[];
}

/** Visitors choose words, so they are found in maps, whose hashes they cannot foresee. */
export function createByteWords(): ByteWords {
  const words = [''];
  const placeOfWord = new Map([['', 0]]);
  /** By the bytes as text of a unit each; different bytes may be one word. */
  const placeOfBytes = new Map<string, number>();
  return {
    words,
    placeOf(bytes, from, end) {
      const key = bytes.toString('latin1', from, end);
      const known = placeOfBytes.get(key);
      if (known !== undefined) return known;
      const word = bytes.toString('utf8', from, end).replaceAll('\n', ' ');
      let place = placeOfWord.get(word);
      if (place === undefined) {
        place = words.push(word) - 1;
        placeOfWord.set(word, place);
      }
      placeOfBytes.set(key, place);
      return place;
    },
  };
}
