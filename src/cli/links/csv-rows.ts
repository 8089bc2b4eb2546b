import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { FieldKind } from '../../model/links/field-kinds.ts';
import { columnsOf, valueOfText } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { withoutApostrophe } from '../../runtime/csv.ts';
import { list } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { notUtf8, type Row, type RowFile, withFirstLine } from './rows.ts';

export const rowActions = ['create', 'update', 'delete'] as const;
export type RowAction = (typeof rowActions)[number];

/** Columns allowed in a file, by action. */
export const columns: Readonly<Record<RowAction, readonly string[]>> = {
  create: ['url', 'customCode', ...[...columnsOf('shorten'), ...draftInputs].map(({ name }) => name), 'tags'],
  update: ['id', 'url', ...columnsOf('updateLink').map(({ name }) => name), 'tags'],
  delete: ['id'],
};

/** Required column for each action. */
const required: Readonly<Record<RowAction, string>> = { create: 'url', update: 'id', delete: 'id' };

/** Returns the names of the optional columns for help texts. */
export function otherColumns(action: RowAction): string {
  const others = columns[action].filter((name) => name !== required[action]);
  return new Intl.ListFormat('en-GB').format(others);
}

/** Guesses the delimiter of a header line. */
function delimiterIn(line: string): string {
  return /[,;\t]/.exec(line)?.[0] ?? ',';
}

/** Returns true if a line is a header with a column for the destination. */
export function namesColumns(line: string): boolean {
  const names = line.split(/[,;\t]/).map((cell) => cell.replace(/^"(.*)"$/, '$1').trim());
  return !line.startsWith('{') && names.some((name) => /^(?:url|destinationUrl)$/i.test(name));
}

interface ReadOptions {
  readonly action: RowAction;
  /** True if lines that start with `#` are skipped. */
  readonly hasComments?: boolean;
}

/**
 * Reads the rows of a CSV file (RFC 4180, with any line endings). The first line must be a header.
 * @throws Stop for an invalid header, and for a misplaced quote, which makes the rest of the file ambiguous
 */
export async function* csvRows(
  file: Pick<RowFile, 'chunks'>,
  { action, hasComments = false }: ReadOptions,
): AsyncGenerator<Row, void, undefined> {
  const { first, chunks } = await withFirstLine(file.chunks);
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    comment: hasComments ? '#' : null,
    comment_no_infix: true,
    delimiter: delimiterIn(first),
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  Readable.from(chunks)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  let names: readonly (string | undefined)[] | undefined;
  let line = 1;
  let passed = 0;
  // Lines are counted here, because the parser counts a two-character line break in a cell as two lines.
  const begin = ({ empty_lines, comment_lines }: Passed): number => {
    const begins = line + empty_lines + comment_lines - passed;
    passed = empty_lines + comment_lines;
    return begins;
  };
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Passed }>) {
      const begins = begin(info);
      line = begins + 1 + record.reduce((sum, text) => sum + breaksIn(text), 0);
      if (names !== undefined) yield { line: begins, ...rowIn(names, record, action) };
      else if (isExport(record)) names = record.map((name) => columnOfExport(name, action));
      else names = columnsIn(record, begins, action);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = begin(error as unknown as Passed);
    throw new Stop(exits.usage, `line ${at}: a quote is misplaced or not closed.`);
  }
}

/** Number of empty lines and of comment lines that the parser has counted so far. */
interface Passed {
  readonly empty_lines: number;
  readonly comment_lines: number;
}

function breaksIn(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/**
 * Parses a header. Column names are case-insensitive.
 * @param line line number of the header, starting at 1
 * @throws Stop if a column is unknown or repeated, or a required column is missing
 */
function columnsIn(cells: readonly string[], line: number, action: RowAction): readonly string[] {
  const refuse = (why: string): never => {
    throw new Stop(exits.usage, `line ${line}: ${why}. Nothing was done.`);
  };
  const known = columns[action];
  const names = cells.map((cell) => {
    const name = cell.trim().toLowerCase();
    return (
      known.find((one) => one.toLowerCase() === name) ??
      refuse(`unknown column "${cell.trim()}". Columns: ${known.join(', ')}`)
    );
  });
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) refuse(`the column ${twice} appears twice`);
  if (!names.includes(required[action]))
    refuse(`the first line must be a header with the column ${required[action]}`);
  return names;
}

/** Returns true if a header was written by `links export`. */
function isExport(names: readonly string[]): boolean {
  return names.includes('shortCode') && names.includes('destinationUrl');
}

/** Returns the import column that corresponds to a column of an export, or undefined for read-only fields. */
function columnOfExport(name: string, action: RowAction): string | undefined {
  const field = { destinationUrl: 'url', shortCode: 'customCode' }[name] ?? name;
  return columns[action].includes(field) ? field : undefined;
}

function rowIn(
  names: readonly (string | undefined)[],
  cells: readonly string[],
  action: RowAction,
): Pick<Row, 'fields' | 'error'> {
  if (cells.length !== names.length)
    return { error: `This row has ${cells.length} cells, but the header has ${names.length} columns.` };
  if (cells.some((cell) => cell.includes('\ufffd'))) return { error: notUtf8 };
  const isWritten = names.includes(undefined);
  const fields = names.flatMap((name, at) => {
    const cell = cells[at] ?? '';
    return name === undefined
      ? []
      : [[name, fieldOf(name, isWritten ? withoutApostrophe(cell) : cell)] as const];
  });
  const unread = fields.find(([, value]) => value === undefined);
  if (unread !== undefined)
    return { error: `${unread[0]} must be ${expected[kinds[unread[0]] ?? 'word'] ?? 'a valid value'}.` };
  const given = Object.fromEntries(fields.filter(([, value]) => value !== '' && String(value) !== ''));
  if (given[required[action]] === undefined) return { error: `${required[action]} is missing.` };
  return { fields: given };
}

/** Descriptions of the valid values, by kind, for error messages. Kinds that accept any text have none. */
const expected: Partial<Readonly<Record<FieldKind, string>>> = {
  flag: 'true or false',
  number: 'an integer',
  json: 'valid JSON',
};

const kinds: Readonly<Record<string, FieldKind>> = Object.fromEntries(
  [...draftInputs, ...columnsOf('shorten')].map(({ name, kind }) => [name, kind]),
);

/** Converts a cell to a field value. @returns undefined if the cell is invalid for its column */
function fieldOf(name: string, cell: string): unknown {
  if (name === 'tags') return list(cell);
  if (kinds[name] === 'prose') return cell.replaceAll('\r\n', '\n');
  const text = cell.trim();
  return text === '' ? '' : valueOfText(kinds[name] ?? 'word', text);
}
