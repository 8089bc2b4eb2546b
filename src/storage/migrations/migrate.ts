import { createHash } from 'node:crypto';
import type { Report } from '../../runtime/report.ts';
import { type Db, one } from '../db/db.ts';
import type { Backfill, Dialect, LateIndex, Migration } from '../db/dialect.ts';
import { migrations as allMigrations } from './list.ts';

/** Result of comparing a database's schema with this program's. */
export interface MigrationStatus {
  /** Number of the newest migration in the database; 0 if the database is empty. */
  readonly version: number;
  /** Number of this program's newest migration. */
  readonly latest: number;
  readonly pending: readonly string[];
}

function checksumOf({ statements, backfill, indexes = [] }: Migration, dialect: Dialect): string {
  const parts = [...statements(dialect)];
  if (backfill !== undefined) parts.push(backfill.table, backfill.key, backfill.statement);
  for (const { name, on } of indexes) parts.push(name, on);
  return createHash('sha256').update(parts.join(';\n')).digest('hex');
}

function titleOf({ number, name }: Migration): string {
  return `${String(number).padStart(4, '0')}-${name}`;
}

function createTable(dialect: Dialect): string {
  return `
  CREATE TABLE IF NOT EXISTS migrations (
    number ${dialect.integer} PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at ${dialect.integer} NOT NULL
  )${dialect.table}`;
}

function createProgressTable(dialect: Dialect): string {
  return `
  CREATE TABLE IF NOT EXISTS migration_progress (
    number ${dialect.integer} PRIMARY KEY, checksum TEXT NOT NULL, reached ${dialect.integer} NOT NULL
  )${dialect.table}`;
}

interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
}
const appliedMigrations = 'SELECT number, checksum FROM migrations ORDER BY number';

/**
 * Compares a database's schema with this program's.
 * @throws Error when the database is newer than the program, or an applied migration was edited later
 */
export async function migrationStatusOf(
  db: Db,
  dialect: Dialect,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationStatus> {
  const known = await db.get(dialect.tableExists, ['migrations']);
  const applied = known === undefined ? [] : await db.all<AppliedMigration>(appliedMigrations, []);
  const latest = migrations.at(-1)?.number ?? 0;
  const version = applied.at(-1)?.number ?? 0;
  if (version > latest) {
    throw new Error(
      `The database has schema version ${version}, but this version of Linkfold supports only up to ${latest}. Run a newer version.`,
    );
  }
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum]));
  for (const migration of migrations) {
    const checksum = checksums.get(migration.number);
    if (checksum !== undefined && checksum !== checksumOf(migration, dialect)) {
      throw new Error(
        `Migration ${titleOf(migration)} differs from the migration that was applied to this database. Restore the applied migration, and add a new one instead of editing it.`,
      );
    }
  }
  const pending = migrations.filter(({ number }) => !checksums.has(number)).map(titleOf);
  return { version, latest, pending };
}

/**
 * Maximum number of rows that a backfill changes per transaction. The number is reduced if a transaction takes longer
 * than `batchMs`.
 */
const maxRows = 1_000;
const batchMs = 50;
/**
 * Pause between the batches of a backfill. A writer that finds the database locked retries every 25 ms at first, then
 * less often. This pause is longer than 25 ms, so that each writer gets its turn.
 */
const pauseMs = 40;

/** Called with the progress of a backfill. `done` and `total` are keys of its table. */
export type OnBackfill = (migration: string, done: number, total: number) => void;

export interface MigrationOptions {
  readonly onBackfill?: OnBackfill | undefined;
  /** Called once when this process waits for another process that is migrating the database. */
  readonly onWait?: (() => void) | undefined;
  /** Overrides this program's migrations, for tests. */
  readonly migrations?: readonly Migration[];
}

/** Returns callbacks that report a wait for another process's migration, and every 10 % of a backfill. */
export function migrationReporter(
  onInfo: Report | undefined,
): Pick<MigrationOptions, 'onBackfill' | 'onWait'> {
  let shown = 0;
  return {
    onWait: () => onInfo?.('Another process is migrating the database. Waiting for it.'),
    onBackfill(migration, done, total) {
      const tenth = Math.floor((10 * done) / total);
      if (tenth > shown) onInfo?.('A database migration is in progress.', { migration, done, total });
      shown = tenth;
    },
  };
}

/** Creates an index outside of a transaction, even if an earlier attempt was interrupted. */
export type CreateIndex = (index: LateIndex) => Promise<void>;

/**
 * Migrates a database to this program's schema. An empty database is migrated in one transaction; otherwise each
 * migration has its own transaction, and a backfill has many. Several processes may migrate at the same time, and a
 * process may be killed: each transaction first checks what is left to do.
 * @param exclusively waits for other writers to finish, and runs work in a transaction without concurrent writers
 * @param createIndex creates indexes concurrently with writers; without it they are created in the transaction
 * @throws Error in the same cases as {@link migrationStatusOf}
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  exclusively: (work: () => Promise<void>) => Promise<void>,
  migrations: readonly Migration[] = allMigrations,
  onBackfill?: OnBackfill,
  createIndex?: CreateIndex,
): Promise<MigrationStatus> {
  let rows = maxRows;
  let indexed: number | undefined;
  for (;;) {
    const status = await migrationStatusOf(db, dialect, migrations);
    if (status.pending.length === 0) return status;
    let step: Step = {};
    let startedAt = 0;
    await exclusively(async () => {
      startedAt = performance.now();
      const { version, pending } = await migrationStatusOf(db, dialect, migrations);
      const rest = migrations.filter((migration) => pending.includes(titleOf(migration)));
      // Nobody uses an empty database yet, so its whole schema is created at once.
      const isEmpty = version === 0;
      for (const next of isEmpty ? rest : rest.slice(0, 1)) {
        const indexing = isEmpty || createIndex === undefined || indexed === next.number ? 'here' : 'apart';
        step = await apply(db, dialect, next, rows, indexing);
        if (step.batch !== undefined) break;
      }
    });
    const { batch, indexesPending } = step;
    if (batch !== undefined) {
      onBackfill?.(batch.migration, batch.reached, batch.total);
      rows = performance.now() - startedAt > batchMs ? Math.ceil(rows / 2) : Math.min(maxRows, rows * 2);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    for (const index of indexesPending?.indexes ?? []) await createIndex?.(index);
    indexed = indexesPending?.number;
  }
}

interface Batch {
  readonly migration: string;
  readonly reached: number;
  readonly total: number;
}

/** Result of one transaction of a migration. */
interface Step {
  /** Set if a batch of a backfill was processed. */
  readonly batch?: Batch;
  /** Set if only the indexes are missing. They are created outside of transactions. */
  readonly indexesPending?: Migration;
}

async function apply(
  db: Db,
  dialect: Dialect,
  next: Migration,
  rows: number,
  indexing: 'here' | 'apart',
): Promise<Step> {
  const { backfill, indexes = [] } = next;
  const isLong = backfill !== undefined || indexes.length > 0;
  const checksum = checksumOf(next, dialect);
  await db.run(createTable(dialect), []);
  if (isLong) await db.run(createProgressTable(dialect), []);
  const reached = isLong ? await readReached(db, next, checksum) : undefined;
  if (reached === undefined) {
    for (const statement of next.statements(dialect)) await db.run(statement, []);
    if (isLong) await db.run(beginProgress, [next.number, checksum]);
  }
  const batch = backfill && (await runBackfillBatch(db, next, backfill, reached ?? 0, rows));
  // The backfill ends at the last row that this transaction sees. Otherwise it might never end while a server keeps
  // inserting rows.
  if (batch !== undefined && batch.reached < batch.total) return { batch };
  const step = batch === undefined ? {} : { batch };
  if (indexes.length > 0 && indexing === 'apart') return { ...step, indexesPending: next };
  // `IF NOT EXISTS` skips indexes that were already created outside of a transaction.
  for (const { name, on, unique } of indexes)
    await db.run(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${on}`, []);
  if (isLong) await db.run(endProgress, [next.number]);
  await one(
    db,
    'INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?) RETURNING number',
    [next.number, next.name, checksum, Date.now()],
  );
  return step;
}

const beginProgress = 'INSERT INTO migration_progress (number, checksum, reached) VALUES (?, ?, 0)';
const endProgress = 'DELETE FROM migration_progress WHERE number = ?';
const readProgress = 'SELECT checksum, reached FROM migration_progress WHERE number = ?';

/** Returns the last key that a backfill has processed; undefined when the migration has not started. */
async function readReached(db: Db, migration: Migration, checksum: string): Promise<number | undefined> {
  const progress = await db.get<{ checksum: string; reached: number }>(readProgress, [migration.number]);
  if (progress !== undefined && progress.checksum !== checksum) {
    throw new Error(
      `Migration ${titleOf(migration)} differs from the one that was started on this database. Run the version that started it.`,
    );
  }
  return progress?.reached;
}

/** Runs the next batch of a backfill. @returns undefined when no row is left */
async function runBackfillBatch(
  db: Db,
  migration: Migration,
  { table, key, statement }: Backfill,
  reached: number,
  rows: number,
): Promise<Batch | undefined> {
  const bounds = await one<{ upper: number | null; total: number | null }>(
    db,
    `SELECT MAX(${key}) AS upper, (SELECT MAX(${key}) FROM ${table}) AS total
     FROM (SELECT ${key} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?) AS next_rows`,
    [reached, rows],
  );
  if (bounds.upper === null) return undefined;
  await db.run(statement, [reached, bounds.upper]);
  await db.run('UPDATE migration_progress SET reached = ? WHERE number = ?', [
    bounds.upper,
    migration.number,
  ]);
  return { migration: titleOf(migration), reached: bounds.upper, total: bounds.total ?? bounds.upper };
}
