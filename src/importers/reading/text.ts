import { SourceFailure } from '../service.ts';

const sampleBytes = 4_096;
export const lineFeed = 0x0a;

/** First bytes of file types that are not tables, with advice for the user. */
const otherKinds: readonly (readonly [start: string, reason: string, advice: string])[] = [
  ['PK\x03\x04', 'archive', 'is a ZIP archive: unpack it, and specify the table inside'],
  ['\x1f\x8b', 'archive', 'is compressed with gzip: unpack it with gunzip'],
  ['BZh', 'archive', 'is compressed with bzip2: unpack it with bunzip2'],
  ['\xfd7zXZ', 'archive', 'is compressed with xz: unpack it with unxz'],
  ['\x28\xb5\x2f\xfd', 'archive', 'is compressed with Zstandard: unpack it with unzstd'],
  ['SQLite format 3\0', 'database', 'is a SQLite database: use --database'],
  [
    '\xd0\xcf\x11\xe0',
    'workbook',
    'is an Excel workbook: in Excel, use File > Save As > CSV UTF-8, and read that file',
  ],
  ['%PDF-', 'binary', 'is a PDF document, not a table'],
  ['\x89PNG', 'binary', 'is an image, not a table'],
];
const workbook = /\[Content_Types\]|xl\/|opendocument\.spreadsheet|Index\/Document\.iwa/;
const otherTexts: readonly (readonly [shape: RegExp, reason: string, advice: string])[] = [
  [/^(?:\xef\xbb\xbf)?\s*</, 'markup', 'is HTML or XML, not a table: download the CSV export'],
  [
    /^\s*(?:--|\/\*|(?:create|insert|drop|set|use)\s[^,;\t]*(?:table|into|database|=))/i,
    'sql',
    'is an SQL dump: save the result of a SELECT as CSV, or as JSON lines',
  ],
];

/** Rejects files of other types. @throws SourceFailure if a file is not a table */
function refuseOtherKinds(name: string, start: Uint8Array, isText16: boolean): void {
  const text = String.fromCharCode(...start);
  const [, reason, advice] =
    text.startsWith('PK') && workbook.test(text)
      ? [
          '',
          'workbook',
          'is a spreadsheet workbook (.xlsx, .ods): save it as CSV UTF-8 (in Excel: File > Save As), and read that file',
        ]
      : (otherKinds.find(([begin]) => text.startsWith(begin)) ??
        otherTexts.find(([shape]) => shape.test(text)) ??
        []);
  if (advice !== undefined) throw new SourceFailure(`The ${name} file ${advice}.`, false, reason);
  if (text.includes('\0') && !isText16)
    throw new SourceFailure(`The ${name} file contains binary data, not a table.`, false, 'binary');
}

/**
 * Detects UTF-16 from the first bytes of a file.
 * @returns the name of the encoding; undefined unless the file is in UTF-16
 */
function utf16Of(start: Uint8Array): string | undefined {
  const mark = String.fromCharCode(...start.subarray(0, 2));
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // In UTF-16 without a byte-order mark, every second byte of Latin text is zero.
  const isMostly = (count: number, other: number): boolean => count > start.length / 4 && other < count / 8;
  if (mark === '\xff\xfe' || isMostly(odd, even)) return 'utf-16le';
  return mark === '\xfe\xff' || isMostly(even, odd) ? 'utf-16be' : undefined;
}

export interface TextOptions {
  /** A label from the WHATWG Encoding Standard. If undefined, the encoding is detected. */
  readonly encoding?: string | undefined;
  /** Called for each assumption that the reader makes about the file. */
  readonly onNote?: (text: string, reason: string) => void;
}

/**
 * Decodes a file as UTF-16 or UTF-8. Invalid UTF-8 lines are read as Windows-1252.
 * @param name display name of the table
 * @throws SourceFailure if the file is not text
 */
export async function* decoded(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { encoding, onNote }: TextOptions,
): AsyncGenerator<string, void, undefined> {
  const [start, all] = await readAhead(chunks, lengthOf(sampleBytes));
  const sample = joined(start).subarray(0, sampleBytes);
  const detected = encoding ?? utf16Of(sample);
  refuseOtherKinds(name, sample, /^utf-?16/i.test(detected ?? ''));
  if (detected === undefined) return yield* utf8Or1252(all, onNote);
  const decoder = new TextDecoder(detected);
  for await (const chunk of all) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* utf8Or1252(
  chunks: AsyncIterable<Uint8Array>,
  onNote: TextOptions['onNote'],
): AsyncGenerator<string, void, undefined> {
  const [utf8, windows1252] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')];
  let line = 1;
  let isNoted = false;
  const decode = (bytes: Uint8Array): string => {
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      const end = bytes.indexOf(lineFeed) + 1;
      // The chunk is decoded line by line, so that only lines that are not valid UTF-8 are decoded as Windows-1252.
      if (end > 0 && end < bytes.length)
        return decode(bytes.subarray(0, end)) + decodeRest(bytes.subarray(end));
      if (!isNoted)
        onNote?.(
          `Line ${line} is not UTF-8. It is read as Windows-1252, like other such lines. To choose another encoding, pass --encoding.`,
          'windows-1252',
        );
      isNoted = true;
      text = windows1252.decode(bytes);
    }
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
    return text;
  };
  const decodeRest = (bytes: Uint8Array): string => {
    const texts: string[] = [];
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = bytes.indexOf(lineFeed, at) + 1 || bytes.length;
      texts.push(decode(bytes.subarray(at, end)));
    }
    return texts.join('');
  };
  const pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) yield decode(joined([...pending.splice(0), chunk.subarray(0, end)]));
    pending.push(chunk.subarray(end));
  }
  yield decode(joined(pending));
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Reads chunks until `isEnough` returns true. @returns the chunks read so far, and an iterable over all chunks */
export async function readAhead<T>(
  pieces: AsyncIterable<T>,
  isEnough: (piece: T) => boolean,
): Promise<[start: T[], all: AsyncGenerator<T, void, undefined>]> {
  const iterator = pieces[Symbol.asyncIterator]();
  const start: T[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    start.push(next.value);
    if (isEnough(next.value)) break;
  }
  const all = async function* () {
    yield* start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  return [start, all()];
}

/** Returns a predicate for {@link readAhead} that is true once this many characters or bytes have been read. */
export function lengthOf(length: number): (piece: { readonly length: number }) => boolean {
  let left = length;
  return (piece) => {
    left -= piece.length;
    return left <= 0;
  };
}
