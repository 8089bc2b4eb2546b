import { type Found, longestLine } from '../format.ts';
import { type Choices, type ParseRow, taken } from '../service.ts';
import { csvRecords } from './csv.ts';

/** A line of NDJSON, or why it is none. */
export type JsonLine = { readonly line: number } & ({ readonly value: unknown } | { readonly error: string });

/** Lines of JSON, one after the other; what is none is told, and passed over. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonLine, void, undefined> {
  let line = 0;
  let rest = Buffer.alloc(0);
  let isTooLong = false;
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const read = function* (bytes: Buffer): Generator<JsonLine> {
    line += 1;
    try {
      if (isTooLong || bytes.length > longestLine)
        yield { line, error: `it is longer than ${longestLine} bytes` };
      else if (bytes.length > 0) yield { line, value: JSON.parse(utf8.decode(bytes)) };
    } catch {
      yield { line, error: 'it is no JSON in UTF-8' };
    }
    isTooLong = false;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield* read(Buffer.concat([rest, chunk.subarray(start, end)]));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length <= longestLine) continue;
    isTooLong = true;
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0 || isTooLong) yield* read(rest);
}

export interface Table {
  /** For people: what its rows are of. */
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
  readonly choices: Choices;
  /** Called once with the names of the columns; for lines of JSON with those of the first. */
  readonly parserOf: (columns: readonly string[]) => ParseRow;
}

/** What the rows of a file say: CSV whose first line names the columns, separated by commas, semicolons or tabs; or NDJSON. */
export async function* foundInTable({ name, chunks, choices, parserOf }: Table): AsyncGenerator<Found> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (!/[\r\n]/.test(start.toString('latin1').trimStart()) && start.length < longestLine) {
    const next = await iterator.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  const all = (async function* () {
    yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  })();
  let parse: ParseRow | undefined;
  let columns: string[] = [];
  const known = new Set<string>();
  const used = new Set<string>();
  const say = (line: number, reason: string): Found => ({
    type: 'problem',
    where: `${name} line ${line}`,
    reason,
  });
  const foundIn = (line: number, row: unknown): Iterable<Found> => {
    parse ??= parserOf(Object.keys(row ?? {}));
    for (const column of Object.keys(row ?? {})) known.add(column);
    return taken([row], `${name} line ${line}`, choices, parse, used);
  };
  const [head = ''] = start
    .toString('utf8')
    .replace('\ufeff', '')
    .trimStart()
    .split(/[\r\n]/);
  if (head.startsWith('{')) {
    for await (const read of jsonLines(all)) {
      if ('error' in read) yield say(read.line, read.error);
      else yield* foundIn(read.line, read.value);
    }
    yield* unusedIn(name, known, used);
    return;
  }
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length);
  for await (const record of csvRecords(all, delimiter)) {
    if ('error' in record) yield say(record.line, record.error);
    else if (columns.length === 0) columns = record.cells.map((cell) => cell.replace('\ufeff', '').trim());
    else
      yield* foundIn(
        record.line,
        Object.fromEntries(columns.map((column, at) => [column, record.cells[at]])),
      );
  }
  yield* unusedIn(name, known, used);
}

/** The columns that a parser never looked at. */
function* unusedIn(where: string, known: ReadonlySet<string>, used: ReadonlySet<string>): Generator<Found> {
  const columns = [...known.difference(used)].map((column) => column.slice(0, 200).toWellFormed());
  if (columns.length > 0) yield { type: 'unused', where, columns };
}
