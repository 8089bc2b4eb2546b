import {
  type ClickNumber,
  type ClickWord,
  clickDimensions,
  clickNumbers,
  clickWords,
} from './click-dimensions.ts';
import { type ClickFacts, unknownFacts } from './click-facts.ts';

/*
 * The byte layout of a click, little-endian. In the click journal, the link's id precedes the click; in an applied
 * batch, the account and the row precede it. Words are stored as text, so that a record is readable on its own. Records
 * are deleted too soon for a dictionary to be worthwhile.
 *
 *     u48 unix ms · u8 class · u8 trigger · u16 country · u8 browser · u8 os · u8 device · u8 language
 *     u8 referrer kind · u32 visitor · u8 presence bits · each present word: u16 length · UTF-8 · u32 number of clicks
 *
 * The last presence bit means that a second byte of presence bits follows. Few clicks have one. The last bit of the
 * second byte means that the record stands for several identical clicks and ends with their count. A new dimension
 * with words takes the next bit; readers skip words that they do not recognize.
 */

/** Version of the layout. Stored with journal frames and batches, so that later versions of Linkfold can read them. */
export const clickLayout = 4;

const wordsAt = 19;
/** Minimum size of a click in bytes. */
export const minClickBytes = wordsAt + 1;
const low = 2 ** 32;

/** Number of words whose presence bits are in the first byte. */
const firstWords = 7;
const furtherBit = 1 << firstWords;
/** Words whose presence bits are in the second byte. */
const furtherWords = clickWords.slice(firstWords);
/** Presence bit of the click count in the number that `followingBits` returns. */
const severalBit = 1 << 14;

/**
 * Maximum length of a word in UTF-16 units. Longer words are truncated. The code that parses visits has lower limits.
 */
const longestWord = 512;
/** Maximum size of a click in bytes. */
export const maxClickBytes = minClickBytes + 1 + clickWords.length * (2 + 3 * longestWord) + 4;

/**
 * Encodes a click. `bytes` must have space for `maxClickBytes`.
 * @param time ms since the epoch
 * @param clicks number of identical clicks in one record
 * @returns the end offset
 */
export function writeClick(bytes: Buffer, at: number, time: number, facts: ClickFacts, clicks = 1): number {
  writeU48(bytes, at, time);
  bytes[at + 6] = facts.class;
  bytes[at + 7] = facts.trigger;
  bytes[at + 8] = facts.country;
  bytes[at + 9] = facts.country >>> 8;
  bytes[at + 10] = facts.browser;
  bytes[at + 11] = facts.os;
  bytes[at + 12] = facts.device;
  bytes[at + 13] = facts.language;
  bytes[at + 14] = facts.referrerKind;
  bytes.writeUInt32LE(facts.visitor, at + 15);
  return writeWords(bytes, at + wordsAt, facts, clicks);
}

function writeWords(bytes: Buffer, at: number, facts: ClickFacts, clicks: number): number {
  let hasFurther = clicks > 1;
  for (const word of furtherWords) if (facts[word] !== '') hasFurther = true;
  let end = hasFurther ? at + 2 : at + 1;
  let which = clicks > 1 ? severalBit : 0;
  for (let bit = 0; bit < clickWords.length; bit += 1) {
    const word = facts[clickWords[bit] as ClickWord];
    if (word === '') continue;
    which |= 1 << bit;
    const length = bytes.write(word.length > longestWord ? word.slice(0, longestWord) : word, end + 2);
    bytes[end] = length;
    bytes[end + 1] = length >>> 8;
    end += 2 + length;
  }
  bytes[at] = which % furtherBit;
  if (hasFurther) writeFurther(bytes, at, which);
  return clicks > 1 ? bytes.writeUInt32LE(clicks, end) : end;
}

function writeFurther(bytes: Buffer, at: number, which: number): void {
  bytes[at] = (which % furtherBit) | furtherBit;
  bytes[at + 1] = which >>> firstWords;
}

/** Returns all presence bits as one number. The bits of the second byte are the higher bits. */
function followingBits(bytes: Uint8Array, at: number): number {
  const first = bytes[at + wordsAt] as number;
  if (first < furtherBit) return first;
  return first - furtherBit + ((bytes[at + wordsAt + 1] as number) << firstWords);
}

/** Returns the offset of the first word of the click at `at`. */
function startOfWords(bytes: Uint8Array, at: number): number {
  const hasFurther = (bytes[at + wordsAt] as number) >= furtherBit;
  return at + minClickBytes + (hasFurther ? 1 : 0);
}

/** @returns the end offset of the click that begins at `at` */
export function endOfClick(bytes: Uint8Array, at: number): number {
  let end = startOfWords(bytes, at);
  const which = followingBits(bytes, at);
  for (let bit = 1; bit < severalBit; bit <<= 1) if ((which & bit) !== 0) end += 2 + u16At(bytes, end);
  return (which & severalBit) === 0 ? end : end + 4;
}

/** Like `writeUIntLE(value, at, 6)`, but five times as fast. */
function writeU48(bytes: Buffer, at: number, value: number): void {
  const high = Math.floor(value / low);
  bytes.writeUInt32LE(value - high * low, at);
  bytes.writeUInt16LE(high, at + 4);
}

function u48At(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt16LE(at + 4) * low;
}

function u16At(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) + 256 * (bytes[at + 1] as number);
}

/** Returns the time of the click at `at`, ms since the epoch. */
export function timeOfClick(bytes: Buffer, at: number): number {
  return u48At(bytes, at);
}

/** Returns the class of the click at `at`, as an index into `clickClasses`. */
export function classOfClick(bytes: Uint8Array, at: number): number {
  return bytes[at + 6] as number;
}

/** A click that was applied to storage. */
export interface AppliedClick extends ClickFacts {
  /** The account's id. `row` is the link's row. */
  readonly account: number;
  readonly row: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Encoded clicks, one record after another. */
export interface ClickRecords {
  readonly layout: number;
  /** Number of clicks. */
  readonly clicks: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Size in bytes of the owner (u32 account · u48 row) that precedes each click in a batch. */
export const ownerBytes = 10;

/** Writes the owner that precedes a click in a batch. @returns the offset of the click */
export function writeOwner(bytes: Buffer, at: number, account: number, row: number): number {
  bytes.writeUInt32LE(account, at);
  writeU48(bytes, at + 4, row);
  return at + ownerBytes;
}

/** Offset of each dimension's number in a click's record. The numbers are consecutive and follow the time. */
export const numberAt = placesOfNumbers();

function placesOfNumbers(): Readonly<Record<ClickNumber, number>> {
  let at = 6;
  const places = clickDimensions.flatMap(({ name, bytes }) => {
    const place = at;
    at += bytes === 'word' ? 0 : bytes;
    return bytes === 'word' ? [] : [[name, place]];
  });
  return Object.fromEntries(places) as Record<ClickNumber, number>;
}

/** Dimensions whose number takes two bytes. */
export const wideNumbers: ReadonlySet<ClickNumber> = new Set(
  clickDimensions.flatMap(({ name, bytes }) => (bytes === 2 ? [name] : [])),
);

/** Iterates over the records in a batch without allocating objects. */
export interface RecordReader {
  /** Advances to the next record. @returns false at the end of the batch */
  next(): boolean;
  readonly bytes: Buffer;
  /** Offset of the record, which begins with the owner. `end` is the offset after the record. */
  start: number;
  end: number;
  /** Offset of the click itself: `bytes[click + numberAt.os]` is the number of the operating system. */
  click: number;
  account: number;
  row: number;
  /** Milliseconds since the epoch. */
  at: number;
  visitor: number;
  /** Number of clicks in the record. */
  count: number;
  /**
   * Start and end offsets of each word, in the order of `clickWords`. Both offsets are 0 if the record lacks the word.
   */
  readonly words: Int32Array;
}

/** @throws Error for a layout that this version does not recognize */
export function createRecordReader({ layout, bytes: given }: Omit<ClickRecords, 'clicks'>): RecordReader {
  if (layout !== clickLayout) throw new Error(`Cannot read clicks in the unknown layout ${layout}.`);
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const words = new Int32Array(2 * clickWords.length);
  let hasWords = false;
  return {
    bytes,
    words,
    start: 0,
    end: 0,
    click: 0,
    account: 0,
    row: 0,
    at: 0,
    visitor: 0,
    count: 1,
    next() {
      const start = this.end;
      if (start >= bytes.length) return false;
      const click = start + ownerBytes;
      this.start = start;
      this.click = click;
      this.account = bytes.readUInt32LE(start);
      this.row = u48At(bytes, start + 4);
      this.at = u48At(bytes, click);
      this.visitor = bytes.readUInt32LE(click + 15);
      const which = followingBits(bytes, click);
      let at = startOfWords(bytes, click);
      if (hasWords) words.fill(0);
      for (let left = which & (severalBit - 1); left !== 0; left &= left - 1) {
        const word = 31 - Math.clz32(left & -left);
        const end = at + 2 + u16At(bytes, at);
        if (word < clickWords.length) {
          words[2 * word] = at + 2;
          words[2 * word + 1] = end;
        }
        at = end;
      }
      hasWords = which !== 0;
      const isSeveral = (which & severalBit) !== 0;
      this.count = isSeveral ? bytes.readUInt32LE(at) : 1;
      this.end = isSeveral ? at + 4 : at;
      return true;
    },
  };
}

/**
 * Reads the clicks in a batch in order of arrival.
 * @param visit receives the same object for every click, so it must not retain the object
 * @throws Error for a layout that this version does not recognize
 */
export function readClicks(records: ClickRecords, visit: (click: AppliedClick) => void): void {
  const reader = createRecordReader(records);
  const { bytes, words } = reader;
  const click: { -readonly [Key in keyof AppliedClick]: AppliedClick[Key] } = {
    account: 0,
    row: 0,
    at: 0,
    ...unknownFacts(0),
  };
  while (reader.next()) {
    click.account = reader.account;
    click.row = reader.row;
    click.at = reader.at;
    click.visitor = reader.visitor;
    for (const name of clickNumbers) {
      const at = reader.click + numberAt[name];
      click[name] = wideNumbers.has(name) ? u16At(bytes, at) : (bytes[at] as number);
    }
    for (const [place, name] of clickWords.entries())
      click[name] = bytes.toString('utf8', words[2 * place], words[2 * place + 1]);
    for (let { count } = reader; count > 0; count -= 1) visit(click);
  }
}
