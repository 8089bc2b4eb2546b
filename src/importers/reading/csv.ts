/** A record of a table. */
export interface CsvRecord {
  /** Line on which it starts, from 1. */
  readonly line: number;
  readonly cells: string[];
  /** Whether every cell is quoted, so that no cell was cut at a delimiter. */
  readonly isQuoted: boolean;
}

/** Escaping: `csv` as in RFC 4180, `mysql` with backslashes, as written by `mysql -B` and INTO OUTFILE. */
export type Dialect = 'csv' | 'mysql';
export const dialects: readonly Dialect[] = ['csv', 'mysql'];

/** The characters with a special meaning. */
interface Syntax {
  readonly delimiter: string;
  readonly quotes: boolean;
  readonly escapes: boolean;
  /** Whether a single carriage return ends a line. In a file with line feeds it does not. */
  readonly returns: boolean;
}

interface Parsed {
  readonly cells: string[];
  /** Where the next record starts. */
  readonly end: number;
  /** A cell starts with a quote that is not closed before a delimiter or line end, and was therefore read as text. */
  readonly isOdd: boolean;
  readonly spansLines: boolean;
  readonly isQuoted: boolean;
}

/** Maximum length of a record. If a record would be longer, its unclosed quote is treated as text. */
const longestRecord = 1_000_000;

/** Guesses the delimiter of a table. @param lines its first lines; only the first one counts if it is a header */
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
 * Guesses from the start of a file whether it has backslash escapes: all backslashes form escapes, and there are tabs,
 * `\N`, an escaped line end or a `\"` that RFC 4180 does not allow.
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
 * Returns true if a file with backslash escapes also encloses cells in quotes, as INTO OUTFILE can: then every value of
 * some column is quoted. `mysql -B` never adds quotes.
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
  /** Guessed for each record if undefined, trying the more likely one first. */
  readonly dialect: Dialect | undefined;
  /** The start of the file. */
  readonly sample: string;
}

/**
 * Reads records with any line ends. Each record is read in the dialect that gives it as many cells as the first record.
 * A quote is treated as text if it is not closed before a delimiter or line end, or if it would include following rows.
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
  /** Number of cells in the first record; 0 before it. */
  readonly width: number;
  readonly isEnd: boolean;
  readonly isStrict: boolean;
}

/** @returns undefined if the text ends before the record does */
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
 * Returns true if each line of a record looks like a row: the same number of cells, with URLs and numbers in the same
 * places.
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

/** @returns undefined if the text ends before the record does */
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
    // The next chunk may start with a line feed.
    if (!isEnd && (at >= text.length || (text[at] === '\r' && at === text.length - 1))) return undefined;
    return { cells, end: at + lineEndAt(text, at, syntax), isOdd, spansLines, isQuoted };
  }
}

/** @returns the length of a line end; 0 if there is none */
function lineEndAt(text: string, at: number, { returns }: Syntax): 0 | 1 | 2 {
  if (text[at] === '\n') return 1;
  if (text[at] !== '\r') return 0;
  return text[at + 1] === '\n' ? 2 : returns ? 1 : 0;
}

/** Returns where a quoted cell is closed. @returns -1 if the quote is text, undefined if the text ends too early */
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
