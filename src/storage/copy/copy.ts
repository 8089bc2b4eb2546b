import { randomUUID } from 'node:crypto';
import { one } from '../db/db.ts';
import { isPostgresUrl } from '../db/url.ts';
import { migrationStatusOf } from '../migrations/migrate.ts';
import { asFailure } from '../postgres/errors.ts';
import { isSameFile, requireForeign } from '../sqlite/database-files.ts';
import { sqlitePathIn } from '../sqlite/url.ts';
import { begin, giveIdentity, identityOf, markOf, type RunMark } from '../statements/copy-mark.ts';
import { about, makeFile, migrateTarget, openSide, type Side } from './side.ts';
import { copyAll, verifyAll } from './slices.ts';
import { anyIn, copiedTables, countIn } from './tables.ts';

export interface CopyOptions {
  /** Told in rows of FROM: first those that are copied, then those that are verified. */
  readonly onProgress?: (stage: 'copy' | 'verify', done: number, total: number) => void;
  readonly now?: () => number;
  /** Rows in a slice, for tests. */
  readonly sliceRows?: number;
}

export interface CopiedFacts {
  readonly table: string;
  readonly rows: number;
  /** Rows of slices that were not the same in TO before. */
  readonly sent: number;
  /** Rows of TO that are in FROM no more. */
  readonly removed: number;
  /** SHA-256 in hex over the digests of all slices: the same for the same rows, on every engine. */
  readonly checksum: string;
}

export interface CopyFacts {
  readonly from: string;
  readonly to: string;
  /** Everything that was acknowledged before this moment is in TO, ms since the epoch. */
  readonly asOf: number;
  /** Whether FROM was written to after that moment, perhaps: then TO lacks it. */
  readonly changedSince: boolean;
  readonly tables: readonly CopiedFacts[];
  /** What the verification found, a sentence each; TO counts as unfinished then. */
  readonly differences: readonly string[];
}

/** A slice is read as a whole, so this bounds the memory; a row has 20 KB at the very most, mostly 300 bytes. */
const rowsOfSlice = 5_000;
const maxDifferences = 20;

/**
 * Copies a database into another one, of either engine, as of one moment; FROM may be in use. TO may hold an earlier
 * copy of the same FROM, whole or not: then only what differs is written. Ends with a comparison of all rows.
 * @throws Error when FROM is not at this program's schema, or TO holds anything else; Failure STORAGE_UNAVAILABLE
 */
export async function copyDatabase(
  fromUrl: string,
  toUrl: string,
  { onProgress, now = Date.now, sliceRows = rowsOfSlice }: CopyOptions = {},
): Promise<CopyFacts> {
  requireTwo(fromUrl, toUrl);
  const source = await openSide(fromUrl, 'FROM', { readsOnly: true });
  try {
    const identity = await prepareSource(source, fromUrl);
    const target = await openTarget(toUrl, identity);
    try {
      const mark = await beginOn(target, identity);
      const asOf = now();
      await source.hold();
      const versionThen = await source.version();
      const rows = await countAll(source);
      const total = rows.reduce((sum, count) => sum + count, 0);
      const telling = (stage: 'copy' | 'verify'): ((rows: number) => void) => {
        let done = 0;
        onProgress?.(stage, done, total);
        return (more) => {
          done += more;
          onProgress?.(stage, done, total);
        };
      };
      const work = { source, target, mark, sliceRows };
      const copied = await copyAll({ ...work, onRows: telling('copy') });
      const verified = await verifyAll({ ...work, onRows: telling('verify') });
      const differences = verified.flatMap((table) => table.differences);
      if (differences.length === 0) {
        await target.write(async () => {
          await target.resetSequences();
          await mark.complete(target.db, asOf);
        });
      }
      await source.release();
      const changedSince = (await source.version()) !== versionThen;
      const tables = copiedTables.map(({ name }, at) => ({
        table: name,
        rows: rows[at] ?? 0,
        sent: copied[at]?.sent ?? 0,
        removed: copied[at]?.removed ?? 0,
        checksum: verified[at]?.checksum ?? '',
      }));
      const shown = differences.slice(0, maxDifferences);
      return { from: source.name, to: target.name, asOf, changedSince, tables, differences: shown };
    } finally {
      await target.close();
    }
  } catch (error) {
    // Of SQLite's it knows nothing, and of PostgreSQL's the driver's words would say too much.
    throw asFailure(error);
  } finally {
    await source.close();
  }
}

/** @throws Error when FROM and TO are one file, or one belongs to the other */
function requireTwo(fromUrl: string, toUrl: string): void {
  if (isPostgresUrl(fromUrl) || isPostgresUrl(toUrl)) return;
  const [from, to] = [fileOf(fromUrl, 'FROM'), fileOf(toUrl, 'TO')];
  if (isSameFile(from, to)) throw sameDatabase();
  requireForeign(from, to);
  requireForeign(to, from);
}

function fileOf(url: string, role: string): string {
  try {
    return sqlitePathIn(url);
  } catch (error) {
    throw about(role, error);
  }
}

function sameDatabase(): Error {
  return new Error('FROM and TO are the same database, or one was restored from a backup of the other.');
}

/** @returns the identity of FROM, given to it now if it has none */
async function prepareSource(source: Side, url: string): Promise<string> {
  const { pending, version } = await statusOf(source, 'FROM');
  if (version === 0) throw new Error(`FROM (${source.name}) is not a Linkfold database.`);
  if (pending.length > 0) {
    throw new Error(
      `FROM lacks migrations (${pending.join(', ')}). Run linkfold db migrate with DATABASE_URL set to it.`,
    );
  }
  if ((await markOf(source.db))?.isWhole === false)
    throw new Error('FROM is itself a copy that is not finished.');
  const identity = await identityOf(source.db);
  if (identity !== undefined) return identity;
  const writing = await openSide(url, 'FROM', { readsOnly: false });
  try {
    return await giveIdentity(writing.db, randomUUID());
  } finally {
    await writing.close();
  }
}

function statusOf(side: Side, role: string) {
  return migrationStatusOf(side.db, side.words).catch((error: unknown) => {
    throw error instanceof Error && error.constructor === Error
      ? new Error(`${role}: ${error.message}`, { cause: error })
      : error;
  });
}

/** Opens TO at this program's schema. What may not be copied to is left as it is. */
async function openTarget(url: string, source: string): Promise<Side> {
  try {
    makeFile(url);
  } catch (error) {
    throw about('TO', error);
  }
  const before = await openSide(url, 'TO', { readsOnly: false });
  try {
    await requireCopyOf(before, source);
  } finally {
    await before.close();
  }
  await migrateTarget(url).catch((error: unknown) => {
    throw about('TO', error);
  });
  return openSide(url, 'TO', { readsOnly: false });
}

/** @throws Error unless a database is empty, or a copy of the source */
async function requireCopyOf({ db, words, name }: Side, source: string): Promise<void> {
  const isThere = async (table: string): Promise<boolean> =>
    (await db.get(words.tableExists, [table])) !== undefined;
  if (!(await isThere('meta'))) return;
  if ((await identityOf(db)) === source) throw sameDatabase();
  const mark = await markOf(db);
  if (mark !== undefined && mark.source !== source)
    throw new Error(`TO (${name}) holds a copy of another database. Give an empty one.`);
  if (mark !== undefined) return;
  for (const table of copiedTables) {
    if (!(await isThere(table.name)) || (await db.get(anyIn(table), [])) === undefined) continue;
    throw new Error(
      `TO (${name}) is in use: it holds ${table.name.replaceAll('_', ' ')} that no copy brought. Give an empty one.`,
    );
  }
}

async function beginOn(target: Side, identity: string): Promise<RunMark> {
  let mark: RunMark | undefined;
  await target.write(async () => {
    // Once more: now nobody can come in between.
    await requireCopyOf(target, identity);
    mark = await begin(target.db, identity, randomUUID());
  });
  if (mark === undefined) throw new Error('A transaction did not do its work.');
  return mark;
}

async function countAll({ db }: Side): Promise<number[]> {
  const counts: number[] = [];
  for (const table of copiedTables) counts.push((await one<{ count: number }>(db, countIn(table), [])).count);
  return counts;
}
