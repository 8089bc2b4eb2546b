import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { BackupFacts } from '../../app/operator.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { letOthersFirst, noteDatabase, openDatabase, readConfig } from '../terminal/local.ts';
import { clean, count, note, plural, say, sayFacts, sayJson, size } from '../terminal/print.ts';
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
  addRestore(db);
  addCheck(db);
  addCopy(db);
}

/** Runs long work with a progress bar. */
async function withProgress<T>(
  label: string,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(label);
  try {
    return await work(progress.update);
  } finally {
    progress.end();
  }
}

function sayBackup(facts: BackupFacts): void {
  return sayFacts({
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
  addCommand(db, 'migrate', 'Bring the database to the schema of this program; `serve` does so too', {
    ...shared,
    examples: [['linkfold db migrate', 'does nothing when there is nothing to do']],
    refused: 'the database is of a newer program, or a migration failed; nothing was changed',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const { databaseName, migrate } = await openDatabase();
      noteDatabase(databaseName(config), json);
      const onWait = (): void => note('Another process migrates the database; waiting for it.');
      const result = await withProgress('Migrating', (onProgress) => migrate(config, { onProgress, onWait }));
      if (json) return sayJson(result);
      for (const name of result.applied) say(`Applied ${name}.`);
      note(`The database has schema ${result.version}${result.applied.length === 0 ? ' already' : ''}.`);
    });
}

function addStatus(db: Command): void {
  addCommand(db, 'status', 'Show the schema of the database and what `db migrate` would do', {
    ...shared,
    examples: [['linkfold db status --json', 'for a program']],
    refused: 'migrations are pending',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const database = await openDatabase();
      noteDatabase(database.databaseName(config), json);
      const status = await database.status(config);
      if (json) sayJson(status);
      else {
        sayFacts({
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
    'Write a consistent, verified copy of the database to one file, also while it is in use',
    {
      ...shared,
      examples: [
        ['linkfold db backup backups/$(date +%F).db', 'the server may go on running'],
        ['linkfold db backup latest.db --overwrite', 'the old backup stays until the new one is verified'],
      ],
      refused: 'the file exists, or is a database or belongs to one, or the copy did not pass its check',
    },
  )
    .argument('<file>', 'where to write')
    .option('--overwrite', 'replace the backup when it exists')
    .option(...jsonOption)
    .action(async (file: string, options: JsonOption & { overwrite?: true }) => {
      letOthersFirst();
      const config = readConfig();
      const database = await openDatabase();
      noteDatabase(database.databaseName(config), options.json);
      const overwrite = options.overwrite === true;
      const newer: string[] = [];
      const facts = await withProgress('Backing up', (onProgress) =>
        database.backup(config, file, {
          overwrite,
          onProgress,
          onNewer: (directory) => newer.push(directory),
        }),
      );
      for (const directory of newer)
        note(
          `A newer Linkfold wrote ${clean(directory)}: this version cannot read those clicks, and the backup lacks them. Keep that directory.`,
        );
      if (options.json) sayJson(facts);
      else sayBackup(facts);
    });
}

function addRestore(db: Command): void {
  addCommand(
    db,
    'restore',
    'Replace the database by a backup, once the backup is proved; stop the server first',
    {
      ...shared,
      examples: [
        ['linkfold db restore backups/2027-03-01.db --verify', 'proves the backup and replaces nothing'],
        [
          'linkfold db restore backups/2027-03-01.db',
          'proves it, asks, then replaces; what was there is kept beside it',
        ],
        ['linkfold db restore backups/2027-03-01.db --yes', 'without asking, for scripts'],
      ],
      refused: 'the backup is not sound, the database is in use, or the answer was no',
    },
  )
    .argument('<file>', 'a backup made by `db backup`')
    .option('--verify', 'only prove the backup')
    .option('--yes', 'do not ask')
    .option(...jsonOption)
    .action(async (file: string, options: JsonOption & { verify?: true; yes?: true }) => {
      const database = await openDatabase();
      const config = options.verify ? undefined : readConfig();
      const facts = await database.verify(file);
      if (config === undefined) {
        if (options.json) return sayJson(facts);
        sayBackup(facts);
        return note('The backup is sound. Nothing was replaced.');
      }
      const name = database.databaseName(config);
      noteDatabase(name, options.json);
      if (!options.yes && existsSync(name)) {
        note(
          `${clean(facts.path)} is sound: ${plural(facts.links, 'link')}, ${plural(facts.clicks, 'click')}.`,
        );
        const otherwise =
          'There is no terminal to ask at: say --yes to replace the database, or --verify to only check.';
        await confirm(`Replace ${clean(name)} by it?`, otherwise, 'Nothing was replaced.');
      }
      const done = await withProgress('Restoring', (onProgress) =>
        database.restore(config, file, { onProgress }),
      );
      if (options.json) return sayJson(done);
      sayBackup(done);
      if (done.previous !== null) note(`What was there before is kept in ${clean(done.previous)}.`);
    });
}

function addCheck(db: Command): void {
  addCommand(db, 'check', 'Check the database: its file, its references, its counters', {
    ...shared,
    examples: [['linkfold db check', 'the server may go on running']],
    refused: 'something is wrong; each finding is a line',
  })
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      letOthersFirst();
      const config = readConfig();
      const database = await openDatabase();
      noteDatabase(database.databaseName(config), json);
      const problems = await withProgress('Checking', (onProgress) => database.check(config, { onProgress }));
      if (json) sayJson({ ok: problems.length === 0, problems });
      else for (const problem of problems) say(clean(problem));
      if (problems.length > 0)
        throw new Stop(exits.refused, json ? '' : `${plural(problems.length, 'problem')} found.`);
      if (!json) note('The database is sound.');
    });
}
