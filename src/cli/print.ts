import { stripVTControlCharacters, styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];
type Stream = NodeJS.WriteStream;

/** Colours only where a person looks, and never with NO_COLOR. */
export const hasColours = (stream: Stream): boolean => stream.isTTY === true && !process.env.NO_COLOR;

export const paint = (style: Style, text: string, stream: Stream = process.stdout): string =>
  hasColours(stream) ? styleText(style, text, { validateStream: false }) : text;

/** One line of the command's result. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** One line beside the result: explanations, warnings, errors. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

// Control characters, and those that turn the direction of writing.
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes foreign text harmless for a terminal: no escape sequences, one line. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(unprintable, '');

/** JSON for machines: one line, indented only where a person looks. */
export const sayJson = (value: unknown): void => say(jsonOf(value, process.stdout.isTTY ? 2 : 0));

/** One JSON value in one line, for streams of them. */
export const sayJsonLine = (value: unknown): void => say(jsonOf(value, 0));

// JSON leaves DEL and the C1 controls as they are; a terminal may obey them.
const jsonOf = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A time for people: UTC, to the minute. */
export const when = (time: number | string | null | undefined): string =>
  time == null ? '-' : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`;

export const count = (number: number): string => number.toLocaleString('en');

export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export const size = (bytes: number): string => {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** unit).toFixed(1)} ${units[unit]}`;
};

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly right?: true;
  /** May be shortened on a terminal that is too narrow; ids and addresses may not, they are there to be copied. */
  readonly cut?: true;
}

/** Prints rows as a table. On a terminal, columns that may be cut are shortened until it fits. */
export const sayTable = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void => {
  const cells = rows.map((row) => columns.map((column) => clean(column.of(row))));
  const titles = columns.map((column) => column.title);
  const widths = columns.map((_, at) =>
    Math.max(...[titles, ...cells].map((line) => widthOf(line[at] ?? ''))),
  );
  if (process.stdout.isTTY) shrink(widths, columns, process.stdout.columns || 80);
  const lineOf = (line: readonly string[]): string =>
    line
      .map((text, at) => fit(text, widths[at] ?? 0, columns[at]?.right === true))
      .join('  ')
      .trimEnd();
  say(paint('bold', lineOf(titles)));
  for (const line of cells) say(lineOf(line));
};

/** Prints names and values, one pair a line. */
export const sayFacts = (facts: Readonly<Record<string, string>>): void => {
  const width = Math.max(...Object.keys(facts).map(widthOf));
  for (const [name, value] of Object.entries(facts)) {
    say(`${paint('bold', name.padEnd(width))}  ${clean(value)}`.trimEnd());
  }
};

const narrowest = 12;

const shrink = (widths: number[], columns: readonly { cut?: true }[], room: number): void => {
  let excess = widths.reduce((sum, width) => sum + width + 2, -2) - room;
  for (; excess > 0; excess -= 1) {
    const wideEnough = widths.map((width, at) => (columns[at]?.cut && width > narrowest ? width : 0));
    const widest = Math.max(...wideEnough);
    if (widest === 0) return;
    widths[wideEnough.indexOf(widest)] = widest - 1;
  }
};

const combining = /\p{M}|\u200d|\ufe0f/u;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const widthOf = (text: string): number => {
  let width = 0;
  for (const char of text) width += combining.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return width;
};

const fit = (text: string, width: number, right: boolean): string => {
  let shown = text;
  if (widthOf(text) > width) {
    const chars = [...text];
    while (widthOf(chars.join('')) > width - 1) chars.pop();
    shown = `${chars.join('')}…`;
  }
  const gap = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return right ? gap + shown : shown + gap;
};
