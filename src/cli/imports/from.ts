import { existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { openRows } from '../links/rows.ts';
import { confirm } from '../terminal/confirm.ts';
import { unwritable } from '../terminal/exits.ts';
import { note } from '../terminal/print.ts';
import { addServerCommand, connectToServer } from '../terminal/remote.ts';
import { type ApplyOptions, addApplyOptions, apply, reportEnd } from './apply.ts';
import { printReport, reportOn } from './check.ts';
import { readSource, sumOf } from './read.ts';
import { addReadOptions, type ReadOptions } from './read-options.ts';

interface MoveOptions extends ReadOptions, Omit<ApplyOptions, 'domain' | 'json'> {
  readonly into?: string;
  readonly file?: string;
  readonly yes?: true;
}

/** Adds `import from`, which runs `read`, `check` and `apply` in one command. `import SOURCE` is its short form. */
export function addFrom(group: Command): void {
  const command = addServerCommand(
    group,
    'from',
    'Import from a service: read, review and apply in one command',
    {
      examples: [
        ['linkfold import bitly --token-file bitly.key', 'the word from is optional'],
        ['linkfold import shlink --at https://s.example.com --yes', 'without asking'],
        ['linkfold import csv --links links.csv --into s.example.com', 'a spreadsheet'],
      ],
      notes:
        'Runs import read, import check and import apply; see their help. The data is stored in a file until it is imported. Only you can ' +
        'read the file, because it may contain passwords. Run the command again to continue where it stopped.',
      refused: 'you did not confirm, or some links were rejected (the others are imported)',
      isDefault: true,
    },
  );
  addApplyOptions(addReadOptions(command))
    .option(
      '--into <host>',
      'domain for links whose host is not a domain of the account (default: reject these links)',
    )
    .option('--file <path>', 'file for the data read (default: linkfold-import-SOURCE.ndjson)')
    .option('--yes', 'import without asking')
    .action(importFrom);
}

async function importFrom(source: string, options: MoveOptions): Promise<void> {
  const connection = await connectToServer(options);
  const { json, into, file = `linkfold-import-${source}.ndjson` } = options;
  if (existsSync(file))
    note(`Continuing with ${file} from a previous run. Delete the file to read the source again.`);
  else await readInto(file, source, options);
  const report = await reportOn(file, connection);
  if (!json) printReport(report);
  for (const { domain, needExact } of report.domains)
    if (needExact > 0 && domain !== null && !options.exact?.includes(domain))
      note(`To import these codes, use --exact ${domain}.`);
  if (!options.yes) {
    const rest = ` The data is in ${file}.`;
    await confirm('Import this?', `Nothing was imported.${rest}`, rest);
  }
  const { onConflict, exact } = options;
  const found = await apply(await openRows(file), connection, {
    onConflict,
    domain: into,
    exact,
    json,
  } as ApplyOptions);
  rmSync(file);
  reportEnd(found, options);
}

/** Reads a source into a temporary file, and renames the file when it is complete. */
async function readInto(file: string, source: string, options: ReadOptions): Promise<void> {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  const failed = (error: unknown): never => {
    throw unwritable(part, error);
  };
  const out = await open(part, 'wx', 0o600).catch(failed);
  try {
    const { counts } = await readSource(
      source,
      options,
      async (text) => void (await out.write(text).catch(failed)),
    );
    await out.sync().catch(failed);
    renameSync(part, file);
    if (!options.json) note(sumOf(counts));
  } finally {
    await out.close();
  }
}
