import { BadRow } from '../fields.ts';
import type { EndLine, Line, LinkLine, Notice, SourceRecord } from '../format.ts';
import { formatVersion, longestLine } from '../limits.ts';
import { type Choices, SourceFailure } from '../service.ts';
import { readAhead } from './text.ts';

export interface Reading {
  /** Name of the source on the command line. */
  readonly source: string;
  /** Address of the source; null for files. */
  readonly instance: string | null;
  readonly choices: Choices;
  /** True if link keys are row numbers, which are not unique across installations. */
  readonly hasRowKeys?: boolean | undefined;
  readonly found: AsyncIterable<SourceRecord>;
  /** Validates a line. @returns the line, or the reason why it does not match the format */
  readonly readLine: (line: SourceRecord) => Line | string;
  readonly onNotice?: (notice: Notice) => void;
}

export type Counts = Record<Exclude<keyof EndLine, 'type'>, number>;

const kindsOfClicks: ReadonlySet<string> = new Set(['visit', 'bucket', 'counter']);

/**
 * Yields the lines of an import file. Each line is checked first, and an invalid line is replaced by a problem line.
 * @param counts updated with each line
 * @throws SourceFailure if the source fails; the file then has no end line
 */
export async function* linesOf(reading: Reading, counts: Counts): AsyncGenerator<string, void, undefined> {
  const { source, instance, choices } = reading;
  const { readAt, since } = choices;
  try {
    const [start, found] = reading.hasRowKeys
      ? await readAhead(reading.found, ({ type }) => type === 'link')
      : [[], reading.found];
    const first = start.at(-1);
    const installation = choices.source ?? (first?.type === 'link' ? await fingerprintOf(first) : undefined);
    yield textOf({ type: 'import', version: formatVersion, source, instance, installation, readAt });
    for await (const line of found) {
      const isOld = since !== undefined && 'at' in line && line.at < since;
      if (isOld || (kindsOfClicks.has(line.type) && !choices.withClicks)) continue;
      const checked = fitting(line, reading.readLine(line));
      if (checked.type === 'warning' || checked.type === 'unused') reading.onNotice?.(checked);
      if (checked.type !== 'unused') counts[`${checked.type}s`] += 1;
      yield textOf(checked);
    }
  } catch (error) {
    if (error instanceof BadRow)
      throw new SourceFailure(`Could not read the source’s response: ${error.message}.`);
    throw error;
  }
  yield textOf({ type: 'end', ...counts });
}

/**
 * Identifies an installation by its first link. Ignores the link's destination, descriptions and clicks, which may
 * change.
 */
async function fingerprintOf({ key, domain, code, createdAt }: LinkLine): Promise<string> {
  // Browsers provide Web Crypto only over HTTPS.
  if (crypto.subtle === undefined)
    throw new SourceFailure('This file can only be read over HTTPS.', false, 'insecure');
  const text = new TextEncoder().encode(JSON.stringify([key, domain, code, createdAt]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
}

export function noCounts(): Counts {
  return { links: 0, visits: 0, buckets: 0, counters: 0, problems: 0, warnings: 0 };
}

function fitting(line: SourceRecord, read: Line | string): SourceRecord {
  const text = typeof read === 'string' ? read : textOf(line);
  if (typeof read !== 'string' && text.length <= longestLine) return line;
  const where = 'key' in line ? `${line.type} ${line.key}`.slice(0, 1_000).toWellFormed() : '';
  return {
    type: 'problem',
    where,
    reason: typeof read === 'string' ? read : 'the row is longer than the maximum line length',
  };
}

function textOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
