import { styleText } from 'node:util';
import { fieldsWith } from '../../model/links/link-field-values.ts';

type Style = Parameters<typeof styleText>[0];
type Stream = NodeJS.WriteStream;

/** Returns true if the output may have colors: only on a terminal, and only if NO_COLOR is not set. */
export function hasColours(stream: Stream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR;
}

export function paint(style: Style, text: string, stream: Stream = process.stdout): string {
  return hasColours(stream) ? styleText(style, text, { validateStream: false }) : text;
}

/** Prints a line of the result to stdout. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints an explanation, a warning or an error to stderr. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

// Matches a terminal sequence for a color or a cursor movement. No part matches the character that starts the next
// part, which prevents quadratic backtracking (a flaw in Node's own pattern).
const controlSequence = /(?:[^\P{Cc}\r\n\t]\[|\u009b)[0-?]*[ -/]*[@-~]/gu;
// Matches control characters, and characters that change the writing direction.
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

let onReaderGone = (): void => process.exit(0);

/** Sets the function to call if the reader of stdout closes it (`| head`). By default, the command ends. */
export function onStdoutClosed(work: () => void): void {
  onReaderGone = work;
}

/** Call this if a result could not be written because the reader of stdout closed it. */
export function stdoutClosed(): void {
  onReaderGone();
}

/** Prints a line of the result. @returns true if it could be written */
export function deliver(line: string): Promise<boolean> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, (error) => resolve(!error)));
}

/** Resolves when every result has been written or has failed. */
export function delivered(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}

/** Makes an untrusted string safe for a terminal: removes escape sequences and line breaks. */
export function clean(text: string): string {
  return text
    .replace(controlSequence, '')
    .replace(/[\r\n\t]+/g, ' ')
    .replace(unprintable, '');
}

/** Prints JSON on one line, or indented if stdout is a terminal. */
export function printJson(value: unknown): void {
  return printLine(jsonOf(value, process.stdout.isTTY ? 2 : 0));
}

/** Prints a JSON value on one line, for streams. */
export function printJsonLine(value: unknown): void {
  return printLine(jsonLine(value));
}

/** Returns a JSON value on one line. */
export function jsonLine(value: unknown): string {
  return jsonOf(value, 0);
}

/** Prints a JSON value to stderr, for an error. */
export function noteJson(value: unknown): void {
  return note(jsonLine(value));
}

// JSON.stringify does not escape DEL and the C1 controls, which a terminal may interpret.
function jsonOf(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a time as readable text, in UTC with minutes. */
export function when(time: number | string | null | undefined): string {
  return time == null ? '-' : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

export function count(number: number): string {
  return number.toLocaleString('en');
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function size(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** unit).toFixed(1)} ${units[unit]}`;
}

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly right?: true;
  /** Set if a narrow terminal may omit the column. The column with the highest number is omitted first. */
  readonly spare?: number;
  /** Set if a narrow terminal may truncate the column. Not set for IDs and URLs, because users copy them. */
  readonly cut?: true;
}

/**
 * Prints rows as a table. On a narrow terminal, truncates the columns that may be truncated. If that is not enough,
 * omits columns and prints a note.
 */
export function printTable<Row>(rows: readonly Row[], all: readonly Column<Row>[]): void {
  const room = roomForLines();
  const columns = columnsWithin(room, rows, all);
  printColumns(rows, columns, room);
  const without = all.filter((column) => !columns.includes(column)).map(({ title }) => title);
  if (without.length > 0)
    note(`Hidden columns: ${without.join(', ')}. Use a wider terminal or --json to see them.`);
}

/** Prints rows as a table, or a note if there are no rows. */
export function printList<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): void {
  if (rows.length === 0) note(none);
  else printTable(rows, columns);
}

function roomForLines(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Returns true if the complete table fits on the terminal. */
export function fitsIn<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): boolean {
  const widths = columns.map((column) => widthOfColumn(column, rows));
  return widths.reduce((sum, width) => sum + width + gap, -gap) <= roomForLines();
}

function widthOfColumn<Row>(column: Column<Row>, rows: readonly Row[]): number {
  return rows.reduce((width, row) => Math.max(width, widthOf(clean(column.of(row)))), widthOf(column.title));
}

function columnsWithin<Row>(
  room: number,
  rows: readonly Row[],
  all: readonly Column<Row>[],
): readonly Column<Row>[] {
  const least = all.map((column) => {
    const width = widthOfColumn(column, rows);
    return { column, width: column.cut ? Math.min(width, narrowest) : width };
  });
  const kept = [...least];
  while (kept.reduce((sum, { width }) => sum + width + gap, -gap) > room) {
    const most = Math.max(...kept.map(({ column }) => column.spare ?? 0));
    if (most === 0) break;
    kept.splice(
      kept.findIndex(({ column }) => column.spare === most),
      1,
    );
  }
  return kept.map(({ column }) => column);
}

function printColumns<Row>(rows: readonly Row[], columns: readonly Column<Row>[], room: number): void {
  const cells = rows.map((row) => columns.map((column) => clean(column.of(row))));
  const titles = columns.map((column) => column.title);
  const widths = columns.map((column) => widthOfColumn(column, rows));
  shrink(widths, columns, room);
  const lineOf = (line: readonly string[]): string =>
    line
      .map((text, at) => fit(text, widths[at] ?? 0, columns[at]?.right === true))
      .join(' '.repeat(gap))
      .trimEnd();
  printLine(paint('bold', lineOf(titles)));
  for (const line of cells) printLine(lineOf(line));
}

/** Prints names and values, one pair per line. */
export function printFacts(facts: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(facts).map(widthOf));
  for (const [name, value] of Object.entries(facts)) {
    printLine(`${paint('bold', name.padEnd(width))}  ${clean(value)}`.trimEnd());
  }
}

/** Formats a field value as readable text; `-` if there is no value. */
export function displayValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (name.endsWith('At')) return when(value as string);
  if (Array.isArray(value) && typeof value[0] !== 'object') return value.join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const onByDefault: readonly string[] = fieldsWith('isInverted');

/** Prints the fields of a record, except fields without a value and flags with their default value. */
export function printRecord(record: object): void {
  const facts = Object.entries(record).flatMap(([name, value]) => {
    const shown = displayValue(name, value);
    const isDefault = typeof value === 'boolean' && value === onByDefault.includes(name);
    return shown === '-' || isDefault ? [] : [[name, name.endsWith('At') ? String(value) : shown]];
  });
  printFacts(Object.fromEntries(facts));
}

const narrowest = 12;
/** Number of spaces between two columns. */
const gap = 2;

function shrink(widths: number[], columns: readonly { cut?: true }[], room: number): void {
  let excess = widths.reduce((sum, width) => sum + width + gap, -gap) - room;
  for (; excess > 0; excess -= 1) {
    const wideEnough = widths.map((width, at) => (columns[at]?.cut && width > narrowest ? width : 0));
    const widest = Math.max(...wideEnough);
    if (widest === 0) return;
    widths[wideEnough.indexOf(widest)] = widest - 1;
  }
}

const combining = /\p{M}|\u200d|\ufe0f/u;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Returns the width of a string on a terminal, in character cells. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += combining.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return width;
}

/** Truncates or pads a string to a width in character cells. */
export function fit(text: string, width: number, right: boolean): string {
  let shown = text;
  if (widthOf(text) > width) {
    const chars = [...text];
    while (widthOf(chars.join('')) > width - 1) chars.pop();
    shown = `${chars.join('')}…`;
  }
  const filling = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return right ? filling + shown : shown + filling;
}
