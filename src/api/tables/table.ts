import { type TableFormat, tableTypes } from '../../contract/statistics/exports.ts';
import { headOf, linesOf, type Row } from './rows.ts';

/**
 * Produces a chunk of rows just before the chunk is sent. The call blocks the event loop, so a chunk has only a few
 * dozen rows.
 */
export type MakeRows = () => readonly Row[];

/** A table that is sent row by row. */
export interface Table {
  readonly format: TableFormat;
  /** File name for downloads, without extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<MakeRows>;
}

/** A response whose body is a table. */
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

/** Maximum number of rows per chunk. Producing a chunk delays redirects. */
export const rowsAtOnce = 50;

/** Splits rows into chunks. @param rowAt produces the row at an index */
export function* readInChunks(count: number, rowAt: (at: number) => Row): Generator<MakeRows> {
  for (let from = 0; from < count; from += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, count - from);
    yield () => Array.from({ length }, (_, at) => rowAt(from + at));
  }
}

/**
 * Yields the formatted chunks of a table, each produced in its own tick.
 * @param nextTick resolves when a chunk may be produced
 */
export async function* bytesOf(table: Table, nextTick: () => Promise<unknown>): AsyncGenerator<Buffer, void> {
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
