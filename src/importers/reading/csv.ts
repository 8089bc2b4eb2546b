/** A record of a CSV file, or why it is none. */
export type CsvRecord = { readonly line: number } & (
  | { readonly cells: string[] }
  | { readonly error: string }
);

const longestRecord = 1_000_000;

interface Parsed {
  readonly cells: string[];
  /** Where the next record begins. */
  readonly end: number;
}

/**
 * Records as RFC 4180 has them, with any line ends, as many cells each as the first has. A quote that is never closed, or closed
 * by one of a later record, spoils its own line alone: reading goes on behind it.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<CsvRecord, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let line = 1;
  let width = 0;
  const records = function* (isEnd: boolean): Generator<CsvRecord> {
    let start = 0;
    while (start < text.length) {
      const parsed = recordAt(text, start, delimiter, isEnd);
      if (parsed === undefined && !isEnd && text.length - start <= longestRecord) break;
      const { cells = [], end = text.length } = parsed ?? {};
      const isEmpty = cells.length === 1 && cells[0] === '';
      width ||= isEmpty ? 0 : cells.length;
      if (parsed === undefined) yield { line, error: 'a quote is never closed, or the record has no end' };
      else if (cells.length === width) yield { line, cells };
      else if (!isEmpty)
        yield { line, error: `it has ${cells.length} cells, but there are ${width} columns` };
      const isWhole = cells.length === width || isEmpty;
      const next = isWhole ? end : nextLine(text, start);
      line += text.slice(start, next).match(/\r\n|\n|\r/g)?.length ?? 0;
      start = next;
    }
    text = text.slice(start);
  };
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    yield* records(false);
  }
  text += decoder.decode();
  yield* records(true);
}

function nextLine(text: string, start: number): number {
  const at = text.slice(start).search(/[\r\n]/);
  return at === -1 ? text.length : start + at + (text.startsWith('\r\n', start + at) ? 2 : 1);
}

/** @returns undefined when the text ends before the record does */
function recordAt(text: string, start: number, delimiter: string, isEnd: boolean): Parsed | undefined {
  const cells: string[] = [];
  for (let at = start; ; at += 1) {
    let cell = '';
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close === -1 || (close + 1 === text.length && !isEnd)) return undefined;
      cell = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    }
    const plain = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
    cells.push(cell + text.slice(plain, at));
    if (text[at] === delimiter) continue;
    // Whether a line feed follows is in the next chunk.
    if (!isEnd && at >= text.length - 1) return text[at] === '\n' ? { cells, end: at + 1 } : undefined;
    return { cells, end: Math.min(text.length, at + (text.startsWith('\r\n', at) ? 2 : 1)) };
  }
}
