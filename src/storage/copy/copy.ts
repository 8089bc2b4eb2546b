import { createHash, type Hash } from 'node:crypto';
import { type Db, one, type Value } from '../db/db.ts';
import { isPostgresUrl } from '../db/url.ts';
import { migrationStatusOf } from '../migrations/migrate.ts';
import { asFailure, sqlStateOf } from '../postgres/connections/errors.ts';
import { isSameFile, requireNotDatabaseFile } from '../sqlite/database-files.ts';
import { sqlitePathIn } from '../sqlite/url.ts';
import { type End, openSource, openTarget, type Target } from './ends.ts';
import { batchOf, type CopiedTable, copiedTables, countOf, insertsOf } from './tables.ts';

export interface CopyOptions {
  /** Reports progress in rows of the source database: first while copying, then while verifying. */
  readonly onProgress?: (stage: 'copy' | 'verify', done: number, total: number) => void;
  readonly now?: () => number;
  /** Maximum number of rows in memory; overridden in tests. */
  readonly batchRows?: number;
}

export interface CopiedFacts {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over all rows in key order, in hex. The same rows have the same checksum on both engines. */
  readonly checksum: string;
}

export interface CopyFacts {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch. All writes acknowledged before this time are in the target. */
  readonly asOf: number;
  readonly tables: readonly CopiedFacts[];
}

/** Maximum number of rows per batch. A row takes at most 20 KB, usually 300 bytes. */
const maxBatchRows = 5_000;

/**
 * Copies one snapshot of a database into an empty database, which may use the other engine. The source may be in use.
 * The copy runs in one transaction on the target. Before that transaction commits, the copy verifies that both
 * databases have the same rows. A failed or killed copy leaves the target empty.
 * @throws Error when the source does not have this program's schema, the target is not empty or is in use, or the rows
 * of the two databases differ; Failure STORAGE_UNAVAILABLE when a database is not available
 */
export async function copyDatabase(from: string, to: string, options: CopyOptions = {}): Promise<CopyFacts> {
  await using ends = new AsyncDisposableStack();
  try {
    requireTwo(from, to);
    const tables = await copiedTables();
    const asOf = (options.now ?? Date.now)();
    const source = await openAs('FROM', openSource(from));
    ends.defer(source.close);
    await requireCurrent(source);
    const target = await openAs('TO', openTarget(to, tables));
    ends.defer(target.close);
    await requireEmpty(target, tables);
    const copied = await copyAll(source, target, tables, options);
    await target.commit();
    return { from: source.name, to: target.name, asOf, tables: copied };
  } catch (error) {
    // Replaces messages of the PostgreSQL driver, which may contain row values. SQLite errors stay unchanged.
    throw asFailure(error);
  }
}

/**
 * Checks that the URLs refer to two separate databases.
 * @throws Error when both URLs refer to the same SQLite file, or one file belongs to the other database
 */
function requireTwo(from: string, to: string): void {
  if (isPostgresUrl(from) || isPostgresUrl(to)) return;
  const [source, target] = [naming('FROM', () => sqlitePathIn(from)), naming('TO', () => sqlitePathIn(to))];
  if (isSameFile(source, target)) throw new Error('FROM and TO are the same database.');
  requireNotDatabaseFile(source, target);
  requireNotDatabaseFile(target, source);
}

async function openAs<E extends End>(role: string, opening: Promise<E>): Promise<E> {
  return opening.catch((error: unknown) =>
    naming(role, () => {
      throw error;
    }),
  );
}

/** Replaces `DATABASE_URL` in error messages with FROM or TO, because a copy has two databases. */
function naming<T>(role: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw new Error(error.message.replaceAll('DATABASE_URL', role), { cause: error.cause });
  }
}

async function requireCurrent({ db, dialect, name }: End): Promise<void> {
  const { pending, version } = await migrationStatusOf(db, dialect).catch((error: Error) => {
    throw new Error(`FROM (${name}): ${error.message}`, { cause: error });
  });
  if (version === 0) throw new Error(`FROM (${name}) is not a Linkfold database.`);
  if (pending.length > 0)
    throw new Error(
      `FROM has pending migrations (${pending.join(', ')}). Point DATABASE_URL to it and run linkfold db migrate.`,
    );
}

async function requireEmpty({ db, name }: Target, tables: readonly CopiedTable[]): Promise<void> {
  for (const table of tables) {
    if ((await db.get(`SELECT 1 AS found FROM ${table.name} LIMIT 1`, [])) === undefined) continue;
    throw new Error(
      `TO (${name}) is not empty: it contains ${table.name.replaceAll('_', ' ')}. Specify an empty database.`,
    );
  }
}

async function copyAll(
  source: End,
  target: Target,
  tables: readonly CopiedTable[],
  { onProgress, batchRows = maxBatchRows }: CopyOptions,
): Promise<readonly CopiedFacts[]> {
  let total = 0;
  for (const table of tables) total += (await one<{ count: number }>(source.db, countOf(table), [])).count;
  const createReporter = (stage: 'copy' | 'verify') => {
    let done = 0;
    return (rows: number): void => {
      done += rows;
      onProgress?.(stage, done, total);
    };
  };
  const copied: CopiedFacts[] = [];
  const reportCopied = createReporter('copy');
  for (const table of tables) {
    const inserts = insertsOf(table);
    copied.push(
      await readAll(source.db, table, batchRows, async (values, rows) => {
        await insert(target.db, table, inserts, values);
        reportCopied(rows);
      }),
    );
  }
  const reportVerified = createReporter('verify');
  const verified: CopiedFacts[] = [];
  for (const table of tables)
    verified.push(await readAll(target.db, table, batchRows, async (_, rows) => reportVerified(rows)));
  const different = copied.filter(({ checksum }, at) => checksum !== verified[at]?.checksum);
  if (different.length === 0) return copied;
  const names = different.map(({ table }) => table).join(', ');
  throw new Error(`The rows in TO differ from those read from FROM (${names}). Nothing was copied.`);
}

/** Reads a table in key order. @param onBatch receives the values row by row */
async function readAll(
  db: Db,
  table: CopiedTable,
  batchRows: number,
  onBatch: (values: readonly Value[], rows: number) => Promise<void>,
): Promise<CopiedFacts> {
  const columns = Object.keys(table.columns);
  const hash = createHash('sha256');
  let count = 0;
  let behind: readonly Value[] = [];
  for (;;) {
    const sql = batchOf(table, count === 0);
    const rows = await db.all<Record<string, Value>>(sql, [...behind, batchRows]);
    const last = rows.at(-1);
    if (last === undefined) return { table: table.name, rows: count, checksum: hash.digest('hex') };
    for (const row of rows) addTo(hash, columns, row);
    await onBatch(
      rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
      rows.length,
    );
    count += rows.length;
    behind = table.key.map((column) => last[column] ?? null);
  }
}

function addTo(hash: Hash, columns: readonly string[], row: Readonly<Record<string, Value>>): void {
  const values = columns.map((column) => row[column]);
  hash.update(JSON.stringify(values.map((value) => (value instanceof Uint8Array ? value.toHex() : value))));
}

const cannotBeText: ReadonlySet<string | undefined> = new Set(['22021', '22P05']);

async function insert(
  db: Db,
  { name, columns }: CopiedTable,
  inserts: ReturnType<typeof insertsOf>,
  values: readonly Value[],
): Promise<void> {
  try {
    await db.bulk({ columns, values }, (...row) => db.run(inserts.one, row), inserts.bulk);
  } catch (error) {
    if (!cannotBeText.has(sqlStateOf(error))) throw error;
    throw new Error(`PostgreSQL cannot store text with a NUL character or invalid UTF-8 (in ${name}).`, {
      cause: error,
    });
  }
}
