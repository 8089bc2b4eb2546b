import { type TableFormat, tableTypes } from '../../contract/statistics/exports.ts';
import { headOf, linesOf, type Row } from './rows.ts';

/** Rows that are made when they are written: at most some hundred, since they are made at once. */
export type MakeRows = () => readonly Row[];

/** A table that is sent row by row. */
export interface Table {
  readonly format: TableFormat;
  /** As which a browser saves it, without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<MakeRows>;
}

/** An answer that is a table. */
export class Exported {
  readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }
}

export function headersOf({ format, name }: Table): Record<string, string> {
  const type = format === 'csv' ? `${tableTypes.csv}; charset=utf-8; header=present` : tableTypes.ndjson;
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}.${format}"` };
}

/** Rows that one piece of work makes: a redirect waits for it. */
export const rowsAtOnce = 200;

/** Cuts rows that are there already into pieces. @param rowAt makes one of them */
export function* readInChunks(count: number, rowAt: (at: number) => Row): Generator<MakeRows> {
  for (let from = 0; from < count; from += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, count - from);
    yield () => Array.from({ length }, (_, at) => rowAt(from + at));
  }
}

/** The pieces of a table in its format, each made in a tick of its own. @param nextTick resolves when a piece may be made */
export async function* textsOf(table: Table, nextTick: () => Promise<unknown>): AsyncGenerator<Buffer, void> {
  const { format, columns, rows } = table;
  let head = headOf(format, columns);
  for await (const make of rows) {
    await nextTick();
    const text = head + linesOf(format, columns, make());
    head = '';
    if (text !== '') yield Buffer.from(text);
  }
  if (head !== '') yield Buffer.from(head);
}
