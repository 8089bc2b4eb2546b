import { exits, Stop } from '../terminal/exits.ts';
import { type FieldNames, optionNames } from '../terminal/field-names.ts';
import { columns, csvRows, namesColumns } from './csv-rows.ts';
import { maxHead, notUtf8, type Row, type RowFile, withFirstLine } from './rows.ts';

/** File formats. The format is detected from the first line unless it is given. */
export const formats = ['lines', 'csv'] as const;
export type Format = (typeof formats)[number];

/**
 * Reads the links in a file. Each line contains a URL, a URL and a code, or a JSON object. The file may also be CSV
 * with a header.
 * @throws Stop if the file cannot be read. An invalid line only causes an error for its row.
 */
export async function* linkRows(file: RowFile, format: Format | undefined): AsyncGenerator<Row> {
  const { first, chunks } = await withFirstLine(file.chunks);
  if (format === 'csv' || (format === undefined && namesColumns(first)))
    return yield* csvRows({ chunks }, { action: 'create', hasComments: true });
  let line = 0;
  for await (const bytes of linesIn(chunks)) {
    line += 1;
    const text = textIn(bytes);
    if (text === undefined) yield { line, error: notUtf8 };
    else if (text.startsWith('{')) yield { line, ...objectIn(text) };
    else if (text !== '' && !text.startsWith('#')) yield { line, names: lineNames, ...pairIn(text, format) };
  }
}

/** Display names of fields for a line with a URL and a code. JSON lines use the API names. */
const lineNames: FieldNames = { ...optionNames, customCode: 'The code' };

async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > maxHead)
      throw new Stop(exits.usage, 'A line is longer than 1 MB. Is this a list of links?');
  }
  if (rest.length > 0) yield rest;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, removes the byte-order mark and trims the result. Returns undefined if the bytes are not UTF-8. */
function textIn(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes).trim();
  } catch {
    return undefined;
  }
}

type Read = Pick<Row, 'fields' | 'error'>;

/** Parses a JSON line. Rejects unknown fields, and values that are not objects. */
function objectIn(text: string): Read {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(text);
  } catch {
    return { error: 'The line is not a JSON object.' };
  }
  const known = columns.create;
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown === undefined) return { fields };
  return { error: `Unknown field "${unknown}". Fields: ${known.join(', ')}.` };
}

/** Parses a line with a URL and a code. Rejects lines with more values and lines that could be CSV. */
function pairIn(text: string, format: Format | undefined): Read {
  const [url = '', code = '', ...rest] = text.split('\t').map((cell) => cell.trim());
  if (rest.length > 0)
    return {
      error:
        'This line has more than a URL and a code. A CSV file needs a header line, such as url,customCode,title.',
    };
  const [mark] = format === undefined ? (/[,;]/.exec(text) ?? []) : [];
  if (mark === undefined) return { fields: { url, ...(code && { customCode: code }) } };
  return {
    error: `This line contains "${mark}". If the file is CSV, add a header line such as url,customCode,title. If not, use --format lines.`,
  };
}
