import { clickWords } from '../../model/clicks/click-dimensions.ts';
import {
  type ClickRecords,
  createRecordReader,
  numberAt,
  wideNumbers,
} from '../../model/clicks/click-records.ts';
import { allocateDayClicks, type DayClicks } from './day-clicks.ts';
import { codedDimensions, msPerDay } from './dimensions.ts';

/**
 * Decodes click records into columns.
 * @param pieces records of one account and UTC day, in the order in which the clicks were counted
 */
export function decodeClicks(pieces: readonly ClickRecords[]): DayClicks {
  const length = pieces.reduce((sum, { clicks }) => sum + clicks, 0);
  const { words, indexOf } = createByteWords();
  const day = allocateDayClicks(length, words);
  const numbers = codedDimensions.map((name) => ({
    column: day.codes[name],
    at: numberAt[name],
    isWide: wideNumbers.has(name),
  }));
  const texts = clickWords.map((name) =>
    name === 'region' || name === 'referrer' ? day[name] : day.combined[name],
  );
  const repeated: { readonly row: number; readonly count: number }[] = [];
  let row = 0;
  for (const piece of pieces) {
    const reader = createRecordReader(piece);
    const { bytes, words: spans } = reader;
    while (reader.next()) {
      day.link[row] = reader.row;
      day.second[row] = (reader.at % msPerDay) / 1_000;
      day.visitor[row] = reader.visitor;
      const from = reader.click;
      for (let at = 0; at < numbers.length; at += 1) {
        const { column, at: place, isWide } = numbers[at] as (typeof numbers)[number];
        const low = bytes[from + place] as number;
        column[row] = isWide ? low + 256 * (bytes[from + place + 1] as number) : low;
      }
      for (let word = 0; word < texts.length; word += 1) {
        const begin = spans[2 * word] as number;
        if (begin !== 0)
          (texts[word] as Uint32Array)[row] = indexOf(bytes, begin, spans[2 * word + 1] as number);
      }
      if (reader.count > 1) repeated.push({ row, count: reader.count });
      row += reader.count;
    }
  }
  const columns = [day.link, day.second, ...Object.values(day.codes), ...texts];
  for (const { row: first, count } of repeated)
    for (const column of columns) column.fill(column[first] as number, first + 1, first + count);
  return day;
}

/** Assigns numbers to words by their bytes, so that each distinct word is decoded only once. */
interface ByteWords {
  /** Returns the index of a word in `words`. Adds the word if it is new. */
  indexOf(bytes: Buffer, from: number, end: number): number;
  /** The first word is empty. Words contain no line breaks, because they are stored one per line. */
  readonly words: string[];
}

/**
 * Creates a `ByteWords` object. It uses maps because visitors choose the words. They cannot predict how a map hashes
 * the words, so they cannot cause collisions.
 */
function createByteWords(): ByteWords {
  const words = [''];
  const indexOfWord = new Map([['', 0]]);
  /** Keyed by the bytes as a Latin-1 string; different bytes may decode to the same word. */
  const indexOfBytes = new Map<string, number>();
  return {
    words,
    indexOf(bytes, from, end) {
      const key = bytes.toString('latin1', from, end);
      const known = indexOfBytes.get(key);
      if (known !== undefined) return known;
      const word = bytes.toString('utf8', from, end).replaceAll('\n', ' ');
      let index = indexOfWord.get(word);
      if (index === undefined) {
        index = words.push(word) - 1;
        indexOfWord.set(word, index);
      }
      indexOfBytes.set(key, index);
      return index;
    },
  };
}
