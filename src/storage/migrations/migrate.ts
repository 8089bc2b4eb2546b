import { createHash } from 'node:crypto';
import type { Report } from '../../runtime/report.ts';
import { type Db, one } from '../db/db.ts';
import type { Backfill, Dialect, LateIndex, Migration } from '../db/dialect.ts';
import { migrations as allMigrations } from './list.ts';

/** How a database's schema compares with this program's. */
export interface MigrationStatus {
  /** Number of the newest migration in the database; 0 when it is empty. */
  readonly version: number;
  /** Number of the newest migration that this program knows. */
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

function createProgress(dialect: Dialect): string {
  return `
  CREATE TABLE IF NOT EXISTS migration_progress (
    number ${dialect.integer} PRIMARY KEY, checksum TEXT NOT NULL, reached ${dialect.integer} NOT NULL
  )${dialect.table}`;
}

/**
 * Compares a database's schema with this program's.
 * @throws Error when the database is newer than the program, or an applied migration was edited since
 */
export async function migrationStatusOf(
  db: Db,
  dialect: Dialect,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationStatus> {
  const known = await db.get(dialect.tableExists, ['migrations']);
  const applied =
    known === undefined
      ? []
      : await db.all<{ number: number; name: string; checksum: string }>(
          'SELECT number, name, checksum FROM migrations ORDER BY number',
          [],
        );
  const latest = migrations.at(-1)?.number ?? 0;
  const version = applied.at(-1)?.number ?? 0;
  if (applied[0]?.name === 'initial') {
    throw new Error(
      'The database was created by a version before 1.0.0-rc.1, which cannot be upgraded. Start with an empty database.',
    );
  }
  if (version > latest) {
    throw new Error(
      `The database has schema version ${version}, but this program knows only up to ${latest}. Run a newer Linkfold.`,
    );
  }
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum]));
  for (const migration of migrations) {
    const checksum = checksums.get(migration.number);
    if (checksum !== undefined && checksum !== checksumOf(migration, dialect)) {
      throw new Error(
        `Migration ${titleOf(migration)} differs from the one that was applied to this database. An applied migration must not be edited: add a new one.`,
      );
    }
  }
  const pending = migrations.filter(({ number }) => !checksums.has(number)).map(titleOf);
  return { version, latest, pending };
}

/** A transaction of a backfill holds so many rows at most, fewer where they take longer than so many ms. */
const maxRows = 1_000;
const batchMs = 50;
/**
 * A writer that finds the database locked tries again after 25 ms, later less often. In a longer pause than that each
 * writer gets its turn.
 */
const pauseMs = 40;

/** Called with how far a backfill is; both numbers are keys of its table. */
export type OnBackfill = (migration: string, done: number, total: number) => void;

export interface MigrationOptions {
  readonly onBackfill?: OnBackfill | undefined;
  /** Called once when another process migrates the database and this one waits for it. */
  readonly onWait?: (() => void) | undefined;
  /** For tests: other migrations than this program's. */
  readonly migrations?: readonly Migration[];
}

/** Tells operators of a migration that a start waits for, and of every tenth of a backfill. */
export function migrationReporter(
  onInfo: Report | undefined,
): Pick<MigrationOptions, 'onBackfill' | 'onWait'> {
  let shown = 0;
  return {
    onWait: () => onInfo?.('Another process migrates the database; this start waits for it.'),
    onBackfill(migration, done, total) {
      const tenth = Math.floor((10 * done) / total);
      if (tenth > shown) onInfo?.('A migration of the database is under way.', { migration, done, total });
      shown = tenth;
    },
  };
}

/** Creates an index outside of a transaction, whether or not it was begun before. */
export type MakeIndex = (index: LateIndex) => Promise<void>;

/**
 * Brings a database to this program's schema: an empty one in one transaction, another with each migration in a transaction of
 * its own, a backfill in many. Safe when several processes do it at once, and when one is killed: what is to be done is asked
 * again inside each transaction.
 * @param exclusively runs its work in a transaction that no other writer shares, and waits for others to finish
 * @param makeIndex where the engine makes indexes in addition to running writers; without it they are made in the transaction
 * @throws Error as {@link migrationStatusOf}
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  exclusively: (work: () => Promise<void>) => Promise<void>,
  migrations: readonly Migration[] = allMigrations,
  onBackfill?: OnBackfill,
  makeIndex?: MakeIndex,
): Promise<MigrationStatus> {
  let rows = maxRows;
  let indexed: number | undefined;
  for (;;) {
    const status = await migrationStatusOf(db, dialect, migrations);
    if (status.pending.length === 0) return status;
    let step: Step = {};
    let begun = 0;
    await exclusively(async () => {
      begun = performance.now();
      const { version, pending } = await migrationStatusOf(db, dialect, migrations);
      const rest = migrations.filter((migration) => pending.includes(titleOf(migration)));
      // Nobody uses an empty database yet: all of its schema is made at once.
      const isEmpty = version === 0;
      for (const next of isEmpty ? rest : rest.slice(0, 1)) {
        const indexing = isEmpty || makeIndex === undefined || indexed === next.number ? 'here' : 'apart';
        step = await apply(db, dialect, next, rows, indexing);
        if (step.batch !== undefined) break;
      }
    });
    const { batch, lacking } = step;
    if (batch !== undefined) {
      onBackfill?.(batch.migration, batch.reached, batch.total);
      rows = performance.now() - begun > batchMs ? Math.ceil(rows / 2) : Math.min(maxRows, rows * 2);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    for (const index of lacking?.indexes ?? []) await makeIndex?.(index);
    indexed = lacking?.number;
  }
}

interface Batch {
  readonly migration: string;
  readonly reached: number;
  readonly total: number;
}

/** What a transaction did, when the migration did not end with it. */
interface Step {
  /** It was a batch of a backfill. */
  readonly batch?: Batch;
  /** All is done but the indexes, which are made outside of transactions. */
  readonly lacking?: Migration;
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
  if (isLong) await db.run(createProgress(dialect), []);
  const reached = isLong ? await reachedBy(db, next, checksum) : undefined;
  if (reached === undefined) {
    for (const statement of next.statements(dialect)) await db.run(statement, []);
    if (isLong) await db.run(beginProgress, [next.number, checksum]);
  }
  const batch = backfill && (await fillNext(db, next, backfill, reached ?? 0, rows));
  // It ends with the row that is the last one in this transaction: a server that continues making rows is never overtaken.
  if (batch !== undefined && batch.reached < batch.total) return { batch };
  const step = batch === undefined ? {} : { batch };
  if (indexes.length > 0 && indexing === 'apart') return { ...step, lacking: next };
  // Indexes that were made apart exist by now.
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

/** @returns up to which key its backfill is done; undefined when the migration was not begun */
async function reachedBy(db: Db, migration: Migration, checksum: string): Promise<number | undefined> {
  const progress = await db.get<{ checksum: string; reached: number }>(readProgress, [migration.number]);
  if (progress !== undefined && progress.checksum !== checksum) {
    throw new Error(
      `Migration ${titleOf(migration)} differs from the one that was begun on this database. Run the program that began it.`,
    );
  }
  return progress?.reached;
}

/** @returns undefined when no row is left */
async function fillNext(
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
