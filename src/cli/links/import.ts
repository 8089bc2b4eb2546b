import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { type Command, Option } from 'commander';
import type { BulkLinksInput, Client } from '../../client/client.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { endOf, exits, Stop } from '../terminal/exits.ts';
import { clean, count, deliver, delivered, jsonLine, note, plural } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addRemoteOptions, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import {
  type ImportAction,
  type ImportRow,
  importActions,
  importColumns,
  openImport,
} from './import-rows.ts';
import { tagsOption } from './tags.ts';

interface ImportOptions extends RemoteOptions {
  readonly action: ImportAction;
  readonly folder?: string;
  readonly tags?: string[];
  readonly errors?: string;
}

const notes =
  `The first line names the columns, in any order: url and any of ${importColumns('create')}; ` +
  `with --action update an id and any of ${importColumns('update')}; with --action delete an id. Cells are separated by ` +
  'commas, semicolons or tabs, and quoted where they hold those, quotes or line breaks. An empty cell says nothing. The tags ' +
  'of a link are one cell, separated by commas. What `links export` wrote as CSV is imported as it is, in every action.\n\n' +
  'Rows go to the server a thousand at a time, whatever the size of the file. A row that is refused leaves the others alone; ' +
  'it is named by its line on stderr, or with --errors in a CSV file. Running the same command again within 24 hours goes on ' +
  'where it stopped: what was done is not done twice.';

/** Adds `links import`: many rows of a CSV file, in few requests. */
export function addImport(links: Command): void {
  addRemoteOptions(
    addCommand(links, `import`, 'Make, change or delete the links of a CSV file', {
      examples: [
        ['linkfold links import links.csv', 'prints the short URLs; run again, it goes on where it stopped'],
        ['linkfold links import links.csv --errors refused.csv --tags spring', 'with a tag for all'],
        ['linkfold links import changes.csv --action update', 'a column id, and what is to change'],
      ],
      notes,
      refused: 'some rows were refused; the others are done',
      reaches: 'server',
    }),
  )
    .argument('<file>', 'CSV file; - is stdin')
    .addOption(
      new Option('--action <action>', 'what to do with the rows').choices(importActions).default('create'),
    )
    .option('--folder <folder>', 'folder of rows that name none, by name or id')
    .option(...tagsOption)
    .option('--errors <path>', 'file for the refused rows: line, code, field, message')
    .option(...jsonOption)
    .action((file: string, options: ImportOptions) => importFile(file, options));
}

/** What a request may carry: the server takes a little more. */
const maxRows = 1_000;
const maxBytes = 900_000;

/** Rows, and the answer to the request for those that can be read. */
interface SentRows {
  readonly rows: readonly ImportRow[];
  readonly answer: ReturnType<typeof sendRows> | undefined;
}

interface Sum {
  done: number;
  failed: number;
}

async function importFile(path: string, options: ImportOptions): Promise<void> {
  const { action, json, tags, folder } = options;
  if (action !== 'create' && (folder !== undefined || tags !== undefined))
    throw new Stop(exits.usage, '--folder and --tags are for --action create; use columns.');
  const file = await openImport(path, action);
  const place = await openPlace(options);
  const folderId = folder === undefined ? undefined : await folderIdOrNone(place, folder);
  const common = { ...(folderId && { folderId }), ...(tags && { tags }) };
  const progress = createProgress('Importing', { quiet: true });
  const errors = options.errors === undefined ? undefined : openErrors(options.errors);
  const sum: Sum = { done: 0, failed: 0 };
  let reached = 1;
  let isInterrupted = false;
  const interrupt = (): void => {
    if (isInterrupted) process.exit(exits.interrupted);
    isInterrupted = true;
  };

  const refuse = (line: number, error: { code: string; field: string | null; message: string }): void => {
    sum.failed += 1;
    progress.clear();
    if (json) void deliver(jsonLine({ line, error }));
    if (errors !== undefined)
      errors.write(`${[String(line), error.code, error.field ?? '', error.message].map(cell).join(',')}\n`);
    else if (!json) note(`line ${line}: ${clean(error.message)}`);
  };

  const tell = async ({ rows, answer }: SentRows): Promise<void> => {
    const good = rows.filter(isGood);
    for (const { line, error } of rows)
      if (error !== undefined) refuse(line, { code: 'INVALID_LINE', field: null, message: error });
    if (good.length > 0) {
      const { results = [] } = (await answer) ?? {};
      progress.clear();
      for (const [at, { id, link, error }] of results.entries()) {
        const line = good[at]?.line ?? 0;
        if (error !== null) refuse(line, error);
        else {
          sum.done += 1;
          if (json) void deliver(jsonLine({ line, ...(link ?? { id }) }));
          else if (action === 'create' && link !== null)
            void deliver(`${clean(link.shortUrl)}\t${clean(link.destinationUrl)}`);
        }
      }
      await delivered();
    }
    reached = rows.at(-1)?.line ?? reached;
    if (file.size > 0) progress.update(file.read(), file.size);
  };

  // While the server writes new links it checks the next ones. Changes keep to the order of the file.
  const ahead = action === 'create' ? 1 : 0;
  const waiting: SentRows[] = [];
  const tellNext = async (): Promise<void> => {
    const next = waiting.shift();
    try {
      if (next !== undefined) await tell(next);
    } catch (error) {
      // What was sent behind it is asked for again by the next run, which gets the answer of this one.
      waiting.length = 0;
      throw error;
    }
  };

  process.on('SIGINT', interrupt);
  try {
    try {
      for await (const rows of chunksOf(file.rows())) {
        const good = rows.filter(isGood);
        const answer = good.length === 0 ? undefined : sendRows(place.client, action, good, common);
        answer?.catch(() => {}); // told when it is its turn
        waiting.push({ rows, answer });
        if (waiting.length > ahead) await tellNext();
        if (isInterrupted) break;
      }
    } finally {
      while (waiting.length > 0) await tellNext();
    }
  } catch (error) {
    const { exit, message, fault } = endOf(error);
    const isBegun = sum.done + sum.failed > 0;
    const rest = isBegun ? `\n${told(sum)} up to line ${reached}; run again to go on.` : '';
    throw new Stop(exit, message + rest, fault);
  } finally {
    process.off('SIGINT', interrupt);
    progress.end();
    await new Promise((resolve) => (errors === undefined ? resolve(undefined) : errors.end(resolve)));
  }
  if (isInterrupted)
    throw new Stop(exits.interrupted, `Interrupted: ${told(sum)} up to line ${reached}; run again to go on.`);
  if (sum.failed > 0) throw new Stop(exits.refused, `${told(sum)}.`);
  if (!json) note(`${told(sum)}.`);
}

function isGood({ fields }: ImportRow): boolean {
  return fields !== undefined;
}

function told({ done, failed }: Sum): string {
  return `${plural(done, 'row')} done, ${count(failed)} refused`;
}

function openErrors(path: string): WriteStream {
  const stream = createWriteStream(path);
  stream.on('error', (error) => {
    note(`${path} cannot be written: ${error.message}`);
    process.exit(exits.usage);
  });
  stream.write('line,code,field,message\n');
  return stream;
}

/** A cell of CSV. A spreadsheet takes what begins like a formula for one. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* chunksOf(rows: AsyncIterable<ImportRow>): AsyncGenerator<ImportRow[], void, undefined> {
  let chunk: ImportRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const more = Buffer.byteLength(JSON.stringify(row.fields ?? ''));
    if (chunk.length >= maxRows || (chunk.length > 0 && bytes + more > maxBytes)) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(row);
    bytes += more;
  }
  if (chunk.length > 0) yield chunk;
}

/** The same rows on the same lines have the same Idempotency-Key, so what was done is not done again. */
function sendRows(client: Client, action: ImportAction, rows: readonly ImportRow[], common: object) {
  const fields = rows.map((row) => (action === 'create' ? { ...common, ...row.fields } : { ...row.fields }));
  const named = JSON.stringify([action, rows.map(({ line }) => line), fields]);
  const idempotencyKey = createHash('sha256').update(named).digest('hex');
  const ids = rows.map((row) => String(row.fields?.['id']));
  // What a row lacks, the server says.
  const input = action === 'delete' ? { action, ids } : { action, links: fields };
  return client.bulkLinks(input as BulkLinksInput, { idempotencyKey });
}
