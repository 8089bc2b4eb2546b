import { type Command, Option } from 'commander';
import type { AddImportLinesInput, Client } from '../../client/client.ts';
import { LinkfoldError } from '../../client/errors.ts';
import { readLine } from '../../importers/format.ts';
import { jsonLines } from '../../importers/reading/tables.ts';
import { conflictPolicies } from '../../model/imports/imports.ts';
import { maxPasswords } from '../../model/links/passwords.ts';
import { openRows, type RowFile } from '../links/rows.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { note, printJson } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import type { ServerConnection } from '../terminal/references.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { type Import, retryUnreachable, sumOf, waitForImport } from './imports.ts';

export interface ApplyOptions extends RemoteOptions {
  readonly onConflict: (typeof conflictPolicies)[number];
  readonly domain?: string;
  readonly exact?: string[];
}

const notes =
  'If the command stops, run it again to continue. Importing a complete file again imports only its new rows. ' +
  'A rejected link does not affect the others. `import report` shows the result of each link, and `import undo` undoes the import.';

/** Adds `import apply`, which imports a file into an account. */
export function addApply(group: Command): void {
  const command = addServerCommand(
    group,
    'apply',
    'Import links and clicks from a file created by import read',
    {
      examples: [
        ['linkfold import apply links.ndjson', 'run it again to continue'],
        ['linkfold import apply links.ndjson --exact s.example.com', 'if two codes differ only in case'],
        [
          'linkfold import apply links.ndjson --on-conflict overwrite',
          'for the second import, on the day of the switch',
        ],
      ],
      notes,
      refused: 'some links were rejected (the others are imported), or the file is incomplete',
    },
  )
    .argument('<file>', 'file created by import read; - is stdin')
    .option(
      '--domain <host>',
      'domain for links whose host is not a domain of the account (default: reject these links)',
    );
  addApplyOptions(command).action(async (path: string, options: ApplyOptions) => {
    reportEnd(await apply(await openRows(path), await connectToServer(options), options), options);
  });
}

/** Adds the options for importing links. */
export function addApplyOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--on-conflict <policy>',
        'how to handle links whose code is taken, or that were already imported',
      )
        .choices(conflictPolicies)
        .default('skip'),
    )
    .option(
      '--exact <hosts...>',
      'make codes on these domains case-sensitive first; possible only while they have no links',
    );
}

/** Prints the result of an import. @throws Stop if links were rejected */
export function reportEnd(found: Import, { json }: RemoteOptions): void {
  if (json) printJson(found);
  if (found.counts.refused > 0)
    throw new Stop(exits.refused, `${sumOf(found)} See: linkfold import report ${found.id}`);
  if (!json) note(sumOf(found));
}

/**
 * Imports the lines of a file, starting after the lines that have already been imported.
 * @throws Stop if the file is invalid or incomplete
 */
export async function apply(
  file: RowFile,
  connection: ServerConnection,
  options: ApplyOptions,
): Promise<Import> {
  const { client } = connection;
  for (const host of options.exact ?? []) await makeExact(client, host);
  const lines = jsonLines(file.chunks);
  const first = await lines.next();
  const head = first.done || 'error' in first.value ? undefined : readLine(first.value.value);
  if (head === undefined || typeof head === 'string' || head.type !== 'import') throw notImportFile();
  const { source, instance, installation, readAt } = head;
  const { onConflict, domain } = options;
  let found: Import = await client.createImport({
    source,
    instance,
    installation,
    readAt,
    onConflict,
    domain,
  });
  if (found.state === 'paused') found = await client.updateImport(found.id, { state: 'open' });
  if (found.position > 0) note(`Continuing after line ${found.position}.`);
  const progress = createProgress('Importing', { quiet: options.json === true });
  let isWhole = false;
  try {
    // The next batch is sent while the server imports the previous one.
    let last = Promise.resolve(found);
    for await (const batch of batchesOf(lines, found.position)) {
      const before = last;
      last = send(client, found.id, batch, before);
      last.catch(() => {});
      found = await before;
      isWhole = batch.lines.some(({ type }) => type === 'end');
      if (file.size > 0) progress.update(file.read(), file.size);
    }
    found = await last;
  } finally {
    progress.clear();
  }
  if (!isWhole && found.state === 'open')
    throw new Stop(
      exits.refused,
      `The file is incomplete. Run "linkfold import read" again. So far: ${sumOf(found)}`,
    );
  return waitForImport(client, found);
}

/**
 * Sends a batch. If the batch arrives before the previous batch, or gets no response, the function sends it again once
 * the previous batch is done.
 */
async function send(client: Client, id: string, batch: AddImportLinesInput, before: Promise<Import>) {
  try {
    return await client.addImportLines(id, batch);
  } catch (error) {
    if (!(error instanceof LinkfoldError && ['UNREACHABLE', 'IMPORT_POSITION'].includes(error.code)))
      throw error;
    await before;
    return retryUnreachable(() => client.addImportLines(id, batch));
  }
}

/** Maximum number of lines per request. The server accepts larger requests, but they delay its visitors. */
const maxLines = 250;
const maxBytes = 900_000;

/**
 * Splits the lines after a position into batches that each fit into one request. An unreadable line is sent as an
 * error.
 */
async function* batchesOf(
  lines: ReturnType<typeof jsonLines>,
  after: number,
): AsyncGenerator<AddImportLinesInput, void, undefined> {
  let position = 0;
  let bytes = 0;
  let batch: AddImportLinesInput['lines'] = [];
  let passwords = new Set<unknown>();
  for await (const read of lines) {
    position += 1;
    if (position <= after) continue;
    const value = 'error' in read ? unread(read.line, read.error) : asLine(read.line, read.value);
    const size = Buffer.byteLength(JSON.stringify(value));
    if ('password' in value) passwords.add(value['password']);
    if (batch.length >= maxLines || bytes + size > maxBytes || passwords.size > maxPasswords) {
      yield { position: position - 1 - batch.length, lines: batch };
      batch = [];
      bytes = 0;
      passwords = new Set('password' in value ? [value['password']] : []);
    }
    batch.push(value);
    bytes += size;
  }
  if (batch.length > 0) yield { position: position - batch.length, lines: batch };
}

type Line = AddImportLinesInput['lines'][number];

function unread(line: number, reason: string): Line {
  return { type: 'problem', where: `line ${line}`, reason } as Line;
}

function asLine(line: number, value: unknown): Line {
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  const type = isOne && 'type' in value ? value.type : undefined;
  return isOne && (type === undefined || typeof type === 'string')
    ? (value as Line)
    : unread(line, 'the line does not match the format');
}

/** Returns the failure for a file that is not in the import format. */
export function notImportFile(): Stop {
  const text =
    'The file is not in the import format (docs/import-format.md). Create the file with: linkfold import read';
  return new Stop(exits.usage, text);
}

async function makeExact(client: Client, host: string): Promise<void> {
  const found = (await client.listDomains()).find((one) => one.host === host || one.hostUnicode === host);
  if (found === undefined)
    throw new Stop(
      exits.refused,
      `The account has no domain ${host}. To add it: linkfold domains create ${host}`,
    );
  if (found.codes !== 'exact') await client.updateDomain(found.id, { codes: 'exact' });
}
