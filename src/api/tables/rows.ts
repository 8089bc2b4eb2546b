import type { TableFormat } from '../../contract/statistics/exports.ts';

/** A row of a table: a value for each column. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A cell of CSV as RFC 4180 has it. A text that a spreadsheet would compute, since it begins with `=`, `+`, `-`, `@`, a tab or
 * a carriage return, gets an apostrophe in front, which makes it a text there.
 */
function cellOf(value: unknown): string {
  const text = textOf(value);
  const safe = typeof value !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The first line of a table; NDJSON has none. */
export function headOf(format: TableFormat, columns: readonly string[]): string {
  return format === 'csv' ? `${columns.join(',')}\r\n` : '';
}

/** Rows as lines. */
export function linesOf(format: TableFormat, columns: readonly string[], rows: readonly Row[]): string {
  return format === 'csv'
    ? rows.map((row) => `${columns.map((name) => cellOf(row[name])).join(',')}\r\n`).join('')
    : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
