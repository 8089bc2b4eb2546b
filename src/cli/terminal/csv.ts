import { CsvError, parse } from 'csv-parse/sync';
import { exits, Stop } from './exits.ts';

/** One row of a CSV file: the line on which it begins, from 1, and the bytes of its cells. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly Uint8Array[];
}

/** The file breaks the rules of CSV, so that the rest of it is ambiguous. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  /** The line on which the unreadable row begins. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** The byte-order mark in UTF-8. */
const mark = [0xef, 0xbb, 0xbf];
const newline = 0x0a;
const blank: ReadonlySet<number | undefined> = new Set([0x0a, 0x0d, 0x20, 0x09]);

/**
 * Reads CSV as RFC 4180 has it, with any line ends; empty lines are passed over. Bytes are not decoded, so that a bad
 * byte makes only its own row fail.
 * @param delimiter one ASCII character
 * @throws CsvFault at the first quote that is out of place
 */
export function readCsv(file: Uint8Array, delimiter: string): CsvRow[] {
  // At a byte-order mark the parser would begin to decode.
  const bytes = mark.every((byte, at) => file[at] === byte) ? file.subarray(mark.length) : file;
  const lineAt = createLineCounter(bytes);
  let readTo = 0;
  const rows: CsvRow[] = [];
  try {
    parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      delimiter,
      encoding: null,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record(cells, { bytes: end }) {
        // Without an encoding, cells are bytes; the types do not say so.
        rows.push({ line: lineAt(readTo), cells: cells as unknown as Uint8Array[] });
        readTo = end;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    throw new CsvFault(
      isOpen
        ? 'a quote is opened and never closed'
        : 'a quote stands where none may; write it twice, in a quoted cell',
      lineAt(readTo),
    );
  }
  return rows;
}

/** Counts the lines up to places, which must come in their order. Blank lines before a row do not belong to it. */
function createLineCounter(bytes: Uint8Array): (at: number) => number {
  let [line, counted] = [1, 0];
  return function lineAt(at) {
    let start = at;
    while (start < bytes.length && blank.has(bytes[start])) start += 1;
    for (; counted < start; counted += 1) if (bytes[counted] === newline) line += 1;
    return line;
  };
}

/**
 * The columns that a first line names, in any case.
 * @param line where it stands, from 1
 * @throws Stop when a column is not known, or comes twice, or the needed one is missing
 */
export function columnsIn<Name extends string>(
  cells: readonly string[],
  line: number,
  { known, needed }: { readonly known: readonly Name[]; readonly needed: Name },
): readonly Name[] {
  const refuse = (why: string): never => {
    throw new Stop(exits.usage, `line ${line}: ${why}. Nothing was done.`);
  };
  const columns = cells.map((cell) => {
    const name = cell.trim().toLowerCase();
    return (
      known.find((one) => one.toLowerCase() === name) ??
      refuse(`there is no column "${cell.trim()}". There are ${known.join(', ')}`)
    );
  });
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice !== undefined) refuse(`the column ${twice} comes twice`);
  if (!columns.includes(needed)) refuse(`the first line must name the columns, one of them ${needed}`);
  return columns;
}
