import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { FieldKind } from '../../model/links/field-kinds.ts';
import { columnsOf, valueOfText } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { reasonOf } from '../../runtime/file-faults.ts';
import { list } from '../terminal/command.ts';
import { columnsIn } from '../terminal/csv.ts';
import { exits, Stop } from '../terminal/exits.ts';

export const importActions = ['create', 'update', 'delete'] as const;
export type ImportAction = (typeof importActions)[number];

/** The columns that a file may have, by what is done with its rows. */
const columns: Readonly<Record<ImportAction, readonly string[]>> = {
  create: ['url', 'customCode', ...[...columnsOf('shorten'), ...draftInputs].map(({ name }) => name), 'tags'],
  update: ['id', 'url', ...columnsOf('updateLink').map(({ name }) => name), 'tags'],
  delete: ['id'],
};
/** The columns beside the one that each row needs, as help lists them. */
export function importColumns(action: ImportAction): string {
  const others = columns[action].filter((name) => name !== required[action]);
  return new Intl.ListFormat('en-GB').format(others);
}

/** The column without which a row says nothing. */
const required: Readonly<Record<ImportAction, string>> = { create: 'url', update: 'id', delete: 'id' };

export interface ImportRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Its cells by the names of the API's fields, or why it cannot be read. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

export interface ImportFile {
  /** @throws Stop at a fault that makes the rest of the file ambiguous */
  rows(): AsyncGenerator<ImportRow, void, undefined>;
  /** Bytes of the file, 0 where that is not known, and bytes read so far. */
  readonly size: number;
  read(): number;
}

/** Opens a CSV file, or stdin with `-`, to be read row by row. @throws Stop when it cannot be read */
export async function openImport(path: string, action: ImportAction): Promise<ImportFile> {
  const size = path === '-' ? 0 : await sizeOf(path);
  const input: Readable = path === '-' ? process.stdin : createReadStream(path);
  let read = 0;
  const counted = input.iterator() as AsyncIterable<Buffer>;
  const chunks = async function* () {
    for await (const chunk of counted) {
      read += chunk.length;
      yield chunk;
    }
  };
  return { rows: () => rowsOf(chunks(), path, action), size, read: () => read };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Stop(exits.usage, `${path} is a folder.`);
    return found.size;
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(exits.usage, `${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/** What separates the names in the first line. */
function delimiterIn(head: Buffer): string {
  const [line = ''] = head.toString('utf8').split(/[\r\n]/, 1);
  return /[,;\t]/.exec(line)?.[0] ?? ',';
}

async function* withHead(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function breaksIn(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

async function* rowsOf(
  chunks: AsyncGenerator<Buffer>,
  path: string,
  action: ImportAction,
): AsyncGenerator<ImportRow, void, undefined> {
  let names: readonly (string | undefined)[] | undefined;
  let line = 1;
  let emptyLines = 0;
  try {
    const first = await chunks.next();
    const head: Buffer = first.done === true ? Buffer.alloc(0) : first.value;
    const parser = parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: delimiterIn(head),
    });
    Readable.from(withHead(head, chunks))
      .on('error', (error) => parser.destroy(error))
      .pipe(parser);
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly empty_lines: number };
    }>) {
      // The parser's own count takes a line break in a cell for two where it has two characters.
      const begins = line + info.empty_lines - emptyLines;
      emptyLines = info.empty_lines;
      line = begins + 1 + record.reduce((sum, text) => sum + breaksIn(text), 0);
      if (names !== undefined) yield { line: begins, ...rowIn(names, record, action) };
      else if (isExport(record)) names = record.map((name) => columnOfExport(name, action));
      else names = columnsIn(record, begins, { known: columns[action], needed: required[action] });
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new Stop(exits.usage, `line ${line}: a quote stands where none may, or is never closed.`);
    if (error instanceof Stop) throw error;
    throw new Stop(exits.usage, `${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Whether a first line is that of `links export`. */
function isExport(names: readonly string[]): boolean {
  return names.includes('shortCode') && names.includes('destinationUrl');
}

/** As what a column of an export is imported; undefined for what the server says of a link. */
function columnOfExport(name: string, action: ImportAction): string | undefined {
  const field = { destinationUrl: 'url', shortCode: 'customCode' }[name] ?? name;
  return columns[action].includes(field) ? field : undefined;
}

function rowIn(
  names: readonly (string | undefined)[],
  cells: readonly string[],
  action: ImportAction,
): Pick<ImportRow, 'fields' | 'error'> {
  if (cells.length !== names.length)
    return { error: `This row has ${cells.length} cells, but the first line names ${names.length} columns.` };
  if (cells.some((cell) => cell.includes('\ufffd')))
    return { error: 'This row is not UTF-8; nothing was made of it.' };
  const isWritten = names.includes(undefined);
  const fields = names.flatMap((name, at) => {
    const cell = cells[at] ?? '';
    return name === undefined
      ? []
      : [[name, fieldOf(name, isWritten ? withoutApostrophe(cell) : cell)] as const];
  });
  const unread = fields.find(([, value]) => value === undefined);
  if (unread !== undefined) return { error: `The cell of ${unread[0]} cannot be read.` };
  const given = Object.fromEntries(fields.filter(([, value]) => value !== '' && String(value) !== ''));
  if (given[required[action]] === undefined) return { error: `${required[action]} is missing.` };
  return { fields: given };
}

/** An export has an apostrophe before what a spreadsheet would compute. */
function withoutApostrophe(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, '');
}

const kinds: Readonly<Record<string, FieldKind>> = Object.fromEntries(
  [...draftInputs, ...columnsOf('shorten')].map(({ name, kind }) => [name, kind]),
);

/** @returns undefined when the cell cannot be what its column takes */
function fieldOf(name: string, cell: string): unknown {
  if (name === 'tags') return list(cell);
  if (kinds[name] === 'prose') return cell.replaceAll('\r\n', '\n');
  const text = cell.trim();
  return text === '' ? '' : valueOfText(kinds[name] ?? 'word', text);
}
