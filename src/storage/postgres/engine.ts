import type { Storage } from '../../model/storage.ts';
import { createFaults, sumOfFaults } from '../../model/storage-stats.ts';
import type { Report } from '../../runtime/report.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import type { Db, OnChange, Value } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { createJobQueue } from '../engine/job-queue.ts';
import { statisticsReads } from '../engine/statistics-reads.ts';
import {
  type MigrationOptions,
  type MigrationStatus,
  migrationReporter,
  migrationStatusOf,
} from '../migrations/migrate.ts';
import { findSession } from '../statements/accounts/sessions.ts';
import { ping } from '../statements/ping.ts';
import { readsFrom } from '../statements/reads.ts';
import { sendIdempotent, writesVia } from '../statements/writes.ts';
import { answerPatienceMs, type StatisticsOptions } from '../statistics/options.ts';
import { type Connection, connect, postgresDialect } from './connections/connection.ts';
import { asFailure, describeError, faultOf, isLostBeforeCommit } from './connections/errors.ts';
import { createPool, type Pool } from './connections/pool.ts';
import { requireDurableServer } from './connections/server.ts';
import type { Purpose } from './connections/slots.ts';
import { type PostgresAddress, postgresAddressIn } from './connections/url.ts';
import { createFreshReads } from './fresh-reads.ts';
import { migratePostgres } from './migration.ts';
import type { PostgresStatistics } from './statistics.ts';
import { createWriter } from './writes.ts';

export interface PostgresOptions extends MigrationOptions, StatisticsOptions {
  /**
   * Id of this process's click journal. Reads that return click counts also return the position up to which this
   * journal is applied.
   */
  readonly journal?: string | undefined;
  readonly tracing?: Tracing | undefined;
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
  /** Maximum number of connections that this process opens, at least 3. */
  readonly connections?: number | undefined;
  /** Timeout for a database request, in ms. */
  readonly patienceMs?: number | undefined;
  /** Milliseconds for which cached targets are used while this process cannot read the changes made by other nodes. */
  readonly staleMs?: number | undefined;
  /** Maximum number of cached targets. */
  readonly maxTargets?: number | undefined;
}

const defaultConnections = 10;
const defaultPatienceMs = 5_000;
const defaultStaleMs = 3_600_000;
const defaultMaxTargets = 40_000;
/** Timeout for a poll of the change log, in ms. After a timeout, a new connection is opened. */
const logPatienceMs = 2_000;
/** Number of slots per counter. A process's connections use different slots. */
const counterSlots = 16;
/** Timeout for the check of server settings, in ms. */
const checkMs = 10_000;

/**
 * Opens the engine for several nodes: checks the server, migrates, then reads and writes with a pool of connections.
 * One connection is reserved for pings and one for the change log. So even under load, this process knows whether the
 * database responds and what other nodes changed.
 * @throws Failure STORAGE_UNAVAILABLE; Error when the URL, the server or its settings cannot be used, or the database
 * is newer than this program
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: assembles the engine: one line per part
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const address = postgresAddressIn(url);
  const {
    connections = defaultConnections,
    patienceMs = defaultPatienceMs,
    journal,
    onError,
    onInfo,
  } = options;
  if (address.isOpenToReaders)
    onInfo?.(
      'The database connection is not encrypted. Set sslmode=verify-full, or sslmode=disable to accept this.',
    );
  await preparePostgres(address, options);

  const firstSlot = Math.floor(Math.random() * counterSlots);
  const connectTo = (place: number, withinMs: number): Promise<Connection> =>
    connect(address, {
      journal,
      slot: (firstSlot + place) % counterSlots,
      statementMs: patienceMs,
      withinMs,
    });
  const logTimeoutMs = Math.min(patienceMs, logPatienceMs);
  const pool = createPool({ connect: connectTo, most: connections - 2, patienceMs });
  const logPool = createPool({ connect: connectTo, most: 1, patienceMs: logTimeoutMs });
  const pingPool = createPool({ connect: connectTo, most: 1, patienceMs });
  const statementMs = address.pooled ? patienceMs : undefined;
  const onChange: OnChange = (kind, name) => fresh.invalidate(kind, name);
  const writer = createWriter({ pool, statementMs, onChange, ...options });
  const faults = createFaults();
  const toCountedFailure = (error: unknown): unknown => {
    const failure = asFailure(error);
    const fault = faultOf(failure);
    if (fault !== undefined) faults[fault] += 1;
    return failure;
  };
  const reads = readsFrom(readerFor(pool, 'read', journal, toCountedFailure));
  const lookupDb = readerFor(pool, 'lookup', journal, toCountedFailure);
  const lookups = readsFrom(lookupDb);
  const pingDb = { ...readerFor(pingPool, 'write', journal, toCountedFailure), counterSlot: () => firstSlot };
  // Opens the ping connection now, because the database may be slow at the first health check.
  ping(pingDb).catch(() => {}); // if this ping fails, the next one fails too and is reported
  let onKeyChange: (id?: string) => void = () => {};
  const fresh = createFreshReads({
    log: readerFor(logPool, 'read', journal, toCountedFailure),
    readTarget: async (key) => lookups.findTarget(key),
    readHost: async (host) => lookups.findHost(host),
    readKey: async (id) => lookups.findKey(id),
    staleMs: options.staleMs ?? defaultStaleMs,
    maxTargets: options.maxTargets ?? defaultMaxTargets,
    onKeyChange: (id) => onKeyChange(id),
    onError,
    onInfo,
  });
  const statisticsThread = createJobQueue<PostgresStatistics>(
    new URL(`./statistics${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
    { url },
    { role: 'statistics', patienceMs: answerPatienceMs, onError },
  );
  let closed: Promise<void> | undefined;
  return {
    ...reads,
    findTarget: fresh.findTarget,
    findHost: fresh.findHost,
    findKey: fresh.findKey,
    findSession: (digest) => findSession(lookupDb, digest, fresh.findKey),
    onKeyChange(listener) {
      onKeyChange = listener;
    },
    ...writesVia(writer.send),
    ...statisticsReads(statisticsThread.run, options),
    foldClicks: (now) => statisticsThread.run('foldClicks', undefined, now, options.foldLimits),
    writesBy: (author) => writesVia(writer.send, author),
    idempotent: (...args) => sendIdempotent(writer.send, ...args),
    ready: async () => {}, // openPostgres has already connected
    ping: () => ping(pingDb),
    waitingWrites: writer.waiting,
    stats: () => {
      const written = writer.stats();
      return {
        ...written,
        retries: writer.retries(),
        faults: sumOfFaults(written.faults, faults, statisticsThread.faults),
        ...fresh.stats(),
      };
    },
    close: () => {
      fresh.close();
      const pools = [pool, pingPool, logPool];
      closed ??= Promise.all([writer.close(), statisticsThread.close()]).then(
        async () => void (await Promise.all(pools.map((one) => one.close()))),
      );
      return closed;
    },
  };
}

/** Compares a database's schema with this program's. Changes nothing. */
export function postgresMigrationStatus(url: string): Promise<MigrationStatus> {
  return withConnection(postgresAddressIn(url), (connection) =>
    migrationStatusOf(connection, postgresDialect),
  );
}

/** Checks the server, and migrates the schema. @throws the same errors as {@link openPostgres} */
export async function preparePostgres(address: PostgresAddress, options: PostgresOptions): Promise<void> {
  const statementMs = address.pooled ? undefined : checkMs;
  await withConnection(
    address,
    (connection) => requireDurableServer(connection, address.allowUnsafe, statementMs),
    checkMs,
  );
  const connectWithoutTimeout = (): Promise<Connection> => connect(address, { statementMs: 0 });
  try {
    await migratePostgres(connectWithoutTimeout, { ...migrationReporter(options.onInfo), ...options });
  } catch (error) {
    throw asFailure(error);
  }
}

/**
 * Opens a connection outside of any pool.
 * @param statementMs timeout for statements in ms; 0 disables it
 * @throws Failure STORAGE_UNAVAILABLE with the server's address and its error message, for the operator
 */
export function connectUnpooled(address: PostgresAddress, statementMs = 0): Promise<Connection> {
  return connect(address, { statementMs }).catch((error: unknown) => {
    const { host, port } = address;
    throw storageUnavailable(`could not use the database at ${host}:${port}: ${describeError(error)}`, error);
  });
}

/**
 * Runs work with an unpooled connection, and closes the connection.
 * @throws the same errors as {@link connectUnpooled}; errors of the work, as a Failure
 */
export async function withConnection<T>(
  address: PostgresAddress,
  work: (connection: Connection) => Promise<T>,
  statementMs = 0,
): Promise<T> {
  const connection = await connectUnpooled(address, statementMs);
  try {
    return await work(connection);
  } catch (error) {
    throw asFailure(error);
  } finally {
    await connection.end();
  }
}

/** Returns a `Db` that runs each statement in its own transaction, on any free connection. */
function readerFor(
  pool: Pool,
  purpose: Purpose,
  journal = '',
  toCountedFailure: (error: unknown) => unknown,
): Db {
  const use = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      // Repeats a read whose connection was lost, because reads have no side effects.
      return await pool.use(purpose, work).catch((error: unknown) => {
        if (!isLostBeforeCommit(error)) throw error;
        return pool.use(purpose, work);
      });
    } catch (error) {
      throw toCountedFailure(error);
    }
  };
  const refuseWrite = (): never => {
    throw new Error('Cannot write outside a transaction.');
  };
  return {
    journal,
    hasSearchTable: false,
    allUncached: <R>(sql: string, params: readonly Value[]) => use((db) => db.allUncached<R>(sql, params)),
    all: <R>(sql: string, params: readonly Value[]) => use((db) => db.all<R>(sql, params)),
    get: <R>(sql: string, params: readonly Value[]) => use((db) => db.get<R>(sql, params)),
    run: refuseWrite,
    insert: refuseWrite,
    bulk: refuseWrite,
    lockRows: refuseWrite,
    counterSlot: () => 0,
  };
}
