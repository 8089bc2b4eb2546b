import type { SourceRecord } from '../format.ts';
import { longestLine } from '../limits.ts';
import { type Choices, type ParseRow, readRows, SourceFailure } from '../service.ts';
import { csvRecords, type Dialect, delimiterOf, hasEscapes } from './csv.ts';
import { decoded, joined, lengthOf, lineFeed, readAhead } from './text.ts';

/** A line of NDJSON, or the reason why it is invalid. */
export type JsonLine = { readonly line: number } & ({ readonly value: unknown } | { readonly error: string });

/** Parses lines of JSON. Yields an error for an invalid line and continues. */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonLine, void, undefined> {
  let line = 0;
  let rest: Uint8Array = new Uint8Array();
  let isTooLong = false;
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const read = function* (bytes: Uint8Array): Generator<JsonLine> {
    line += 1;
    try {
      if (isTooLong || bytes.length > longestLine)
        yield { line, error: `the line is longer than ${longestLine} bytes` };
      else if (bytes.length > 0) yield { line, value: JSON.parse(utf8.decode(bytes)) };
    } catch {
      yield { line, error: 'the line is not valid JSON in UTF-8' };
    }
    isTooLong = false;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield* read(joined([rest, chunk.subarray(start, end)]));
      rest = new Uint8Array();
      start = end + 1;
    }
    rest = joined([rest, chunk.subarray(start)]);
    if (rest.length <= longestLine) continue;
    isTooLong = true;
    rest = new Uint8Array();
  }
  if (rest.length > 0 || isTooLong) yield* read(rest);
}

/** Options for reading a file. */
export interface TableOptions {
  readonly encoding?: string | undefined;
  readonly dialect?: Dialect | undefined;
  /** True if the first line contains column names. Otherwise, columns are named `1`, `2`, … */
  readonly hasHeader?: boolean;
  /** Called for each assumption that the reader makes about the file. */
  readonly onNote?: (text: string, reason: string) => void;
}

export interface Table {
  /** Display name of the rows: `links` or `clicks`. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly choices: Choices;
  readonly options?: TableOptions;
  /** Called with the column names, and again if a later JSON row has additional columns. */
  readonly parserOf: (columns: readonly string[]) => ParseRow;
}

interface TableRow {
  /** Display name of the row, such as `line 5`. */
  readonly place: string;
  readonly value?: unknown;
  readonly error?: string;
}

const sampleLength = 100_000;
/** Number of JSON rows whose columns are collected before the parser is chosen. */
const sampleRows = 1_000;
const maxColumns = 1_000;

/**
 * Reads links or clicks from a file. The file may be CSV, TSV or a similar table, JSON lines, or a JSON document that
 * contains a list.
 * @throws SourceFailure if the file has no rows
 */
export async function* foundInTable({
  name,
  chunks,
  choices,
  options = {},
  parserOf,
}: Table): AsyncGenerator<SourceRecord> {
  const texts = decoded(name, chunks, options);
  const [start, all] = await readAhead(texts, lengthOf(sampleLength));
  const sample = start.join('');
  const rows = /^\s*[[{]/.test(sample) ? jsonRows(name, sample, all) : csvRows(name, sample, all, options);
  const [known, used] = [new Set<string>(), new Set<string>()];
  let parse: ParseRow | undefined;
  const foundIn = function* (batch: readonly TableRow[]): Generator<SourceRecord> {
    const before = known.size;
    for (const { value } of batch)
      for (const column of Object.keys(value ?? {})) if (known.size < maxColumns) known.add(column);
    if (parse === undefined || known.size > before) parse = parserOf([...known]);
    for (const { place, value, error } of batch)
      if (error === undefined) yield* readRows([value], `${name} ${place}`, choices, parse, used);
      else yield { type: 'problem', where: `${name} ${place}`, reason: error };
  };
  const first: TableRow[] = [];
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    if (parse !== undefined) yield* foundIn([row]);
    else if (first.push(row) === sampleRows) yield* foundIn(first);
  }
  if (parse === undefined && !isEmpty) yield* foundIn(first);
  if (isEmpty) {
    const what = sample.trim() === '' ? 'is empty' : 'has no rows';
    throw new SourceFailure(
      `The ${name} file ${what}.${name === 'clicks' ? ' Omit --clicks if there are no clicks.' : ''}`,
      false,
      'empty',
    );
  }
  const unused = [...known]
    .filter((column) => !used.has(column))
    .map((column) => column.slice(0, 200).toWellFormed());
  if (unused.length > 0) yield { type: 'unused', where: name, columns: unused };
}

/**
 * Reads the rows of a CSV file or a similar table.
 * @throws SourceFailure if a header is expected and the first line is not a header
 */
async function* csvRows(
  name: string,
  sample: string,
  texts: AsyncIterable<string>,
  { dialect, hasHeader = true, onNote }: TableOptions,
): AsyncGenerator<TableRow> {
  // The first line may name the delimiter, as in `sep=;`. Excel supports such lines.
  const [mark = '', separator] = /^\s*"?sep=(.)"?\r?\n/i.exec(sample) ?? [];
  const start = sample.slice(mark.length).trimStart();
  const delimiter = separator ?? delimiterOf(start.split(/[\r\n]+/, 20), hasHeader);
  if (dialect === undefined && hasEscapes(start, delimiter))
    onNote?.(
      `Reading the ${name} file with backslash escapes, as written by mysql -B. If the file has no escapes, pass --dialect csv.`,
      'escapes',
    );
  const records = csvRecords(without(mark, texts), { delimiter, dialect, sample: start });
  let columns: string[] | undefined;
  for await (const { line, cells, isQuoted } of records) {
    if (columns === undefined) {
      columns = hasHeader ? columnsIn(cells) : cells.map((_, at) => `${at + 1}`);
      if (hasHeader && cells.some((cell) => /^[a-z]+:\/\/|^\d{4}-\d\d-\d\d/i.test(cell)))
        throw new SourceFailure(
          `The ${name} file has no header row. Specify columns by number: --no-header --column url=1 --column code=2.`,
          false,
          'no-header',
        );
      if (hasHeader) continue;
    }
    const { length } = columns;
    const hasExtra = cells.slice(length).some((cell) => cell.trim() !== '');
    const place = `line ${mark === '' ? line : line + 1}`;
    // There may be too many cells because an unquoted URL with a comma or semicolon was split.
    if (hasExtra && !isQuoted && /[,;]/.test(delimiter))
      yield { place, error: `the row has ${cells.length} cells, but the table has ${length} columns` };
    else {
      const pairs = cells.map((cell, at) => [columns?.[at] || `column ${at + 1}`, cell] as const);
      const named = pairs.filter(([, cell], at) => columns?.[at] || cell.trim() !== '');
      yield { place, value: Object.fromEntries(named) };
    }
  }
}

/** Removes a prefix from a string that arrives in chunks. */
async function* without(start: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = start.length;
  for await (const text of texts) {
    yield text.slice(rest);
    rest = Math.max(0, rest - text.length);
  }
}

/** Returns unique column names. A name is empty if the column has no name. */
function columnsIn(cells: readonly string[]): string[] {
  const seen = new Set<string>();
  return cells.map((cell, at) => {
    const name = cell.trim();
    const unique = seen.has(name) && name !== '' ? `${name} (column ${at + 1})` : name;
    seen.add(unique);
    return unique;
  });
}

const longestDocument = 500_000_000;
const lists = ['links', 'data', 'urls', 'items', 'results', 'rows'];

/** Reads the rows of JSON lines or of a JSON document. @throws SourceFailure if the file is not JSON */
async function* jsonRows(
  name: string,
  sample: string,
  texts: AsyncIterable<string>,
): AsyncGenerator<TableRow> {
  const start = sample.trimStart();
  const isDocument =
    start.startsWith('[') ||
    /^\{\s*(?:"[^"\n]*"\s*:\s*[[{]?)?\s*(?:[\r\n]|$)/.test(start) ||
    isCutList(start);
  if (!isDocument) {
    const encoder = new TextEncoder();
    const chunks = (async function* () {
      for await (const text of texts) yield encoder.encode(text);
    })();
    for await (const { line, ...read } of jsonLines(chunks)) {
      const place = `line ${line}`;
      if ('error' in read) yield { place, error: read.error };
      else for (const value of listIn(read.value)) yield { place, value };
    }
    return;
  }
  let text = '';
  for await (const piece of texts) {
    text += piece;
    if (text.length > longestDocument)
      throw new SourceFailure(
        `The ${name} file is too large for one JSON document. Convert it to JSON lines.`,
        false,
        'too-large',
      );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const [where = ''] = / at position .*/.exec((error as Error).message) ?? [];
    throw new SourceFailure(`The ${name} file is not valid JSON${where}.`, false, 'json');
  }
  for (const [at, row] of (Array.isArray(value) ? value : listIn(value)).entries())
    yield { place: `row ${at + 1}`, value: row };
}

/** Returns true if the first line is longer than the sample and starts with a list inside an object. */
function isCutList(start: string): boolean {
  return !/[\r\n]/.test(start) && start.length >= sampleLength && /^\{\s*"[^"]*"\s*:\s*\[/.test(start);
}

/** Returns the rows of a list inside an object, or the value itself. */
function listIn(value: unknown): readonly unknown[] {
  const fields = Object(value) as Record<string, unknown>;
  const list = lists
    .map((name) => fields[name])
    .find((one) => Array.isArray(one) && typeof one[0] === 'object');
  return Array.isArray(list) ? list : [value];
}
