import { SourceFailure } from '../service.ts';

const sampleBytes = 4_096;

/** What is no table, by its first bytes, and what to do about it. */
const otherKinds: readonly (readonly [start: string, advice: string])[] = [
  ['PK\x03\x04', 'is a ZIP archive: unpack it and read the table in it'],
  ['\x1f\x8b', 'is compressed with gzip: unpack it with gunzip'],
  ['BZh', 'is compressed with bzip2: unpack it with bunzip2'],
  ['\xfd7zXZ', 'is compressed with xz: unpack it with unxz'],
  ['\x28\xb5\x2f\xfd', 'is compressed with Zstandard: unpack it with unzstd'],
  ['SQLite format 3\0', 'is a SQLite database: give it with --database'],
  ['\xd0\xcf\x11\xe0', 'is an Excel workbook: in Excel, use File > Save As > CSV UTF-8, and read that file'],
  ['%PDF-', 'is a PDF document, not a table'],
  ['\x89PNG', 'is a picture, not a table'],
];
const workbook = /\[Content_Types\]|xl\/|opendocument\.spreadsheet|Index\/Document\.iwa/;
const sqlDump = /^\s*(?:--|\/\*|(?:create|insert|drop|set|use)\s[^,;\t]*(?:table|into|database|=))/i;

/** @throws SourceFailure when a file is not a table */
function refuseOtherKinds(name: string, start: Buffer, isText16: boolean): void {
  const text = start.toString('latin1');
  const [, advice] = otherKinds.find(([begin]) => text.startsWith(begin)) ?? [];
  const isWorkbook = text.startsWith('PK') && workbook.test(text);
  const found = isWorkbook
    ? 'is a spreadsheet workbook (.xlsx, .ods): save it as CSV UTF-8 (in Excel: File > Save As), and read that file'
    : (advice ??
      (/^(?:\xef\xbb\xbf)?\s*</.test(text)
        ? 'is HTML or XML, not a table: download the CSV export'
        : undefined) ??
      (sqlDump.test(text)
        ? 'is an SQL dump: save the result of a SELECT as CSV, or as JSON lines'
        : undefined) ??
      (text.includes('\0') && !isText16 ? 'holds binary data, not a table' : undefined));
  if (found !== undefined) throw new SourceFailure(`The file of ${name} ${found}.`);
}

/** @returns the name of the encoding; undefined unless the file is in UTF-16 */
function utf16Of(start: Buffer): string | undefined {
  const mark = start.toString('hex', 0, 2);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Without a mark: text in Latin letters has a zero in every second byte.
  const isMostly = (count: number, other: number): boolean => count > start.length / 4 && other < count / 8;
  if (mark === 'fffe' || isMostly(odd, even)) return 'utf-16le';
  return mark === 'feff' || isMostly(even, odd) ? 'utf-16be' : undefined;
}

export interface TextOptions {
  /** A label of the WHATWG Encoding Standard. Detected when undefined. */
  readonly encoding?: string | undefined;
  /** Receives what the reader assumed about the file. */
  readonly onNote?: (text: string) => void;
}

/**
 * Decodes a file: UTF-16, or UTF-8, of which lines that are not valid are read as Windows-1252.
 * @param name of the table, for people
 * @throws SourceFailure when the file is not text
 */
export async function* decoded(
  name: string,
  chunks: AsyncIterable<Buffer>,
  { encoding, onNote }: TextOptions,
): AsyncGenerator<string, void, undefined> {
  const [start, all] = await withStart(
    chunks,
    Buffer.alloc(0),
    (before, chunk) => Buffer.concat([before, chunk]),
    sampleBytes,
  );
  const sample = start.subarray(0, sampleBytes);
  const detected = encoding ?? utf16Of(sample);
  refuseOtherKinds(name, sample, /^utf-?16/i.test(detected ?? ''));
  if (detected === undefined) return yield* utf8Or1252(all, onNote);
  const decoder = new TextDecoder(detected);
  for await (const chunk of all) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* utf8Or1252(
  chunks: AsyncIterable<Buffer>,
  onNote: TextOptions['onNote'],
): AsyncGenerator<string, void, undefined> {
  const [utf8, windows1252] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')];
  let line = 1;
  let isNoted = false;
  const decode = (bytes: Buffer): string => {
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      const end = bytes.indexOf('\n') + 1;
      // A piece of several lines: only those that are not UTF-8 are Windows-1252.
      if (end > 0 && end < bytes.length)
        return decode(bytes.subarray(0, end)) + decodeRest(bytes.subarray(end));
      if (!isNoted)
        onNote?.(
          `Line ${line} is not UTF-8 and is read as Windows-1252, as are others like it. If that is wrong, use --encoding.`,
        );
      isNoted = true;
      text = windows1252.decode(bytes);
    }
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
    return text;
  };
  const decodeRest = (bytes: Buffer): string => {
    const texts: string[] = [];
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = bytes.indexOf('\n', at) + 1 || bytes.length;
      texts.push(decode(bytes.subarray(at, end)));
    }
    return texts.join('');
  };
  const pending: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) yield decode(Buffer.concat([...pending.splice(0), chunk.subarray(0, end)]));
    pending.push(chunk.subarray(end));
  }
  yield decode(Buffer.concat(pending));
}

/** Reads ahead. @returns the start, of `length` or more unless the source is shorter, and everything from the start on */
export async function withStart<T extends string | Buffer>(
  pieces: AsyncIterable<T>,
  empty: T,
  join: (before: T, piece: T) => T,
  length: number,
): Promise<[start: T, all: AsyncGenerator<T, void, undefined>]> {
  const iterator = pieces[Symbol.asyncIterator]();
  let start = empty;
  while (start.length < length) {
    const next = await iterator.next();
    if (next.done) break;
    start = join(start, next.value);
  }
  const all = async function* () {
    yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  return [start, all()];
}
