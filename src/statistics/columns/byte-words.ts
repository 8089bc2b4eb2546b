/** Numbers words by their bytes, so that each distinct word is decoded only once. */
export interface ByteWords {
  /** Returns the index of a word in `words`; adds the word if it is new. */
  placeOf(bytes: Buffer, from: number, end: number): number;
  /** The first word is empty. Words contain no line breaks, because they are stored one per line. */
  readonly words: string[];
}

/** Uses maps because visitors choose the words, and cannot predict the hashes of maps. */
export function createByteWords(): ByteWords {
  const words = [''];
  const placeOfWord = new Map([['', 0]]);
  /** Keyed by the bytes as a Latin-1 string; different bytes may decode to the same word. */
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
