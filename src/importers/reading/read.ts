import { createHash } from 'node:crypto';
import { BadRow } from '../fields.ts';
import {
  type EndLine,
  type Found,
  formatVersion,
  type Line,
  longestLine,
  type Notice,
  readLine,
} from '../format.ts';
import { type Choices, SourceFailure } from '../service.ts';

export interface Reading {
  /** The source by its name on the command line. */
  readonly source: string;
  /** Its address; null for files. */
  readonly instance: string | null;
  readonly choices: Choices;
  /** Its keys are numbers of rows, which another installation has too. */
  readonly hasRowKeys?: boolean | undefined;
  readonly found: AsyncIterable<Found>;
  readonly onNotice?: (notice: Notice) => void;
}

export type Counts = Record<Exclude<keyof EndLine, 'type'>, number>;

const kindsOfClicks: ReadonlySet<string> = new Set(['visit', 'bucket', 'counter']);

/**
 * The lines of a file of the neutral format, checked one by one: what does not fit becomes a problem.
 * @param counts of what was read so far, kept up to date
 * @throws SourceFailure when the source gives no more; the file then has no end
 */
export async function* linesOf(reading: Reading, counts: Counts): AsyncGenerator<string, void, undefined> {
  const { source, instance, choices } = reading;
  const { readAt, since } = choices;
  try {
    const [found, first] = reading.hasRowKeys ? await untilFirstLink(reading.found) : [reading.found];
    const installation = choices.source ?? (first && fingerprintOf(first));
    yield textOf({ type: 'import', version: formatVersion, source, instance, installation, readAt });
    for await (const line of found) {
      const isOld = since !== undefined && 'at' in line && line.at < since;
      if (isOld || (kindsOfClicks.has(line.type) && !choices.withClicks)) continue;
      const checked = fitting(line);
      if (checked.type === 'warning' || checked.type === 'unused') reading.onNotice?.(checked);
      if (checked.type !== 'unused') counts[`${checked.type}s`] += 1;
      yield textOf(checked);
    }
  } catch (error) {
    if (error instanceof BadRow)
      throw new SourceFailure(`What the source sent cannot be read: ${error.message}.`);
    throw error;
  }
  yield textOf({ type: 'end', ...counts });
}

type LinkFound = Extract<Found, { type: 'link' }>;

/** The same lines, and the first link among them. */
async function untilFirstLink(
  found: AsyncIterable<Found>,
): Promise<[AsyncIterable<Found>, LinkFound | undefined]> {
  const lines = found[Symbol.asyncIterator]();
  const before: Found[] = [];
  let first: LinkFound | undefined;
  while (first === undefined) {
    const next = await lines.next();
    if (next.done) break;
    before.push(next.value);
    if (next.value.type === 'link') first = next.value;
  }
  const all = async function* () {
    yield* before;
    for (let next = await lines.next(); !next.done; next = await lines.next()) yield next.value;
  };
  return [all(), first];
}

/** Tells an installation by its first link: of that everything stays but its destination, its texts and its clicks. */
function fingerprintOf({ key, domain, code, createdAt }: LinkFound): string {
  const text = JSON.stringify([key, domain, code, createdAt]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export function noCounts(): Counts {
  return { links: 0, visits: 0, buckets: 0, counters: 0, problems: 0, warnings: 0 };
}

function fitting(line: Found): Found {
  const read = readLine(line);
  const text = typeof read === 'string' ? read : textOf(line);
  if (typeof read !== 'string' && text.length <= longestLine) return line;
  const where = 'key' in line ? `${line.type} ${line.key}`.slice(0, 1_000).toWellFormed() : '';
  return {
    type: 'problem',
    where,
    reason: typeof read === 'string' ? read : 'it is longer than a line may be',
  };
}

function textOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
