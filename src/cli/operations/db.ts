import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { BackupFacts } from '../../app/operator.ts';
import type { Config } from '../../config.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { lowerOwnPriority, noteDatabase, openBackups, openDatabase, readConfig } from '../terminal/local.ts';
import { clean, count, note, plural, printFacts, printJson, printLine, size } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { addCopy } from './db-copy.ts';

interface JsonOption {
  readonly json?: true;
}

const shared = { reaches: 'database' } as const;

export function addDb(program: Command): void {
  const db = addGroup(program, 'db', 'The database: migrate, back up, restore, check, copy');
  addMigrate(db);
  addStatus(db);
  addBackup(db);
  addBackups(db);
  addRestore(db);
  addCheck(db);
  addCopy(db);
}

/** Runs a long operation with a progress bar. */
async function withProgress<T>(
  label: string,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(label);
  try {
    return await work(progress.update);
  } finally {
    progress.clear();
  }
}

function printBackup(facts: BackupFacts): void {
  return printFacts({
    file: facts.path,
    size: size(facts.bytes),
    sha256: facts.sha256,
    schema: String(facts.schemaVersion),
    accounts: count(facts.accounts),
    keys: count(facts.keys),
    links: count(facts.links),
    folders: count(facts.folders),
    clicks: count(facts.clicks),
  });
}

function addMigrate(db: Command): void {
  addCommand(db, 'migrate', 'Migrate the database to the schema of this version; `serve` also does this', {
    ...shared,
    examples: [['linkfold db migrate', 'does nothing if the schema is current']],
    refused: 'the database is from a newer version, or a migration failed; nothing changed',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const { databaseName, migrate } = await openDatabase();
      noteDatabase(databaseName(config), json);
      const onWait = (): void => note('Another process is migrating the database. Waiting for it.');
      const result = await withProgress('Migrating', (onProgress) => migrate(config, { onProgress, onWait }));
      if (json) return printJson(result);
      for (const name of result.applied) printLine(`Applied ${name}.`);
      note(`The database has schema ${result.version}${result.applied.length === 0 ? ' already' : ''}.`);
    });
}

function addStatus(db: Command): void {
  addCommand(db, 'status', 'Show the schema of the database and what `db migrate` would do', {
    ...shared,
    examples: [['linkfold db status --json', 'for scripts']],
    refused: 'migrations are pending',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const database = await openDatabase();
      noteDatabase(database.databaseName(config), json);
      const status = await database.status(config);
      if (json) printJson(status);
      else {
        printFacts({
          schema: String(status.version),
          'this program': String(status.latest),
          pending: status.pending.join(', ') || 'none',
        });
      }
      if (status.pending.length > 0) throw new Stop(exits.refused);
    });
}

function addBackup(db: Command): void {
  addCommand(
    db,
    'backup',
    'Write a consistent, verified copy of the database to a file, even while it is in use',
    {
      ...shared,
      examples: [
        ['linkfold db backup backups/$(date +%F).db', 'the server can keep running'],
        ['linkfold db backup latest.db --overwrite', 'the old backup stays until the new one is verified'],
        ['linkfold db backup', 'to BACKUP_TO, which keeps the newest BACKUP_KEEP'],
      ],
      refused: 'the file exists or belongs to a database, or the copy failed verification',
    },
  )
    .argument('[file]', 'backup file (default: a dated name in BACKUP_TO)')
    .option('--overwrite', 'replace an existing backup')
    .option(...jsonOption)
    .action(async (file: string | undefined, options: JsonOption & { overwrite?: true }) => {
      lowerOwnPriority();
      const config = readConfig();
      const database = await openDatabase();
      noteDatabase(database.databaseName(config), options.json);
      const overwrite = options.overwrite === true;
      const backups = await openBackups();
      const newer: string[] = [];
      const onNewer = (directory: string) => newer.push(directory);
      const facts = await withProgress('Backing up', (onProgress) =>
        file === undefined
          ? backups.backUpToStore(config, Date.now(), { onProgress, onNewer })
          : database.backup(config, file, { overwrite, onProgress, onNewer }),
      );
      for (const directory of newer)
        note(
          `The backup lacks the clicks in ${clean(directory)}, which a newer version of Linkfold wrote. Keep this directory.`,
        );
      if (options.json) printJson(facts);
      else printBackup(facts);
    });
}

function addBackups(db: Command): void {
  addCommand(db, 'backups', 'List the backups in BACKUP_TO, oldest first', {
    ...shared,
    examples: [['linkfold db backups', 'names and sizes']],
    refused: 'the folder or bucket could not be read',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const store = await (await openBackups()).backupStore(config);
      const found = await store.list();
      if (json) return printJson(found);
      if (found.length === 0) note(`No backups in ${clean(store.name)}.`);
      for (const { name, bytes } of found) printLine(`${clean(store.name)}${name}  ${size(bytes)}`);
    });
}

type RestoreOptions = JsonOption & { verify?: true; yes?: true };

function addRestore(db: Command): void {
  addCommand(db, 'restore', 'Replace the database with a verified backup; stop the server first', {
    ...shared,
    examples: [
      ['linkfold db restore backups/2027-03-01.db --verify', 'verifies the backup and replaces nothing'],
      [
        'linkfold db restore backups/2027-03-01.db',
        'verifies, asks, then replaces; the old database is kept next to it',
      ],
      ['linkfold db restore backups/2027-03-01.db --yes', 'without asking, for scripts'],
    ],
    refused: 'the backup is damaged, the database is in use, or you answered no',
  })
    .argument('<file>', 'a backup made by `db backup`; s3://BUCKET/NAME downloads it first')
    .option('--verify', 'only verify the backup')
    .option('--yes', 'do not ask')
    .option(...jsonOption)
    .action(async (given: string, options: RestoreOptions) => {
      const database = await openDatabase();
      const isStored = given.startsWith('s3://');
      const config = options.verify && !isStored ? undefined : readConfig();
      const work = (file: string) => restoreFrom(database, config, file, options);
      if (config === undefined) return work(given);
      await (await openBackups()).withBackupFile(config, given, work);
    });
}

async function restoreFrom(
  database: Awaited<ReturnType<typeof openDatabase>>,
  config: Config | undefined,
  file: string,
  options: RestoreOptions,
): Promise<void> {
  const facts = await database.verify(file);
  if (config === undefined || options.verify) {
    if (options.json) return printJson(facts);
    printBackup(facts);
    return note('The backup is valid. Nothing was replaced.');
  }
  const name = database.databaseName(config);
  noteDatabase(name, options.json);
  if (!options.yes && existsSync(name)) {
    note(`${clean(facts.path)} is valid: ${plural(facts.links, 'link')}, ${plural(facts.clicks, 'click')}.`);
    const otherwise = ' To only verify the backup, pass --verify.';
    await confirm(`Replace ${clean(name)} with this backup?`, 'Nothing was replaced.', otherwise);
  }
  const done = await withProgress('Restoring', (onProgress) =>
    database.restore(config, file, { onProgress }),
  );
  if (options.json) return printJson(done);
  printBackup(done);
  if (done.previous !== null) note(`The previous database is in ${clean(done.previous)}.`);
}

function addCheck(db: Command): void {
  addCommand(db, 'check', 'Check the database’s file, references and counters', {
    ...shared,
    examples: [['linkfold db check', 'the server can keep running']],
    refused: 'there are problems; one per line',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      lowerOwnPriority();
      const config = readConfig();
      const database = await openDatabase();
      noteDatabase(database.databaseName(config), json);
      const problems = await withProgress('Checking', (onProgress) => database.check(config, { onProgress }));
      if (json) printJson({ ok: problems.length === 0, problems });
      else for (const problem of problems) printLine(clean(problem));
      if (problems.length > 0)
        throw new Stop(exits.refused, json ? '' : `${plural(problems.length, 'problem')} found.`);
      if (!json) note('The database is consistent.');
    });
}
