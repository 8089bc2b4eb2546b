import type { Client } from '../../client/client.ts';
import { columnsOf, valueOfText } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { list } from '../terminal/command.ts';
import { CsvFault, type CsvRow, columnsIn, readCsv } from '../terminal/csv.ts';
import { exits, Stop } from '../terminal/exits.ts';
import type { Format } from './shorten.ts';

export type Draft = Parameters<Client['shorten']>[0];

/** One link that a file asks for, or why its line cannot be read. */
export type Line = {
  /** The line on which it begins, from 1. */
  readonly number: number;
  /** The text that identifies it among the lines of the file. */
  readonly text: string;
  /** Whether it names the fields by their names in the API. */
  readonly namesFields: boolean;
} & ({ readonly draft: Draft } | { readonly error: Stop });

const inputs = [...columnsOf('shorten'), ...draftInputs];
const fieldNames = [
  'url',
  'customCode',
  ...inputs.map(({ name }) => name),
  'tags',
] as const satisfies (keyof Draft)[];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the input of `links shorten --file`: a URL, a URL and a code, or a JSON object on each line; or CSV whose first
 * line names its columns.
 * @throws Stop when the file as a whole cannot be read; a problem of one line is that line's error
 */
export function readLines(bytes: Uint8Array, format: Format | undefined): Line[] {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Stop(exits.usage, 'The file is in UTF-16. Save it as UTF-8.');
  const plain = plainLines(bytes);
  const head = plain.find(
    (line) => line.text !== undefined && line.text !== '' && !line.text.startsWith('#'),
  );
  const delimiter = delimiterIn(head?.text ?? '');
  const isCsv = format === 'csv' || (format === undefined && delimiter !== undefined);
  return isCsv ? csvLines(bytes, delimiter ?? ',') : plain.flatMap((line) => lineOf(line, format));
}

interface PlainLine {
  readonly number: number;
  /** Trimmed; undefined when the bytes are not UTF-8. */
  readonly text: string | undefined;
}

function plainLines(bytes: Uint8Array): PlainLine[] {
  const lines: PlainLine[] = [];
  for (let [start, number] = [0, 1]; start < bytes.length; number += 1) {
    const end = bytes.indexOf(0x0a, start);
    lines.push({ number, text: textIn(bytes.subarray(start, end === -1 ? bytes.length : end))?.trim() });
    start = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

/** A text without its byte-order mark; undefined when the bytes are not UTF-8. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The delimiter of a line that names columns, one of them `url`; undefined for any other line. */
function delimiterIn(line: string): string | undefined {
  const cells = line.split(/[,;\t]/).map((cell) =>
    cell
      .replace(/^"(.*)"$/, '$1')
      .trim()
      .toLowerCase(),
  );
  if (line.startsWith('{') || !cells.includes('url')) return undefined;
  return /[,;\t]/.exec(line)?.[0] ?? ',';
}

const notUtf8 = 'This line is not UTF-8; nothing was made of it.';

function lineOf({ number, text }: PlainLine, format: Format | undefined): Line[] {
  if (text === '' || text?.startsWith('#')) return [];
  const line = { number, text: text ?? '', namesFields: text?.startsWith('{') ?? false };
  try {
    if (text === undefined) throw new Stop(exits.refused, notUtf8);
    return [{ ...line, draft: line.namesFields ? objectIn(text) : pairIn(text, format) }];
  } catch (error) {
    return [{ ...line, error: error as Stop }];
  }
}

/** @throws Stop when it is no JSON object, or has a field that links have not */
function objectIn(text: string): Draft {
  let draft: Draft;
  try {
    draft = JSON.parse(text) as Draft;
  } catch {
    throw new Stop(exits.refused, 'This is not a JSON object.');
  }
  const unknown = Object.keys(draft).find((field) => !(fieldNames as string[]).includes(field));
  if (unknown !== undefined)
    throw new Stop(exits.refused, `There is no field "${unknown}". There are ${fieldNames.join(', ')}.`);
  return draft;
}

/** @throws Stop when the line holds more than a URL and a code, or could be CSV */
function pairIn(text: string, format: Format | undefined): Draft {
  const [url = '', code = '', ...rest] = text.split('\t').map((cell) => cell.trim());
  if (rest.length > 0)
    throw new Stop(
      exits.refused,
      'This line has more than a URL and a code. In a table, the first line names the columns: url, customCode, title and so on.',
    );
  const [mark] = format === undefined ? (/[,;]/.exec(text) ?? []) : [];
  if (mark !== undefined)
    throw new Stop(
      exits.refused,
      `This line holds "${mark}". If the file is CSV, let its first line name the columns, such as url,customCode,title. If not, say --format lines.`,
    );
  return { url, customCode: code || undefined };
}

function csvLines(bytes: Uint8Array, delimiter: string): Line[] {
  const [head, ...rows] = rowsIn(bytes, delimiter).filter(({ cells }) => cells[0]?.[0] !== 0x23);
  if (head === undefined) return [];
  const names = head.cells.map((cell) => textIn(cell) ?? '\ufffd');
  const columns = columnsIn(names, head.line, { known: fieldNames, needed: 'url' });
  return rows.map((row) => {
    const cells = row.cells.map(textIn);
    const line = { number: row.line, text: JSON.stringify(cells), namesFields: true };
    try {
      return { ...line, draft: draftIn(columns, cells) };
    } catch (error) {
      return { ...line, error: error as Stop };
    }
  });
}

/** @throws Stop */
function rowsIn(bytes: Uint8Array, delimiter: string): CsvRow[] {
  try {
    return readCsv(bytes, delimiter);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw new Stop(exits.usage, `line ${error.line}: ${error.message}. Nothing was done.`);
  }
}

const isProse: ReadonlySet<keyof Draft> = new Set(
  inputs.filter(({ kind }) => kind === 'prose').map(({ name }) => name),
);

/** @throws Stop when a cell cannot be what its column takes */
function valueIn(column: keyof Draft, cell: string): unknown {
  const { kind } = inputs.find(({ name }) => name === column) ?? { kind: 'word' as const };
  if (cell === '') return '';
  const value = valueOfText(kind, cell);
  if (value === undefined) throw new Stop(exits.refused, `The cell of ${column} cannot be read: ${cell}`);
  return value;
}

/** Leaves out empty cells. @throws Stop when the row is not UTF-8, or has not as many cells as the header */
function draftIn(columns: readonly (keyof Draft)[], cells: readonly (string | undefined)[]): Draft {
  if (cells.length !== columns.length)
    throw new Stop(
      exits.refused,
      `This row has ${cells.length} cells, but the first line names ${columns.length} columns.`,
    );
  const fields = columns.map((column, at) => {
    const cell = cells[at];
    if (cell === undefined) throw new Stop(exits.refused, notUtf8);
    if (column === 'tags') return [column, list(cell)] as const;
    return [
      column,
      isProse.has(column) ? cell.replaceAll('\r\n', '\n') : valueIn(column, cell.trim()),
    ] as const;
  });
  return {
    url: '',
    ...Object.fromEntries(
      fields.filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
    ),
  };
}
