import { createHash } from 'node:crypto';
import { type Db, one } from './db.ts';
import { migrations as allMigrations } from './migrations/list.ts';
import type { EngineWords, Migration } from './migrations/migration.ts';

/** How a database's schema compares with this program's. */
export interface MigrationStatus {
  /** Number of the newest migration in the database; 0 when it is empty. */
  readonly version: number;
  /** Number of the newest migration that this program knows. */
  readonly latest: number;
  readonly pending: readonly string[];
}

const checksumOf = (migration: Migration, words: EngineWords): string =>
  createHash('sha256').update(migration.statements(words).join(';\n')).digest('hex');

const titleOf = ({ number, name }: Migration): string => `${String(number).padStart(4, '0')}-${name}`;

const createTable = (words: EngineWords): string => `
  CREATE TABLE IF NOT EXISTS migrations (
    number ${words.integer} PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at ${words.integer} NOT NULL
  )${words.table}`;

/**
 * Compares a database's schema with this program's.
 * @throws Error when the database is newer than the program, or an applied migration was edited since
 */
export const migrationStatusOf = async (
  db: Db,
  words: EngineWords,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationStatus> => {
  const known = await db.get(words.tableExists, ['migrations']);
  const applied =
    known === undefined
      ? []
      : await db.all<{ number: number; checksum: string }>(
          'SELECT number, checksum FROM migrations ORDER BY number',
          [],
        );
  const latest = migrations.at(-1)?.number ?? 0;
  const version = applied.at(-1)?.number ?? 0;
  if (version > latest) {
    throw new Error(
      `The database has schema version ${version}, but this program knows only up to ${latest}. Run a newer Linkfold.`,
    );
  }
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum]));
  for (const migration of migrations) {
    const checksum = checksums.get(migration.number);
    if (checksum !== undefined && checksum !== checksumOf(migration, words)) {
      throw new Error(
        `Migration ${titleOf(migration)} differs from the one that was applied to this database. An applied migration must not be edited: add a new one.`,
      );
    }
  }
  const pending = migrations.filter(({ number }) => !checksums.has(number)).map(titleOf);
  return { version, latest, pending };
};

/**
 * Brings a database to this program's schema, each migration in a transaction of its own. Safe when several processes
 * start at once: what is pending is asked again inside the lock.
 * @param exclusively runs its work in a transaction that no other writer shares, and waits for others to finish
 * @throws Error as {@link migrationStatusOf}
 */
export const migrate = async (
  db: Db,
  words: EngineWords,
  exclusively: (work: () => Promise<void>) => Promise<void>,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationStatus> => {
  for (;;) {
    const status = await migrationStatusOf(db, words, migrations);
    if (status.pending.length === 0) return status;
    await exclusively(() => applyNext(db, words, migrations));
  }
};

const applyNext = async (db: Db, words: EngineWords, migrations: readonly Migration[]): Promise<void> => {
  const { pending } = await migrationStatusOf(db, words, migrations);
  const next = migrations.find((migration) => titleOf(migration) === pending[0]);
  if (next === undefined) return;
  await db.run(createTable(words), []);
  for (const statement of next.statements(words)) await db.run(statement, []);
  await one(
    db,
    'INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?) RETURNING number',
    [...[next.number, next.name, checksumOf(next, words), Date.now()]],
  );
};
