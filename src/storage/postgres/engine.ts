import type { Storage } from '../../model/storage.ts';
import { createFaults, sumOfFaults } from '../../model/storage-stats.ts';
import type { Report } from '../../runtime/report.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import type { Db, OnChange, Value } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { answersOfThread } from '../engine/answers-of-thread.ts';
import { createJobQueue } from '../engine/job-queue.ts';
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
import { asFailure, detailOf, faultOf, isLostBeforeCommit } from './connections/errors.ts';
import type { Purpose } from './connections/places.ts';
import { createPool, type Pool } from './connections/pool.ts';
import { requireSoundServer } from './connections/server.ts';
import { type PostgresAddress, postgresAddressIn } from './connections/url.ts';
import { createFreshReads } from './fresh-reads.ts';
import { migratePostgres } from './migration.ts';
import type { PostgresStatistics } from './statistics.ts';
import { createWriter } from './writes.ts';

export interface PostgresOptions extends MigrationOptions, StatisticsOptions {
  /** The click journal of this process: reads that carry clicks say up to which of its offsets they go. */
  readonly journal?: string | undefined;
  readonly tracing?: Tracing | undefined;
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
  /** Maximum number of connections of this process, from 3. */
  readonly connections?: number | undefined;
  /** How long an answer of the database is waited for, ms. */
  readonly patienceMs?: number | undefined;
  /** How long targets in memory lead on while it is not known what other machines change, ms. */
  readonly staleMs?: number | undefined;
  /** Maximum number of targets in memory. */
  readonly maxTargets?: number | undefined;
}

const defaultConnections = 10;
const defaultPatienceMs = 5_000;
const defaultStaleMs = 3_600_000;
const defaultMostTargets = 40_000;
/** A poll of the change log may take so long; then a new connection is tried. */
const shortPatienceMs = 2_000;
/** How many rows a counter has; connections of one process add to different ones. */
const counterSlots = 16;
/** How long the check of the server's settings may take. */
const checkMs = 10_000;

/**
 * Opens the engine for several machines: checks the server, migrates, then reads and writes over a few connections.
 * One of them is for the ping alone, and one for the change log: however busy the others are, this process knows whether
 * the database answers and what other nodes changed.
 * @throws Failure STORAGE_UNAVAILABLE; Error when the URL, the server or its settings cannot be used, or the database
 * is newer than this program
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the engine put together, a line for a part; what the parts do is in their files
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
      'The connection to the database is not encrypted: say sslmode=verify-full, or sslmode=disable to accept that.',
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
  const shortMs = Math.min(patienceMs, shortPatienceMs);
  const pool = createPool({ connect: connectTo, most: connections - 2, patienceMs });
  const logPool = createPool({ connect: connectTo, most: 1, patienceMs: shortMs });
  const probes = createPool({ connect: connectTo, most: 1, patienceMs });
  const statementMs = address.pooled ? patienceMs : undefined;
  const onChange: OnChange = (kind, name) => fresh.forget(kind, name);
  const writer = createWriter({ pool, statementMs, onChange, ...options });
  const faults = createFaults();
  const toCountedFailure = (error: unknown): unknown => {
    const failure = asFailure(error);
    const fault = faultOf(failure);
    if (fault !== undefined) faults[fault] += 1;
    return failure;
  };
  const reads = readsFrom(readerOn(pool, 'read', journal, toCountedFailure));
  const lookUp = readerOn(pool, 'lookup', journal, toCountedFailure);
  const lookUps = readsFrom(lookUp);
  const prober = { ...readerOn(probes, 'write', journal, toCountedFailure), counterSlot: () => firstSlot };
  // Creates the connection of the probes now, not when the database is slow.
  ping(prober).catch(() => {}); // the next ping fails too, and is reported
  let onKeyChange: (id?: string) => void = () => {};
  const fresh = createFreshReads({
    log: readerOn(logPool, 'read', journal, toCountedFailure),
    readTarget: async (key) => lookUps.findTarget(key),
    readHost: async (host) => lookUps.findHost(host),
    readKey: async (id) => lookUps.findKey(id),
    staleMs: options.staleMs ?? defaultStaleMs,
    maxTargets: options.maxTargets ?? defaultMostTargets,
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
    findSession: (digest) => findSession(lookUp, digest, fresh.findKey),
    onKeyChange(listener) {
      onKeyChange = listener;
    },
    ...writesVia(writer.send),
    ...answersOfThread(statisticsThread.ask, options),
    foldClicks: (now) => statisticsThread.ask('foldClicks', undefined, now, options.foldLimits),
    writesBy: (author) => writesVia(writer.send, author),
    idempotent: (...asked) => sendIdempotent(writer.send, ...asked),
    ready: async () => {}, // seen when it was opened
    ping: () => ping(prober),
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
      const pools = [pool, probes, logPool];
      closed ??= Promise.all([writer.close(), statisticsThread.close()]).then(
        async () => void (await Promise.all(pools.map((one) => one.close()))),
      );
      return closed;
    },
  };
}

/** Compares a database's schema with this program's, and changes nothing. */
export function postgresMigrationStatus(url: string): Promise<MigrationStatus> {
  return withConnection(postgresAddressIn(url), (connection) =>
    migrationStatusOf(connection, postgresDialect),
  );
}

/** Checks the server, and brings the database's schema up to date. @throws as {@link openPostgres} */
export async function preparePostgres(address: PostgresAddress, options: PostgresOptions): Promise<void> {
  const statementMs = address.pooled ? undefined : checkMs;
  await withConnection(
    address,
    (connection) => requireSoundServer(connection, address.allowUnsafe, statementMs),
    checkMs,
  );
  const patient = (): Promise<Connection> => connect(address, { statementMs: 0 });
  try {
    await migratePostgres(patient, { ...migrationReporter(options.onInfo), ...options });
  } catch (error) {
    throw asFailure(error);
  }
}

/**
 * Creates a connection that belongs to no pool.
 * @param statementMs how long a statement may take; 0 for as long as it does
 * @throws Failure STORAGE_UNAVAILABLE that names the server and what it said, for the operator
 */
export function connectAlone(address: PostgresAddress, statementMs = 0): Promise<Connection> {
  return connect(address, { statementMs }).catch((error: unknown) => {
    const { host, port } = address;
    throw storageUnavailable(`the database at ${host}:${port} cannot be used: ${detailOf(error)}`, error);
  });
}

/** Works with such a connection, and ends it. @throws as {@link connectAlone}; what the work throws, as a Failure */
export async function withConnection<T>(
  address: PostgresAddress,
  work: (connection: Connection) => Promise<T>,
  statementMs = 0,
): Promise<T> {
  const connection = await connectAlone(address, statementMs);
  try {
    return await work(connection);
  } catch (error) {
    throw asFailure(error);
  } finally {
    await connection.end();
  }
}

/** Statements that are transactions by themselves, each on any free connection. */
function readerOn(
  pool: Pool,
  purpose: Purpose,
  journal = '',
  toCountedFailure: (error: unknown) => unknown,
): Db {
  const use = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      // The connection was gone before it was used. A read may be repeated.
      return await pool.use(purpose, work).catch((error: unknown) => {
        if (!isLostBeforeCommit(error)) throw error;
        return pool.use(purpose, work);
      });
    } catch (error) {
      throw toCountedFailure(error);
    }
  };
  const not = (): never => {
    throw new Error('Outside of a transaction nothing is changed.');
  };
  return {
    journal,
    searchesApart: false,
    ask: <R>(sql: string, params: readonly Value[]) => use((db) => db.ask<R>(sql, params)),
    all: <R>(sql: string, params: readonly Value[]) => use((db) => db.all<R>(sql, params)),
    get: <R>(sql: string, params: readonly Value[]) => use((db) => db.get<R>(sql, params)),
    run: not,
    insert: not,
    bulk: not,
    lockRows: not,
    counterSlot: () => 0,
  };
}
