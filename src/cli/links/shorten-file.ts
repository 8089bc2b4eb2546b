import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { CallOptions, Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { reasonOf } from '../../runtime/file-faults.ts';
import { endOf, exits, Stop } from '../terminal/exits.ts';
import { type FieldNames, optionNames } from '../terminal/field-names.ts';
import { withHint } from '../terminal/options.ts';
import {
  clean,
  count,
  deliver,
  delivered,
  jsonLine,
  note,
  plural,
  whenReaderGoes,
} from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Format } from './shorten.ts';
import { type Draft, type Line, readLines } from './shorten-input.ts';

interface RunOptions {
  readonly format: Format | undefined;
  readonly json: true | undefined;
  /** Connects, and returns the fields that all links share. */
  readonly open: () => Promise<{ readonly client: Client; readonly common: Omit<Draft, 'url'> }>;
  /** @param occurrence how often this text has occurred so far, from 1 */
  readonly callOptions: (text: string, occurrence: number) => CallOptions;
}

interface Made {
  readonly made: Awaited<ReturnType<Client['shorten']>>;
  readonly url: string;
}

interface Failed {
  readonly error: unknown;
  readonly url: string;
}

const atOnce = 8;

/**
 * Makes a link for every line of a file, and prints the results in the order of the file.
 * @throws Stop when lines failed, or were not tried: because the server would refuse them all, the command was
 * interrupted, or the reader of the results went away
 */
export async function shortenFile(file: string, options: RunOptions): Promise<void> {
  const lines = readLines(await readInput(file), options.format);
  const { client, common } = await options.open();
  const occurrence = occurrencesOf(lines);
  const progress = createProgress('Shortening', { quiet: true });
  const results: (Made | Failed | undefined)[] = [];
  const unread: string[] = [];
  let next = 0;
  let printed = 0;
  let hopeless: { readonly line: Line; readonly error: unknown } | undefined;
  let isInterrupted = false;
  let hasReader = true;

  const print = (result: Made | Failed, line: Line): void => {
    progress.clear();
    if ('error' in result && !options.json) return note(`line ${line.number}: ${sentenceOf(result, line)}`);
    const text = options.json ? jsonLine(objectOf(result, line)) : rowOf(result as Made);
    void deliver(text).then((isWritten) => isWritten || unread.push(text));
  };

  /** Prints finished lines in the order of the file; at the end also those behind a gap, so that none is lost. */
  const flush = ({ overGaps = false } = {}): void => {
    for (; printed < (overGaps ? results.length : next); printed += 1) {
      const [result, line] = [results[printed], lines[printed]];
      if (result !== undefined && line !== undefined) print(result, line);
      else if (!overGaps) return;
    }
  };

  const shortenLine = async (at: number): Promise<Made | Failed> => {
    const line = lines[at] as Line;
    if ('error' in line) return { error: line.error, url: '' };
    const draft = { ...common, ...line.draft };
    const { url } = draft;
    try {
      return { made: await client.shorten(draft, options.callOptions(line.text, occurrence[at] ?? 1)), url };
    } catch (error) {
      return { error, url };
    }
  };

  const work = async (): Promise<void> => {
    while (next < lines.length && hopeless === undefined && !isInterrupted && hasReader) {
      const at = next++;
      const result = await shortenLine(at);
      if ('error' in result && hasGivenUp(result.error))
        hopeless ??= { line: lines[at] as Line, error: result.error };
      else results[at] = result;
      flush();
      progress.update(printed, lines.length);
    }
  };

  const interrupt = (): void => {
    if (isInterrupted) process.exit(exits.interrupted);
    isInterrupted = true;
  };
  process.on('SIGINT', interrupt);
  whenReaderGoes(() => {
    hasReader = false;
  });
  await Promise.all(Array.from({ length: atOnce }, work));
  process.off('SIGINT', interrupt);
  flush({ overGaps: true });
  await delivered();
  progress.end();
  for (const text of unread) note(options.json ? text : `not read: ${text}`);

  const failed = results.filter((result) => result !== undefined && 'error' in result).length;
  const left = lines.filter((_, at) => results[at] === undefined);
  const made = lines.length - failed - left.length;
  const where = left.length === 0 ? '' : ` (${rangesOf(left)})`;
  const sum = `${plural(made, 'link')} made, ${count(failed)} failed, ${count(left.length)} left to do${where}`;
  if (hopeless !== undefined) {
    const { exit, message, fault } = endOf(hopeless.error);
    const at = `line ${hopeless.line.number}`;
    const whole = { ...fault, message: `${at}: ${fault.message} ${sum}.` };
    throw new Stop(exit, `${at}: ${message}\n${sum}.`, whole);
  }
  if (isInterrupted && left.length > 0) throw new Stop(exits.interrupted, `Interrupted: ${sum}.`);
  if (!hasReader) throw new Stop(exits.refused, `The reader of the results went away: ${sum}.`);
  if (failed > 0) throw new Stop(exits.refused, `${sum}.`);
}

function occurrencesOf(lines: readonly Line[]): number[] {
  const seen = new Map<string, number>();
  return lines.map(({ text }) => {
    const occurrence = (seen.get(text) ?? 0) + 1;
    seen.set(text, occurrence);
    return occurrence;
  });
}

/** Field names for a line with a URL and a code. A JSON line gets the names of the API. */
const lineNames: FieldNames = { ...optionNames, customCode: 'The code' };

function sentenceOf({ error, url }: Failed, { namesFields }: Line): string {
  const names = namesFields ? {} : lineNames;
  return clean(endOf(withHint(error, url, names), names).message);
}

function rowOf({ made, url }: Made): string {
  return `${clean(made.shortUrl)}\t${clean(url)}`;
}

function objectOf(result: Made | Failed, { number }: Line): object {
  if ('made' in result) return { line: number, ...result.made };
  const { fault } = endOf(result.error);
  return { line: number, error: result.error instanceof Stop ? { ...fault, code: 'INVALID_LINE' } : fault };
}

const maxRanges = 10;

/** Where lines stand, such as `lines 3, 5-9`. */
function rangesOf(lines: readonly Line[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const { number } of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.slice(0, maxRanges).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  const rest = ranges.length > maxRanges ? [`and more up to ${ranges.at(-1)?.[1]}`] : [];
  return `${lines.length === 1 ? 'line' : 'lines'} ${[...shown, ...rest].join(', ')}`;
}

/** Whether every other line would fail for the same reason. */
function hasGivenUp(error: unknown): boolean {
  if (error instanceof Stop) return false;
  return !(error instanceof ApiError) || [401, 403, 429].includes(error.status) || error.status >= 500;
}

async function readInput(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new Stop(exits.usage, `${file} cannot be read: ${reasonOf(error)}.`);
  }
}
