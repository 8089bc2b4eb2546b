import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CallOptions, Client } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';
import { addCommand, jsonOption } from './command.ts';
import { endOf, exits, Stop } from './exits.ts';
import { clean, count, note, plural, say, sayJson, sayJsonLine } from './print.ts';
import { createProgress } from './progress.ts';
import { addRemoteOptions, openClient, type RemoteOptions } from './remote.ts';

type Draft = Parameters<Client['shorten']>[0];
type Made = Awaited<ReturnType<Client['shorten']>>;

interface ShortenOptions extends RemoteOptions {
  readonly file?: string;
  readonly batch?: string;
  readonly code?: string;
  readonly title?: string;
  readonly description?: string;
  readonly expires?: string;
  readonly folder?: string;
}

const inputHelp = `A file holds one URL a line, optionally followed by a tab and the code it shall have; or one JSON object a line with
the fields of POST /api/v1/shorten. Empty lines and lines that start with # are passed over. --title, --description,
--expires and --folder hold for every line that does not say otherwise. For each link, "shortUrl<TAB>url" is printed
in the order of the file (--json: one object a line, failures too); failures are listed on stderr with their lines.`;

export const addShorten = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'shorten', 'Make a short link, or one for every line of a file', {
      examples: [
        [
          "linkfold links shorten 'https://example.com/spring?utm_source=mail' --code spring",
          'prints the short URL',
        ],
        ['linkfold links shorten --file urls.txt > short.tsv', 'many at once'],
        [
          'linkfold links shorten --file urls.txt --batch june',
          'when repeated within 24 hours, makes none twice',
        ],
        ['grep -o "https://[^ ]*" page.txt | linkfold links shorten --file -', 'from a pipe'],
      ],
      notes: inputHelp,
      refused: 'refused; with --file: some lines failed, the others are done',
      reaches: 'server',
    }),
  )
    .argument('[url]', 'destination')
    .option('--code <code>', 'custom code, 3 to 50 characters')
    .option('--title <text>', 'title')
    .option('--description <text>', 'description')
    .option('--expires <time>', 'expiration, ISO 8601')
    .option('--folder <id>', 'folder to put it into')
    .option('--file <path>', 'one URL a line; - is stdin')
    .option('--batch <name>', 'name of this run: repeating it with the same name makes nothing twice')
    .option(...jsonOption)
    .action(async (url: string | undefined, options: ShortenOptions) => {
      if ((url === undefined) === (options.file === undefined))
        throw new Stop(exits.usage, 'Give a URL or --file.');
      if (options.file !== undefined) return shortenFile(options.file, options);
      const draft = { url: url ?? '', customCode: options.code, ...commonOf(options) };
      const made = await (await openClient(options)).shorten(draft, keyFor(options.batch, draft.url, 1));
      if (options.json) sayJson(made);
      else say(made.shortUrl);
    });
};

const commonOf = ({ title, description, expires, folder }: ShortenOptions): Omit<Draft, 'url'> => ({
  title,
  description,
  expiresAt: expires,
  folderId: folder,
});

/** The same line in a run of the same name has the same Idempotency-Key: whatever was done is not done again. */
const keyFor = (batch: string | undefined, line: string, occurrence: number): CallOptions =>
  batch === undefined
    ? {}
    : {
        idempotencyKey: createHash('sha256')
          .update(JSON.stringify([batch, line, occurrence]))
          .digest('hex'),
      };

interface Line {
  readonly number: number;
  readonly text: string;
  /** How often this very line has come up to here. */
  readonly occurrence: number;
}

const linesOf = (content: string): Line[] => {
  const seen = new Map<string, number>();
  return content
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((text, at) => ({ number: at + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map((line) => {
      const occurrence = (seen.get(line.text) ?? 0) + 1;
      seen.set(line.text, occurrence);
      return { ...line, occurrence };
    });
};

/** @throws Stop when the line is neither a URL nor a JSON object */
const draftOf = (line: string): Draft => {
  if (!line.startsWith('{')) {
    const [url = '', code] = line.split('\t').map((part) => part.trim());
    return { url, customCode: code || undefined };
  }
  try {
    return JSON.parse(line) as Draft;
  } catch {
    throw new Stop(exits.refused, 'This is not a JSON object.');
  }
};

const atOnce = 8;

type Result = { readonly draft: Draft; readonly made: Made } | { readonly error: unknown };

const shortenFile = async (file: string, options: ShortenOptions): Promise<void> => {
  if (options.code !== undefined)
    throw new Stop(exits.usage, '--code is for one URL; in a file, put codes after a tab.');
  const client = await openClient(options);
  const lines = linesOf(await readInput(file));
  const progress = createProgress('Shortening', { quiet: true });
  const results: (Result | undefined)[] = [];
  let next = 0;
  let printed = 0;
  let failed = 0;
  let hopeless: { line: Line; error: unknown } | undefined;
  let isInterrupted = false;

  const print = (result: Result, line: Line): void => {
    progress.clear();
    if ('error' in result) {
      failed += 1;
      const { message } = endOf(result.error);
      note(`line ${line.number}: ${clean(message)}`);
      const code = result.error instanceof ApiError ? result.error.code : 'INVALID_LINE';
      if (options.json) sayJsonLine({ line: line.number, error: { code, message } });
    } else if (options.json) sayJsonLine({ line: line.number, ...result.made });
    else say(`${clean(result.made.shortUrl)}\t${clean(result.draft.url)}`);
  };

  /** Prints in the order of the file what is done; at the end also what lies behind a gap, so that none is lost. */
  const flush = ({ overGaps = false } = {}): void => {
    for (; printed < (overGaps ? results.length : next); printed += 1) {
      const [result, line] = [results[printed], lines[printed]];
      if (result !== undefined && line !== undefined) print(result, line);
      else if (!overGaps) return;
    }
  };

  const shortenOne = async (line: Line): Promise<Result> => {
    try {
      const draft = { ...commonOf(options), ...draftOf(line.text) };
      return { draft, made: await client.shorten(draft, keyFor(options.batch, line.text, line.occurrence)) };
    } catch (error) {
      return { error };
    }
  };

  const work = async (): Promise<void> => {
    while (next < lines.length && hopeless === undefined && !isInterrupted) {
      const at = next++;
      const line = lines[at] as Line;
      const result = await shortenOne(line);
      if ('error' in result && isHopeless(result.error)) hopeless ??= { line, error: result.error };
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
  await Promise.all(Array.from({ length: atOnce }, work));
  process.off('SIGINT', interrupt);
  flush({ overGaps: true });
  progress.end();

  const made = results.filter((result) => result !== undefined && !('error' in result)).length;
  const sum = `${plural(made, 'link')} made, ${count(failed)} failed, ${count(lines.length - made - failed)} left to do`;
  if (hopeless !== undefined) {
    const { exit, message } = endOf(hopeless.error);
    throw new Stop(exit, `line ${hopeless.line.number}: ${message}\n${sum}.`);
  }
  if (isInterrupted && made + failed < lines.length)
    throw new Stop(exits.interrupted, `Interrupted: ${sum}.`);
  if (failed > 0) throw new Stop(exits.refused, `${sum}.`);
};

/** Whether every other line would fail for the same reason. */
const isHopeless = (error: unknown): boolean => {
  if (error instanceof Stop) return false;
  return !(error instanceof ApiError) || [401, 403, 429].includes(error.status) || error.status >= 500;
};

const readInput = async (file: string): Promise<string> => {
  if (file === '-') return textOf(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Stop(exits.usage, `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
};
