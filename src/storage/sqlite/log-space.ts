import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { busyTimeoutMs, type Connection, diskFull } from './connection.ts';

/** With less the log is emptied, bytes: more than it and the database grow by between two looks. */
const spareBytes = 4 * 1024 * 1024;
/** With less no commit is begun, bytes. */
const reservedBytes = 1024 * 1024;
/** From one look to the next, ms: on some systems a look costs a tenth of a millisecond. */
const lookEveryMs = 10;

/**
 * The space that the write-ahead log takes. On a full disk the log could never be emptied again when the database has to grow for
 * it. So the log gives its space back before, and while a reader of an older state prevents that, writes end in time.
 */
export interface LogSpace {
  /** Called before each transaction. Waits for no reader. @throws what SQLite throws on a full disk */
  require(): void;
  /** Moves the log into the database and gives its space back. Waits for readers, for as long as for a lock. */
  empty(): void;
}

/** @param path of the database */
export function createLogSpace({ database }: Connection, path: string): LogSpace {
  const pages = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Whether less is left than the database has yet to grow by and so much more, most of it taken by the log. */
  const hasLessThan = (bytes: number): boolean => {
    const log = sizeOf(`${path}-wal`);
    const { bavail, bsize } = statfsSync(dirname(path));
    const free = bavail * bsize;
    return log > free && free < bytes + Number(pages.get()?.['bytes']) - sizeOf(path);
  };

  const empty = (): void => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');

  return {
    require() {
      if (performance.now() - lookedAt < lookEveryMs) return;
      const isScarce = hasLessThan(spareBytes);
      lookedAt = performance.now();
      if (!isScarce) return;
      try {
        database.exec('PRAGMA busy_timeout = 0');
        empty();
      } finally {
        database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      }
      if (!hasLessThan(reservedBytes)) return;
      lookedAt = Number.NEGATIVE_INFINITY;
      throw Object.assign(new Error('the write-ahead log fills the disk'), { errcode: diskFull });
    },
    empty,
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
