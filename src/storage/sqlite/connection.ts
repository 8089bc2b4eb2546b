import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Failure } from '../../model/failures.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import { createFaults, type Faults, type StorageFault } from '../../model/storage-stats.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import type { BulkInput, Db, OnChange, Value } from '../db/db.ts';
import type { Dialect } from '../db/dialect.ts';
import { storageUnavailable } from '../db/failure.ts';

/** Timeout in ms for locks held by other processes. */
export const busyTimeoutMs = 5_000;

// 3.51.3 fixed a race in which a checkpoint could corrupt a WAL database (the WAL-reset bug).
const oldestSafeVersion = [3, 51, 3] as const;

export type Synchronous = 'FULL' | 'NORMAL';

export interface ConnectionOptions {
  /** Opens the connection read-only. */
  readonly readsOnly: boolean;
  readonly synchronous?: Synchronous;
  readonly journal?: string | undefined;
  /** Called before each row of a bulk change. */
  readonly between?: (() => void) | undefined;
  readonly onChange?: OnChange | undefined;
}

/** A connection that prepares each statement once. All calls are synchronous. */
export interface Connection extends Db {
  all<R>(sql: string, params: readonly Value[]): R[];
  allUncached<R>(sql: string, params: readonly Value[]): R[];
  get<R>(sql: string, params: readonly Value[]): R | undefined;
  run(sql: string, params: readonly Value[]): number;
  insert(sql: string, identity: string, params: readonly Value[]): number;
  lockRows(): void;
  readonly database: DatabaseSync;
  /** Number of failed statements since the connection was opened, by reason. */
  readonly faults: Faults;
  close(): void;
}

export const sqliteDialect: Dialect = {
  identity: 'INTEGER PRIMARY KEY',
  integer: 'INTEGER',
  text: 'TEXT',
  bytes: 'BLOB',
  table: ' STRICT',
  clustered: ' STRICT, WITHOUT ROWID',
  changing: '',
  including: () => '',
  ofLink: ' REFERENCES links (link_row)',
  unlogged: '',
  storedUncompressed: () => [],
  searching: [
    // The index stores only which trigrams a link's search columns contain. So searches check the link's row to see
    // whether it really contains the words.
    `CREATE VIRTUAL TABLE link_texts USING fts5 (
      text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
    )`,
    // Links whose search columns changed since they were indexed.
    'CREATE TABLE link_text_changes (link_row INTEGER PRIMARY KEY) STRICT',
    `CREATE TRIGGER links_change_texts
      AFTER UPDATE OF code, destination, location, title, description, search_text ON links
      WHEN new.link_row <= (SELECT reached FROM link_index)
      BEGIN INSERT OR IGNORE INTO link_text_changes (link_row) VALUES (new.link_row); END`,
  ],
  tableExists: "SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = ?",
};

/**
 * Opens a connection whose commits survive a power failure.
 * @throws Failure STORAGE_UNAVAILABLE that names the file; Error when the file is not a database, SQLite is too old or
 * a setting was not applied
 */
export function openConnection(path: string, options: ConnectionOptions): Connection {
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { timeout: busyTimeoutMs });
    database = opened;
    requireSafeVersion(opened);
    for (const [pragma, value] of pragmasFor(options)) retryWhileBusy(() => setPragma(opened, pragma, value));
    return connectionOn(opened, options);
  } catch (error) {
    database?.close();
    throw openError(path, error);
  }
}

/** Checkpoints the write-ahead log now, so that no later commit has to. */
export function checkpointLog({ database }: Connection): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Ignores the error, because SQLite tries again at a later commit and reports the problem then.
  }
}

/** Creates a connection that prepares each statement once. */
export function connectionOn(
  database: DatabaseSync,
  options: Pick<ConnectionOptions, 'journal' | 'between' | 'onChange'> = {},
): Connection {
  const { journal = '', between = () => {}, onChange = () => {} } = options;
  const prepared = new Map<string, StatementSync>();
  const variants = new Map<string, readonly [one: string, several: string]>();
  const prepare = (sql: string): StatementSync => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
  const faults = createFaults();
  const countFaults = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== undefined) faults[fault] += 1;
      throw asFailure(error);
    }
  };
  const run = (sql: string, params: readonly Value[]): number =>
    countFaults(() => Number(prepare(sql).run(...params.map(bind)).changes));
  return {
    database,
    journal,
    onChange,
    hasSearchTable: true,
    faults,
    counterSlot: () => 0,
    bulk(input, each, sql, params = []) {
      if (each !== undefined) return forEach(input, each, between);
      const [one, several] = variants.getOrInsertComputed(sql, () => toBulk(Object.keys(input.columns), sql));
      return inGroups(input, (rows, values) => {
        between();
        return run(rows === 1 ? one : several, [...values, ...params]);
      });
    },
    lockRows: () => {},
    allUncached: <R>(sql: string, params: readonly Value[]) =>
      countFaults(() => database.prepare(sql).all(...params.map(bind)) as R[]),
    all: <R>(sql: string, params: readonly Value[]) =>
      countFaults(() => prepare(sql).all(...params.map(bind)) as R[]),
    get: <R>(sql: string, params: readonly Value[]) =>
      countFaults(() => prepare(sql).get(...params.map(bind)) as R | undefined),
    run,
    insert: (sql, _identity, params) =>
      countFaults(() => Number(prepare(sql).run(...params.map(bind)).lastInsertRowid)),
    close: () => database.close(),
  };
}

const rowsPerStatement = 16;

/** Returns two variants of a statement: one for a single input row, and one for `rowsPerStatement` rows. */
function toBulk(columns: readonly string[], sql: string): [one: string, several: string] {
  const row = `(${columns.map(() => '?')})`;
  const withRows = (count: number) => `WITH input (${columns}) AS (VALUES ${Array(count).fill(row)}) ${sql}`;
  return [withRows(1), withRows(rowsPerStatement)];
}

/** Runs a statement for `rowsPerStatement` rows at a time, and once for each of the remaining rows. */
function inGroups<V extends Value>(
  { columns, values }: BulkInput<V>,
  run: (rows: number, values: readonly V[]) => number,
): number {
  const { length: width } = Object.keys(columns);
  let changed = 0;
  for (let at = 0; at < values.length; ) {
    const rows = values.length - at < rowsPerStatement * width ? 1 : rowsPerStatement;
    changed += run(rows, Array.prototype.slice.call(values, at, at + rows * width) as V[]);
    at += rows * width;
  }
  return changed;
}

async function forEach<V extends Value>(
  { columns, values }: BulkInput<V>,
  each: (...row: V[]) => MaybePromise<unknown>,
  between: () => void,
): Promise<number> {
  const width = Object.keys(columns).length;
  let changed = 0;
  for (let at = 0; at < values.length; at += width) {
    between();
    const row = new Array<V>(width);
    for (let column = 0; column < width; column += 1) row[column] = values[at + column] as V;
    const done = each(...row);
    const rows = done instanceof Promise ? await done : done;
    if (typeof rows === 'number') changed += rows;
  }
  return changed;
}

// Converts numbers to BigInt, because node:sqlite binds a JavaScript number as floating point, and results of SQL
// expressions would then be floating point too.
function bind(value: Value): SQLInputValue {
  return typeof value === 'number' ? BigInt(value) : value;
}

function pragmasFor({ readsOnly, synchronous = 'FULL' }: ConnectionOptions): [string, string | number][] {
  return [
    // In WAL mode, readers never wait for a writer, and a writer never waits for readers.
    ['journal_mode', 'wal'],
    // Each commit reaches the disk before it is acknowledged: an acknowledged link survives power loss.
    ['synchronous', synchronous === 'FULL' ? 2 : 1],
    // On macOS, fsync alone leaves data in the drive's cache.
    ['fullfsync', 1],
    // Ensures, for example, that a link cannot refer to a missing folder.
    ['foreign_keys', 1],
    // Other processes may share the file. Waiting for their locks is acceptable, because their transactions are short.
    ['busy_timeout', busyTimeoutMs],
    // After a burst (or a long backup) the write-ahead log shrinks to 64 MiB.
    ['journal_size_limit', 67_108_864],
    // A negative value is in KiB. For a million links, the cache holds the upper levels of all indexes. A larger cache
    // makes writes slower, not faster: a commit with a page split scans the whole cache, and the operating system
    // caches the other pages anyway. This program caches data that is read often (fresh-reads.ts).
    ['cache_size', -8_192],
    // Checkpoints the log after 64 MiB, so that a page that is written many times is copied into the database only
    // once.
    ['wal_autocheckpoint', 16_000],
    ['query_only', readsOnly ? 1 : 0],
  ];
}

const pauseMs = 20;

/**
 * Retries while the database is busy: two processes may switch a new file to WAL mode at the same time, and SQLite does
 * not wait for that lock, whatever the timeout.
 */
function retryWhileBusy(work: () => void): void {
  const end = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const isBusy = ((error as { errcode?: number }).errcode ?? 0) % 256 === busy;
      if (!isBusy || performance.now() >= end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

function setPragma(database: DatabaseSync, pragma: string, value: string | number): void {
  if (pragma === 'journal_mode' && readPragma(database, pragma) === value) return;
  database.exec(`PRAGMA ${pragma} = ${value}`);
  const got = readPragma(database, pragma);
  if (got !== value)
    throw new Error(
      `SQLite ignored PRAGMA ${pragma} = ${value}; the setting is still ${String(got)}. Close other programs that use the database, and store it on a local disk.`,
    );
}

function readPragma(database: DatabaseSync, pragma: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
}

function requireSafeVersion(database: DatabaseSync): void {
  const version = String(Object.values(database.prepare('SELECT sqlite_version()').get() ?? {})[0]);
  const parts = version.split('.').map(Number);
  for (const [place, needed] of oldestSafeVersion.entries()) {
    const part = parts[place] ?? 0;
    if (part > needed) return;
    if (part < needed)
      throw new Error(
        `SQLite ${version} is too old. Version ${oldestSafeVersion.join('.')} or newer is required.`,
      );
  }
}

/** Adds the file's name to an error from opening a database, for the operator. */
function openError(path: string, error: unknown): unknown {
  const { errcode = 0 } = error as { readonly errcode?: number };
  if ((errcode & 0xff) === notADatabase)
    return new Error(`${path} is not a SQLite database, or is damaged.`, { cause: error });
  const failure = asFailure(error);
  if (!(failure instanceof Failure) || isDiskFull(error)) return failure;
  const why = findRefusal(path) ?? (error as Error).message;
  return storageUnavailable(`could not open ${path}: ${why}`, error);
}

/**
 * Returns the reason why a file cannot be opened, if the reason is known. Does not open the file: closing a file
 * descriptor would release all of this process's locks on it.
 */
function findRefusal(path: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return 'it is a folder';
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

// SQLite primary result codes that concern the machine or other processes, not the statement.
const busy = 5;
const readOnly = 8;
const ioError = 10;
// SQLite also returns this code for a disk read error.
const corrupt = 11;
export const diskFull = 13;
const cannotOpen = 14;
const noSpaceForSharedMemory = 4874;
const constraint = 19;
const notADatabase = 26;
const unavailableCodes: ReadonlySet<number> = new Set([
  busy,
  readOnly,
  ioError,
  corrupt,
  diskFull,
  cannotOpen,
]);

/** Returns SQLite's own error: the given error, or its cause if the error is a Failure. */
export function causeOf(error: unknown): unknown {
  return error instanceof Failure && error.cause !== undefined ? error.cause : error;
}

/** Returns true if SQLite ran out of disk space. */
export function isDiskFull(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number };
  return (errcode & 0xff) === diskFull || errcode === noSpaceForSharedMemory;
}

/** Converts an SQLite error to a Failure if storage is unavailable. Returns other errors unchanged. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && error.code === 'ERR_INVALID_STATE')
    return storageUnavailable('the database is closed', error);
  if (!('errcode' in error) || typeof error.errcode !== 'number') return error;
  if (isDiskFull(error)) return storageUnavailable('the disk is full', error);
  return unavailableCodes.has(error.errcode & 0xff) ? storageUnavailable(error.message, error) : error;
}

const faultNames: ReadonlyMap<number, StorageFault> = new Map([
  [busy, 'busy'],
  [readOnly, 'read_only'],
  [ioError, 'io'],
  [corrupt, 'corrupt'],
  [cannotOpen, 'cannot_open'],
  [notADatabase, 'corrupt'],
]);

/**
 * Returns the metric label of an error; undefined for a rejected row (a normal result) and for errors that are not from
 * SQLite.
 */
export function faultOf(error: unknown): StorageFault | undefined {
  const thrown = error instanceof Failure ? error.cause : error;
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return undefined;
  if (isDiskFull(thrown)) return 'full';
  const primary = thrown.errcode & 0xff;
  return primary === constraint ? undefined : (faultNames.get(primary) ?? 'other');
}
