import type { TableFormat } from '../../contract/statistics/exports.ts';
import { csvCell } from '../../runtime/csv.ts';

/** A table row, as a map from column names to values. */
export type Row = Readonly<Record<string, unknown>>;

function cellOf(value: unknown): string | number {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the header line for CSV; an empty string for NDJSON. */
export function headOf(format: TableFormat, columns: readonly string[]): string {
  return format === 'csv' ? `${columns.join(',')}\r\n` : '';
}

/** Formats rows as lines of CSV or NDJSON. */
export function linesOf(format: TableFormat, columns: readonly string[], rows: readonly Row[]): string {
  return format === 'csv'
    ? rows.map((row) => `${columns.map((name) => csvCell(cellOf(row[name]))).join(',')}\r\n`).join('')
    : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
