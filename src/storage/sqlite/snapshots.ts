import { storageUnavailable } from '../db/failure.ts';
import type { RunInSnapshot } from '../statistics/jobs.ts';
import type { Connection } from './connection.ts';

/** Counts how often the writer found the disk full. Shared between threads. */
export type FullDisks = Int32Array<SharedArrayBuffer>;

export interface SnapshotOptions {
  /** Time limit in ms for the reads of one snapshot. The caller does not wait longer than this. */
  readonly patienceMs: number;
  readonly fullDisks: FullDisks;
}

/**
 * Returns a function that runs reads in one snapshot. While a snapshot is open, SQLite cannot reuse space in its
 * write-ahead log. So when the time limit has passed or the writer needs that space, the next read throws.
 */
export function createSnapshots(
  connection: Connection,
  { patienceMs, fullDisks }: SnapshotOptions,
): RunInSnapshot {
  return async (work) => {
    const endsAt = performance.now() + patienceMs;
    const before = Atomics.load(fullDisks, 0);
    const reading =
      <A extends unknown[], R>(read: (...args: A) => R) =>
      (...args: A): R => {
        if (performance.now() > endsAt) throw storageUnavailable('the read took too long');
        if (Atomics.load(fullDisks, 0) !== before) throw storageUnavailable('the disk is full');
        return read(...args);
      };
    const { all, allUncached, get } = connection;
    connection.database.exec('BEGIN');
    try {
      const bounded = {
        ...connection,
        all: reading(all),
        allUncached: reading(allUncached),
        get: reading(get),
      };
      return await work(bounded as Connection);
    } finally {
      connection.database.exec('COMMIT');
    }
  };
}
