import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { busyTimeoutMs, type Connection, diskFull } from './connection.ts';

/**
 * Free space in bytes below which the log is checkpointed. The log and the database together grow by less than this
 * between two checks.
 */
const spareBytes = 4 * 1024 * 1024;
/** Free space in bytes below which no transaction starts. */
const reservedBytes = 1024 * 1024;
/** Check interval in ms. On some systems a check costs a tenth of a millisecond. */
const checkEveryMs = 10;

/**
 * Keeps the write-ahead log from filling the disk: on a full disk, a checkpoint that has to grow the database would
 * fail. So the log is truncated before the disk is full. If a reader of an older snapshot prevents that, writes stop.
 */
export interface LogSpace {
  /**
   * Checks the free space. Called before each transaction; does not wait for readers.
   * @throws SQLite's error for a full disk
   */
  require(): void;
  /** Checkpoints and truncates the log. Waits for readers up to the busy timeout. */
  empty(): void;
}

/** @param path path of the database */
export function createLogSpace({ database }: Connection, path: string): LogSpace {
  const pages = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  let checkedAt = Number.NEGATIVE_INFINITY;

  /**
   * Returns true if the log is larger than the free space, and the free space is less than `bytes` plus the amount by
   * which a checkpoint would grow the database.
   */
  const hasLessThan = (bytes: number): boolean => {
    const log = sizeOf(`${path}-wal`);
    const { bavail, bsize } = statfsSync(dirname(path));
    const free = bavail * bsize;
    return log > free && free < bytes + Number(pages.get()?.['bytes']) - sizeOf(path);
  };

  const empty = (): void => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');

  return {
    require() {
      if (performance.now() - checkedAt < checkEveryMs) return;
      const isScarce = hasLessThan(spareBytes);
      checkedAt = performance.now();
      if (!isScarce) return;
      try {
        database.exec('PRAGMA busy_timeout = 0');
        empty();
      } finally {
        database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      }
      if (!hasLessThan(reservedBytes)) return;
      checkedAt = Number.NEGATIVE_INFINITY;
      throw Object.assign(new Error('the write-ahead log fills the disk'), { errcode: diskFull });
    },
    empty,
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
