import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { BulkLinksInput, Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { csvCell } from '../../runtime/csv.ts';
import { endOf, exits, Stop } from '../terminal/exits.ts';
import type { FieldNames } from '../terminal/field-names.ts';
import { withHint } from '../terminal/options.ts';
import {
  clean,
  count,
  deliver,
  delivered,
  jsonLine,
  note,
  onStdoutClosed,
  plural,
} from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import type { RowAction } from './csv-rows.ts';
import type { Row, RowFile } from './rows.ts';

/** Input for {@link sendRows}: the rows of a file, and options for the report. */
export interface Sending {
  readonly client: Client;
  readonly file: RowFile;
  readonly rows: AsyncIterable<Row>;
  readonly action: RowAction;
  /** Fields for all rows. A row's own values take precedence. */
  readonly common: object;
  /**
   * Batch name that makes the command idempotent. If it is not set, the command is idempotent for the same rows on the
   * same lines.
   */
  readonly batch?: string;
  /** True if an earlier run may have used the same batch name. */
  readonly isRepeated?: boolean;
  /** Start of a sentence that explains how to continue after an interruption. */
  readonly again: string;
  /** Path of a CSV file for the rejected rows. */
  readonly errors?: string | undefined;
  readonly json?: true | undefined;
}

/** Maximum number of rows per request, the same as the server's limit. */
const maxRows = 1_000;
const maxBytes = 900_000;

/** Rows, and the pending response for the valid rows. */
interface SentRows {
  readonly rows: readonly Row[];
  readonly answer: ReturnType<Client['bulkLinks']> | undefined;
}

/**
 * Sends the rows of a file in few requests, and prints the results in the order of the file.
 * @returns a sentence with the number of processed rows
 * @throws Stop if rows were rejected, or were not sent because a request failed, the command was interrupted or the
 * output was closed
 */
export async function sendRows(sending: Sending): Promise<string> {
  const { client, file, rows, action, common, batch, again } = sending;
  const report = createReport(sending);
  let sent = 0;
  let halt: Stop | undefined;
  const interrupt = (): void => {
    if (halt !== undefined) process.exit(exits.interrupted);
    halt = new Stop(exits.interrupted, 'Interrupted');
  };

  // The next chunk is sent while the server creates the links in the previous chunk. Updates and deletions are sent one
  // chunk at a time, to preserve their order. So is a repeated batch, so that no rows are sent after the first chunk
  // that differs from the earlier run.
  const ahead = action === 'create' && !sending.isRepeated ? 1 : 0;
  const waiting: SentRows[] = [];
  const reportNext = async (): Promise<void> => {
    const next = waiting.shift();
    try {
      if (next !== undefined) await report.add(next.rows, (await next.answer)?.results ?? []);
    } catch (error) {
      // The next run resends the chunks that this run has already sent, and gets the same responses.
      waiting.length = 0;
      throw error;
    }
  };

  process.on('SIGINT', interrupt);
  onStdoutClosed(() => {
    halt ??= new Stop(exits.refused, 'The output was closed');
  });
  try {
    try {
      for await (const chunk of chunksOf(rows, common)) {
        const good = chunk.filter(isGood);
        const key =
          batch === undefined
            ? keyOf([action, good.map(({ line }) => line), good.map(({ fields }) => fields)])
            : keyOf([action, batch, sent]);
        const answer = good.length === 0 ? undefined : send(client, action, good, key);
        answer?.catch(() => {}); // awaited and reported later, in file order
        if (answer !== undefined) sent += 1;
        waiting.push({ rows: chunk, answer });
        if (waiting.length > ahead) await reportNext();
        if (file.size > 0) report.progress.update(file.read(), file.size);
        if (halt !== undefined) break;
      }
    } finally {
      while (waiting.length > 0) await reportNext();
    }
  } catch (error) {
    const { exit, message, fault } = endOf(differs(error, batch));
    const rest = sent > 0 ? `${report.sum()} up to line ${report.reached()}; ${again}.` : '';
    throw new Stop(exit, `${message}\n${rest}`.trim(), {
      ...fault,
      message: `${fault.message} ${rest}`.trim(),
    });
  } finally {
    process.off('SIGINT', interrupt);
    await report.end();
  }
  if (halt !== undefined)
    throw new Stop(halt.exit, `${halt.message}: ${report.sum()} up to line ${report.reached()}; ${again}.`);
  if (report.hasRefused()) throw new Stop(exits.refused, `${report.sum()}.`);
  return `${report.sum()}.`;
}

function isGood({ fields }: Row): boolean {
  return fields !== undefined;
}

function differs(error: unknown, batch: string | undefined): unknown {
  if (batch === undefined || !(error instanceof ApiError) || error.code !== 'IDEMPOTENCY_KEY_REUSED')
    return error;
  const why = `The rows differ from those in batch ${batch}. Put new and corrected rows into a separate file.`;
  return new Stop(exits.refused, why);
}

/** Combines rows with the shared fields, and splits them into chunks that each fit into one request. */
async function* chunksOf(rows: AsyncIterable<Row>, common: object): AsyncGenerator<Row[], void, undefined> {
  let chunk: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const whole = row.fields === undefined ? row : { ...row, fields: { ...common, ...row.fields } };
    const more = Buffer.byteLength(JSON.stringify(whole.fields ?? ''));
    if (chunk.length >= maxRows || (chunk.length > 0 && bytes + more > maxBytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(whole);
    bytes += more;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Returns an idempotency key. A request with the same rows on the same lines, or at the same position in the same
 * batch, gets the same key, so the server does not execute it twice.
 */
export function keyOf(named: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(named)).digest('hex');
}

function send(client: Client, action: RowAction, rows: readonly Row[], idempotencyKey: string) {
  const links = rows.map(({ fields }) => fields);
  const input =
    action === 'delete' ? { action, ids: links.map((row) => String(row?.['id'])) } : { action, links };
  // The cast is safe, because the server checks for missing fields.
  return client.bulkLinks(input as BulkLinksInput, { idempotencyKey });
}

type Result = Awaited<ReturnType<Client['bulkLinks']>>['results'][number];
type Refusal = NonNullable<Result['error']>;

/** Error code for rows that were not sent. */
const unreadable = 'INVALID_LINE';

/** Creates the report of the results. It prints links to stdout and rejected rows to stderr. */
function createReport({ action, json, errors: path }: Sending) {
  const progress = createProgress(action === 'create' ? 'Creating links' : 'Changing links', { quiet: true });
  const errors = path === undefined ? undefined : openErrors(path);
  const unread: string[] = [];
  let done = 0;
  let refused = 0;
  let reached = 1;

  const print = (text: string): void => {
    void deliver(text).then((isWritten) => isWritten || unread.push(text));
  };
  const refuse = ({ line, fields, names = {} }: Row, { code, field, message }: Refusal): void => {
    refused += 1;
    if (json) print(jsonLine({ line, error: { code, field, message } }));
    if (errors !== undefined) errors.write(`${[line, code, field ?? '', message].map(csvCell).join(',')}\n`);
    else if (!json) {
      note(
        `line ${line}: ${clean(sentenceOf({ code, field, message }, String(fields?.['url'] ?? ''), names))}`,
      );
    }
  };

  return {
    progress,
    reached: () => reached,
    hasRefused: () => refused > 0,
    sum: () => `${plural(done, 'row')} done, ${count(refused)} rejected`,

    /** Reports the results of a batch. @param results results of the valid rows */
    async add(rows: readonly Row[], results: readonly Result[]): Promise<void> {
      progress.clear();
      const answers = results.values();
      for (const row of rows) {
        reached = row.line;
        const result = isGood(row) ? answers.next().value : undefined;
        if (row.error !== undefined) refuse(row, { code: unreadable, field: null, message: row.error });
        else if (result?.error) refuse(row, result.error);
        else if (result !== undefined) {
          done += 1;
          const { id, link } = result;
          if (json) print(jsonLine({ line: row.line, ...(link ?? { id }) }));
          else if (action === 'create' && link !== null)
            print(`${clean(link.shortUrl)}\t${clean(link.destinationUrl)}`);
        }
      }
      await delivered();
    },

    async end(): Promise<void> {
      progress.clear();
      for (const text of unread) note(json ? text : `skipped: ${text}`);
      await new Promise((resolve) => (errors === undefined ? resolve(undefined) : errors.end(resolve)));
    },
  };
}

/** Returns the error message for a row, with the server's error code. */
function sentenceOf({ code, field, message }: Refusal, url: string, names: FieldNames): string {
  if (code === unreadable) return message;
  const details = field === null ? [] : [{ field, reason: '', message }];
  return endOf(withHint(new ApiError(message, { status: 200, code, details }), url, names), names).message;
}

function openErrors(path: string): WriteStream {
  const stream = createWriteStream(path);
  stream.on('error', (error) => {
    note(`Could not write ${path}: ${error.message}`);
    process.exit(exits.usage);
  });
  stream.write('line,code,field,message\n');
  return stream;
}
