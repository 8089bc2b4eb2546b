import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reads, Storage } from '../../model/storage.ts';
import { sumOfFaults } from '../../model/storage-stats.ts';
import { adoptOwner } from '../../runtime/files/adopt-owner.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import { storageUnavailable } from '../db/failure.ts';
import { createJobQueue } from '../engine/job-queue.ts';
import { statisticsReads } from '../engine/statistics-reads.ts';
import { type MigrationOptions, migrationReporter } from '../migrations/migrate.ts';
import { findSession } from '../statements/accounts/sessions.ts';
import { depthOf, includesDeletedFolders } from '../statements/finding/link-reads.ts';
import { readsFrom } from '../statements/reads.ts';
import { type SendWrite, sendIdempotent, writesVia } from '../statements/writes.ts';
import type { StatisticsJobs } from '../statistics/jobs.ts';
import { answerPatienceMs, type StatisticsOptions } from '../statistics/options.ts';
import { type Connection, openConnection, type Synchronous } from './connection.ts';
import { type FileWatch, type FileWatchOptions, identityAt, watchFiles } from './file-watch.ts';
import { createFreshReads, type FreshReadsOptions } from './fresh-reads.ts';
import { migrateSqlite } from './migration.ts';
import { createWriteQueue, type WriteQueue } from './queue.ts';
import type { FullDisks } from './snapshots.ts';

export interface SqliteOptions
  extends FreshReadsOptions,
    MigrationOptions,
    FileWatchOptions,
    StatisticsOptions {
  /**
   * Id of this process's click journal. Reads that return click counts also return the position up to which this
   * journal is applied.
   */
  readonly journal?: string | undefined;
  readonly tracing?: Tracing | undefined;
  /** True to start the writer thread only at the first write, or when `ready` is called. */
  readonly writesLater?: boolean;
  /** Timeout for reads on the reader thread, in ms. */
  readonly readPatienceMs?: number;
}

// For tests only: with NORMAL, a power failure can lose acknowledged writes, and the power-loss test must detect that.
function synchronousMode(): Synchronous {
  return process.env['LINKFOLD_UNSAFE_SYNCHRONOUS'] === 'NORMAL' ? 'NORMAL' : 'FULL';
}

/**
 * Opens the embedded engine: migrates, then reads on this thread and writes on another.
 * @param path the database file; created if missing, readable only by its owner
 * @throws Failure STORAGE_UNAVAILABLE; Error when the database is newer than this program
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Storage> {
  let fault: unknown = storageUnavailable('the database file keeps being replaced');
  for (let tries = 0; tries < maxTries; tries += 1) {
    createFile(path);
    const identity = identityAt(path);
    const storage = await openFile(path, options).catch((error: unknown) => {
      fault = error;
    });
    if (identityAt(path) !== identity) await storage?.close();
    else if (storage === undefined) throw fault;
    else return storage;
  }
  throw fault;
}

/**
 * Maximum number of attempts to open the file. If a restore replaces the file while the program is opening it, the
 * program ends up with the old file open and tries again.
 */
const maxTries = 3;

async function openFile(path: string, options: SqliteOptions): Promise<Storage> {
  // This connection is opened before all other connections and stays open: when the last connection closes, SQLite
  // deletes files that it cannot create again on a full disk.
  const connection = openConnection(path, { readsOnly: true, journal: options.journal });
  const fullDisks = new Int32Array(new SharedArrayBuffer(4));
  const data = { path, synchronous: synchronousMode(), fullDisks };
  const queue = createWriteQueue(scriptOf('writer'), data, options);
  try {
    // The writer thread starts up while this thread migrates.
    const ready = options.writesLater ? undefined : queue.ready();
    await migrateSqlite(path, { ...migrationReporter(options.onInfo), ...options });
    await ready;
    return storageOn({ path, connection, queue, fullDisks, watch: watchFiles(path, options) }, options);
  } catch (error) {
    // Without closing the queue, its thread would keep the process alive.
    await closeAll(connection, queue);
    throw error;
  }
}

/** Pages within this many links of either end of a list are read on this thread, which takes at most a millisecond. */
const maxInlineDepth = 5_000;

interface OpenedFile {
  readonly path: string;
  readonly connection: Connection;
  readonly queue: WriteQueue;
  readonly watch: FileWatch;
  readonly fullDisks: FullDisks;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: assembles the engine: one line per method, which shows the thread it runs on
function storageOn(
  { path, connection, queue, watch, fullDisks }: OpenedFile,
  options: SqliteOptions,
): Storage {
  const send: SendWrite = async (write) => {
    watch.require();
    return queue.send(write);
  };
  const reads = readsFrom(connection);
  const { onError, readPatienceMs } = options;
  const data = { path, journal: options.journal, fullDisks };
  const longReads = createJobQueue<Reads>(scriptOf('reader'), data, {
    role: 'reader',
    onError,
    ...(readPatienceMs !== undefined && { patienceMs: readPatienceMs }),
  });
  const statisticsThread = createJobQueue<StatisticsJobs>(scriptOf('statistics'), data, {
    role: 'statistics',
    patienceMs: answerPatienceMs,
    onError,
  });
  // Checks the file first: if it was deleted or replaced, a new thread would open or create another file.
  const runOnReader: typeof longReads.run = (...args) => {
    watch.require();
    return longReads.run(...args);
  };
  const runOnStatistics: typeof statisticsThread.run = (...args) => {
    watch.require();
    return statisticsThread.run(...args);
  };
  let onKeyChange: (id?: string) => void = () => {};
  const fresh = createFreshReads(connection, { ...options, onKeyChange: (id) => onKeyChange(id) });
  queue.onCommit(fresh.invalidate);
  const statisticsResults = statisticsReads(runOnStatistics, options);
  let closed: Promise<void> | undefined;
  return {
    ...reads,
    findTarget: fresh.findTarget,
    findHost: fresh.findHost,
    findKey(id) {
      // Checks the file first: if a restore has replaced it, the key may be revoked in the new file.
      watch.require();
      return fresh.findKey(id);
    },
    findSession: (digest) => findSession(connection, digest, fresh.findKey),
    onKeyChange(listener) {
      onKeyChange = listener;
    },
    async links(...args) {
      const [accountId, filter] = args;
      const isShort =
        (await depthOf(connection, ...args)) <= maxInlineDepth &&
        !(await includesDeletedFolders(connection, accountId, filter));
      return isShort ? reads.links(...args) : runOnReader('links', ...args);
    },
    findLinks: async (...args) => runOnReader('findLinks', ...args),
    codeHolders: async (...args) => runOnReader('codeHolders', ...args),
    countLinksWithin: async (...args) => runOnReader('countLinksWithin', ...args),
    // With a restricted key, the read may have to skip many inaccessible links before the page, so it runs on the
    // reader thread.
    deletedLinks: (...args) =>
      args[4] === undefined ? reads.deletedLinks(...args) : runOnReader('deletedLinks', ...args),
    missedVisits: async (...args) => runOnReader('missedVisits', ...args),
    accountEvents: async (...args) => runOnReader('accountEvents', ...args),
    // These reads run every second and scan all accounts' webhooks, so they run on the reader thread.
    hasDueDeliveries: async (...args) => runOnReader('hasDueDeliveries', ...args),
    nextClicked: async (...args) => runOnReader('nextClicked', ...args),
    // Reads thousands of links that may not have been visited recently, so their pages may have to be read from disk.
    rowsOf: async (ids) => runOnReader('rowsOf', ids),
    ...writesVia(send),
    ...statisticsResults,
    readEvents(...args) {
      fresh.poll();
      return statisticsResults.readEvents(...args);
    },
    async foldClicks(now) {
      const fold = await runOnStatistics('planFold', undefined, now, options.foldLimits);
      if (fold === undefined) return false;
      // If another process has moved clicks since this step was planned, the step is not written and there is more to
      // do.
      const { value } = await send({ name: 'writeColumns', args: [fold.change] });
      return fold.hasMore || value === false;
    },
    writesBy: (author) => writesVia(send, author),
    idempotent: (...args) => sendIdempotent(send, ...args),
    ready: queue.ready,
    ping: async () => {
      await send({ name: 'ping', args: [] });
      await reads.hasKeys();
    },
    waitingWrites: queue.waiting,
    stats: () => {
      const written = queue.stats();
      const faults = sumOfFaults(
        written.faults,
        connection.faults,
        longReads.faults,
        statisticsThread.faults,
      );
      return { ...written, retries: 0, faults, caches: fresh.stats(), changeLogLagSeconds: undefined };
    },
    close: () => {
      watch.close();
      closed ??= Promise.all([longReads.close(), statisticsThread.close()]).then(() =>
        closeAll(connection, queue),
      );
      return closed;
    },
  };
}

/** Returns the URL of a thread's script: TypeScript in a checkout, JavaScript in the published package. */
function scriptOf(name: string): URL {
  return new URL(`./${name}${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
}

// The writer closes last, because the last connection checkpoints the write-ahead log, which may take a while.
async function closeAll(connection: Connection, queue: WriteQueue): Promise<void> {
  connection.close();
  await queue.close();
}

/**
 * Creates a database file that only its owner can read. Does not open an existing file: closing its descriptor would
 * release all of this process's locks on the file, including those of SQLite connections.
 */
export function createFile(path: string): void {
  try {
    makeFolder(dirname(path));
    // SQLite later creates the -wal and -shm files with the same permissions.
    closeSync(openSync(path, 'wx', 0o600));
    adoptOwner(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' || !existsSync(path))
      throw storageUnavailable(`could not create ${path}: ${reasonOf(error)}`, error);
  }
}
