import type { Storage } from '../domain/storage.ts';
import { type CacheStats, storageFaults } from '../domain/storage-stats.ts';
import type { Tracing } from '../domain/tracing.ts';
import { takeIntoUse, tellUse } from './copy-mark.ts';
import { storageUnavailable } from './failure.ts';
import { dataFindings, type OnProgress, requireSchema } from './findings.ts';
import { type MigrationStatus, migrationStatusOf } from './migrate.ts';
import { ping } from './ping.ts';
import { type Connection, connect, postgresWords } from './postgres-connection.ts';
import { asFailure, detailOf } from './postgres-errors.ts';
import { migratePostgres, type PostgresMigrationOptions } from './postgres-migration.ts';
import { createPool } from './postgres-pool.ts';
import { createReader } from './postgres-reads.ts';
import { requireSoundServer } from './postgres-server.ts';
import { type PostgresAddress, postgresAddressIn } from './postgres-url.ts';
import { createWriter } from './postgres-writes.ts';
import { readsFrom } from './reads.ts';
import { sendOnce, writesBy } from './writes.ts';

/** Says something to the operator: one sentence, and facts for the log. */
type Tell = (sentence: string, facts?: Readonly<Record<string, unknown>>) => void;

export interface PostgresOptions extends PostgresMigrationOptions {
  /** The click journal of this process: reads that carry clicks say up to which of its positions they go. */
  readonly journal?: string | undefined;
  readonly tracing?: Tracing | undefined;
  readonly onAlarm?: Tell | undefined;
  readonly onNotice?: Tell | undefined;
  /** Most connections of this process, from 2. */
  readonly connections?: number | undefined;
  /** How long an answer of the database is waited for, ms. */
  readonly patienceMs?: number | undefined;
}

const defaultConnections = 10;
const defaultPatienceMs = 5_000;
/** How many rows a counter has; connections of one process add to different ones. */
const counterSlots = 16;

/**
 * Opens the engine for several machines: checks the server, migrates, then reads and writes over a few connections.
 * One of them is for the ping alone: however busy the others are, it tells whether the database answers.
 * @throws Failure STORAGE_UNAVAILABLE; Error when the URL, the server or its settings cannot be used, or the database
 * is newer than this program
 */
export const openPostgres = async (url: string, options: PostgresOptions = {}): Promise<Storage> => {
  const address = postgresAddressIn(url);
  const { connections = defaultConnections, patienceMs = defaultPatienceMs, journal, onNotice } = options;
  if (address.isOpenToReaders)
    onNotice?.(
      'The connection to the database is not encrypted: say sslmode=verify-full, or sslmode=disable to accept that.',
    );
  await preparePostgres(address, options);
  await withConnection(address, async (connection) => tellUse(await takeIntoUse(connection), onNotice));

  const firstSlot = Math.floor(Math.random() * counterSlots);
  const connectTo = (place: number, withinMs: number): Promise<Connection> =>
    connect(address, {
      ...{ journal, slot: (firstSlot + place) % counterSlots },
      ...{ statementMs: patienceMs, withinMs },
    });
  const pool = createPool({ connect: connectTo, most: connections - 1, patienceMs });
  const probes = createPool({ connect: connectTo, most: 1, patienceMs });
  const statementMs = address.pooled ? patienceMs : undefined;
  const writer = createWriter({ pool, statementMs, ...options });
  const reader = createReader(pool, 'read', options);
  const prober = createReader(probes, 'write', { journal });
  let closed: Promise<void> | undefined;
  return {
    ...readsFrom(reader.db),
    ...writesBy(writer.send),
    once: (once, write) => sendOnce(writer.send, once, write),
    ping: () => ping(prober.db),
    waitingWrites: writer.waiting,
    stats: () => {
      const written = writer.stats();
      const faults = { ...written.faults };
      for (const { faults: found } of [reader, prober])
        for (const fault of storageFaults) faults[fault] += found[fault];
      return {
        ...written,
        retries: writer.retries(),
        faults,
        caches: { targets: noCache, keys: noCache },
      };
    },
    close: () => {
      closed ??= writer.close().then(async () => void (await Promise.all([pool.close(), probes.close()])));
      return closed;
    },
  };
};

const noCache: CacheStats = { hits: 0, misses: 0, drops: 0, entries: 0 };

/** Compares a database's schema with this program's, and changes nothing. */
export const postgresMigrationStatus = (url: string): Promise<MigrationStatus> =>
  withConnection(postgresAddressIn(url), (connection) => migrationStatusOf(connection, postgresWords));

/** Checks the rows of a database, as of one moment. */
export const checkPostgres = (url: string, onProgress?: OnProgress): Promise<string[]> =>
  withConnection(postgresAddressIn(url), async (connection) => {
    await requireSchema(connection, postgresWords);
    await connection.command(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
    );
    const findings = await dataFindings(connection, postgresWords, onProgress);
    await connection.command('COMMIT');
    return findings;
  });

/** Checks the server, and brings the database's schema up to date. @throws as {@link openPostgres} */
export const preparePostgres = async (address: PostgresAddress, options: PostgresOptions): Promise<void> => {
  await withConnection(address, (connection) => requireSoundServer(connection, address.allowUnsafe));
  const { onNotice } = options;
  let shown = 0;
  const patient = (): Promise<Connection> => connect(address, { statementMs: 0 });
  try {
    await migratePostgres(patient, {
      onWait: () => onNotice?.('Another process migrates the database; this start waits for it.'),
      onBackfill(migration, done, total) {
        const tenth = Math.floor((10 * done) / total);
        if (tenth > shown)
          onNotice?.('A migration of the database is under way.', { migration, done, total });
        shown = tenth;
      },
      ...options,
    });
  } catch (error) {
    throw asFailure(error);
  }
};

/**
 * Makes a connection that belongs to no pool, on which statements may take as long as they do.
 * @throws Failure STORAGE_UNAVAILABLE that names the server and what it said, for whoever starts the program
 */
export const connectAlone = (address: PostgresAddress): Promise<Connection> =>
  connect(address, { statementMs: 0 }).catch((error: unknown) => {
    const { host, port } = address;
    throw storageUnavailable(`the database at ${host}:${port} cannot be used: ${detailOf(error)}`, error);
  });

/** Works with such a connection, and ends it. @throws as {@link connectAlone}; what the work throws, as a Failure */
export const withConnection = async <T>(
  address: PostgresAddress,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
  const connection = await connectAlone(address);
  try {
    return await work(connection);
  } catch (error) {
    throw asFailure(error);
  } finally {
    await connection.end();
  }
};
