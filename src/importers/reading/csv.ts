/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which the record starts, counted from 1. */
  readonly line: number;
  readonly cells: string[];
  /** True if every cell is quoted, which means that no cell was split at a delimiter. */
  readonly isQuoted: boolean;
}

/** How values are escaped. `csv` follows RFC 4180. `mysql` uses backslashes, as `mysql -B` and INTO OUTFILE do. */
export type Dialect = 'csv' | 'mysql';
export const dialects: readonly Dialect[] = ['csv', 'mysql'];

/** Characters with a special meaning. */
interface Syntax {
  readonly delimiter: string;
  readonly quotes: boolean;
  readonly escapes: boolean;
  /** True if a carriage return alone ends a line. False in a file with line feeds. */
  readonly returns: boolean;
}

interface Parsed {
  readonly cells: string[];
  /** Index at which the next record starts. */
  readonly end: number;
  /**
   * True if a cell starts with a quote that is not closed before a delimiter or line ending. The quote is then read as
   * text.
   */
  readonly isOdd: boolean;
  readonly spansLines: boolean;
  readonly isQuoted: boolean;
}

/**
 * Maximum length of a record in characters. If an unclosed quote would make a record longer, the quote is treated as
 * text.
 */
const longestRecord = 1_000_000;

/** Guesses the delimiter of a table. @param lines first lines of the table; only the header counts if there is one */
export function delimiterOf(lines: readonly string[], hasHeader: boolean): string {
  const counts = lines.map((line) => {
    const plain = line.replaceAll(/"(?:[^"]|"")*"/g, '');
    return (delimiter: string): number => plain.split(delimiter).length - 1;
  });
  const score = (delimiter: string): number => {
    const [first = 0, ...rest] = counts.map((count) => count(delimiter));
    return hasHeader ? first : Math.min(first, ...rest) || first / 1_000;
  };
  const [best = ','] = [',', ';', '\t', '|'].sort((a, b) => score(b) - score(a));
  return best;
}

/**
 * Guesses from the start of a file whether it has backslash escapes. The answer is yes if every backslash is part of an
 * escape, and the delimiter is a tab or the file contains `\N`, an escaped line break or a `\"` that RFC 4180 does not
 * allow.
 */
export function hasEscapes(sample: string, delimiter: string): boolean {
  const rest = sample.replaceAll(/\\(?:[\\nrtbZ0N"'\n\r]|$)/g, '').replaceAll(`\\${delimiter}`, '');
  if (!sample.includes('\\') || rest.includes('\\')) return false;
  const isNull = (line: string): boolean => line.split(delimiter).includes('\\N');
  const isQuote = ([, next]: RegExpExecArray): boolean => next !== delimiter;
  return (
    delimiter === '\t' ||
    /\\\r?\n/.test(sample) ||
    sample.split(/[\r\n]/).some(isNull) ||
    [...sample.matchAll(/\\"([^"\r\n])/g)].some(isQuote)
  );
}

/**
 * Returns true if a file with backslash escapes also encloses cells in quotes, as INTO OUTFILE can. If it does, at
 * least one column has only quoted values. `mysql -B` never adds quotes.
 */
function hasQuotedColumn(sample: string, delimiter: string): boolean {
  const rows = sample
    .split(/\r?\n/)
    .slice(1, -1)
    .map((line) => line.split(delimiter));
  return (rows[0] ?? []).some(
    (_, at) =>
      rows.every((cells) => /^(?:".*"|\\N|NULL|)$/s.test(cells[at] ?? '')) &&
      rows.some((cells) => cells[at]?.startsWith('"')),
  );
}

export interface CsvOptions {
  readonly delimiter: string;
  /** If undefined, the dialect is guessed for each record, and the more likely dialect is tried first. */
  readonly dialect: Dialect | undefined;
  /** Start of the file. */
  readonly sample: string;
}

/**
 * Reads records with any line endings. For each record, the reader uses the dialect that yields as many cells as the
 * first record has. A quote is treated as text if it is not closed before a delimiter or line ending, or if the cell
 * would include the following rows.
 */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  { delimiter, dialect, sample }: CsvOptions,
): AsyncGenerator<CsvRecord, void, undefined> {
  const escapes = dialect === undefined ? hasEscapes(sample, delimiter) : dialect === 'mysql';
  const quotes = !escapes || delimiter !== '\t' || hasQuotedColumn(sample, delimiter);
  const first = { delimiter, escapes, quotes, returns: !sample.includes('\n') };
  const others = [
    { ...first, quotes: true, escapes: !escapes },
    { ...first, quotes: false },
  ];
  const syntaxes = dialect === undefined ? [first, ...others] : [first];
  let text = '';
  let line = 1;
  let width = 0;
  const records = function* (isEnd: boolean): Generator<CsvRecord> {
    let start = 0;
    while (start < text.length) {
      const isLong = isEnd || text.length - start > longestRecord;
      const parsed = bestRecord(text, start, {
        syntaxes,
        width,
        isEnd: isLong,
        isStrict: dialect !== undefined,
      });
      if (parsed === undefined) break;
      const { cells, end, isQuoted, spansLines } = parsed;
      const isBlank = cells.every((cell) => cell.trim() === '');
      if (!isBlank) {
        width ||= cells.length;
        yield { line, cells, isQuoted };
      }
      line += spansLines ? linesIn(text, start, end) : 1;
      start = end;
    }
    text = text.slice(start);
  };
  for await (const piece of texts) {
    text += piece;
    yield* records(false);
  }
  yield* records(true);
}

interface DialectCandidates {
  readonly syntaxes: readonly Syntax[];
  /** Number of cells in the first record; 0 before the first record. */
  readonly width: number;
  readonly isEnd: boolean;
  readonly isStrict: boolean;
}

/** Parses the record at a position in the best matching dialect. @returns undefined if more text is needed */
function bestRecord(text: string, start: number, place: DialectCandidates): Parsed | undefined {
  const { syntaxes, width, isEnd, isStrict } = place;
  const fits = ({ cells }: Parsed): boolean =>
    width === 0 || (cells.length >= width && cells.slice(width).every((cell) => cell.trim() === ''));
  const readings: Parsed[] = [];
  let parsed: Parsed | undefined;
  for (const syntax of syntaxes) {
    parsed = recordAt(text, start, syntax, isEnd);
    if (parsed === undefined) return undefined;
    const { end, isOdd, spansLines } = parsed;
    if (!isStrict && spansLines && hidesRows(text.slice(start, end), syntax, width)) continue;
    if (isStrict || (fits(parsed) && !isOdd)) return parsed;
    readings.push(parsed);
  }
  return (
    readings.find(fits) ??
    readings.find(({ isOdd, cells }) => !isOdd && cells.length < width) ??
    readings.find(({ spansLines }) => !spansLines) ??
    parsed
  );
}

/**
 * Returns true if each line of a record looks like a row: all lines have the same number of cells, with URLs and
 * numbers in the same columns.
 */
function hidesRows(record: string, syntax: Syntax, width: number): boolean {
  const lines = record.replace(/\r?\n$|\r$/, '').split(/\r\n|\n|\r/);
  const rows = lines.map((line) => recordAt(line, 0, syntax, true)?.cells ?? []);
  const kinds = (rows[0] ?? []).map(kindOf);
  return rows.every(
    (cells) =>
      cells.length === width &&
      kinds.some((kind, at) => kind !== 'text' && kindOf(cells[at] ?? '') === kind) &&
      kinds.every((kind, at) => kind === 'text' || ['none', kind].includes(kindOf(cells[at] ?? ''))),
  );
}

function kindOf(cell: string): 'address' | 'number' | 'none' | 'text' {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(cell)) return 'address';
  if (/^\d[\d\s.,:TZ+/-]*$/.test(cell)) return 'number';
  return /^(?:NULL|\\N|)$/.test(cell) ? 'none' : 'text';
}

/** Parses the record at a position. @returns undefined if more text is needed */
function recordAt(text: string, start: number, syntax: Syntax, isEnd: boolean): Parsed | undefined {
  const { delimiter, quotes, escapes } = syntax;
  const cells: string[] = [];
  let [isOdd, spansLines, isQuoted] = [false, false, true];
  for (let at = start; ; at += 1) {
    let open = at;
    while (quotes && text[open] === ' ' && delimiter !== ' ') open += 1;
    const close = quotes && text[open] === '"' ? closeOf(text, open, syntax, isEnd) : -1;
    if (close === undefined) return undefined;
    if (close !== -1) {
      const inside = text.slice(open + 1, close).replaceAll('""', '"');
      spansLines ||= /[\r\n]/.test(inside);
      cells.push(escapes ? unescaped(inside) : inside);
      at = close + 1;
    } else {
      isOdd ||= quotes && text[open] === '"';
      isQuoted = false;
      const from = at;
      while (at < text.length && text[at] !== delimiter && lineEndAt(text, at, syntax) === 0)
        at += escapes && text[at] === '\\' ? 2 : 1;
      at = Math.min(at, text.length);
      const cell = text.slice(from, at);
      spansLines ||= escapes && /[\r\n]/.test(cell);
      cells.push(escapes ? unescaped(cell) : cell);
    }
    if (text[at] === delimiter) continue;
    // The next chunk may start with the line feed of a two-character line ending.
    if (!isEnd && (at >= text.length || (text[at] === '\r' && at === text.length - 1))) return undefined;
    return { cells, end: at + lineEndAt(text, at, syntax), isOdd, spansLines, isQuoted };
  }
}

/** Returns the length of the line ending at a position, or 0 if there is none. */
function lineEndAt(text: string, at: number, { returns }: Syntax): 0 | 1 | 2 {
  if (text[at] === '\n') return 1;
  if (text[at] !== '\r') return 0;
  return text[at + 1] === '\n' ? 2 : returns ? 1 : 0;
}

/**
 * Returns the position of a cell's closing quote.
 * @returns -1 if the opening quote is text, undefined if more text is needed
 */
function closeOf(text: string, open: number, syntax: Syntax, isEnd: boolean): number | undefined {
  const { delimiter, escapes } = syntax;
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (escapes && isEscaped(text, at)) continue;
    const next = text[at + 1];
    const isLast = next === undefined || (next === '\r' && at + 2 === text.length);
    if (isLast) return isEnd ? at : undefined;
    if (next !== '"') return next === delimiter || lineEndAt(text, at + 1, syntax) > 0 ? at : -1;
    at += 1;
  }
  return isEnd ? -1 : undefined;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

const meanings: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', 0: '\0', Z: '\x1a' };

function unescaped(cell: string): string {
  if (cell === '\\N') return '';
  return cell.includes('\\')
    ? cell.replaceAll(/\\(.)/gs, (_, letter: string) => meanings[letter] ?? letter)
    : cell;
}

function linesIn(text: string, start: number, end: number): number {
  let lines = 0;
  for (let at = start; at < end; at += 1)
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) lines += 1;
  return lines;
}
