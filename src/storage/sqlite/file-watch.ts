import { stat, statSync } from 'node:fs';
import type { Report } from '../../runtime/report.ts';
import { storageUnavailable } from '../db/failure.ts';

/** Suffixes of the files that database connections keep open. */
const suffixes = ['', '-wal', '-shm'] as const;

interface Numbers {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Returns a string that identifies a file on this machine by device and inode. */
function identityOf({ dev, ino }: Numbers): string {
  return `${dev}:${ino}`;
}

/** Returns the identity of the file at a path; undefined if there is no file. */
export function identityAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && identityOf(found);
}

export interface FileWatchOptions {
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
  /** Interval between checks, in ms. */
  readonly checkEveryMs?: number | undefined;
}

/** Periodically checks that the files of an open database are still in place. */
export interface FileWatch {
  /**
   * @throws Failure STORAGE_UNAVAILABLE if a file was deleted or replaced, because a write would be lost when the
   * process ends
   */
  require(): void;
  close(): void;
}

/**
 * Watches the files of an open database. If another program deletes or replaces a file, this process still has the old
 * file open: transactions would commit to the old file and be lost when the process ends.
 */
export function watchFiles(path: string, options: FileWatchOptions): FileWatch {
  const { onError, onInfo, checkEveryMs = 1_000 } = options;
  const known = suffixes.flatMap((suffix) => {
    const identity = identityAt(path + suffix);
    return identity === undefined ? [] : [{ file: path + suffix, identity }];
  });
  let missing: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const check = async (): Promise<void> => {
    const states = await Promise.all(known.map(({ file, identity }) => isReplaced(file, identity)));
    const current = known.flatMap(({ file }, at) => (states[at] ? [file] : []));
    if (timer === undefined) return;
    if (current.length > 0 && missing.length === 0)
      onError?.(
        'The database was deleted or replaced while the server is running. Writes are stopped; cached links still redirect. Put the files back, or stop the server, restore a backup and start it again.',
        { missing: current },
      );
    if (current.length === 0 && missing.length > 0) onInfo?.('The database files are available again.');
    missing = current;
  };

  const scheduleCheck = (): void => {
    timer = setTimeout(() => {
      void check().then(() => {
        if (timer !== undefined) scheduleCheck();
      });
    }, checkEveryMs).unref();
  };
  scheduleCheck();

  return {
    require() {
      if (missing.length > 0) throw storageUnavailable('the database files were deleted or replaced');
    },
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/**
 * Returns true if the file was deleted or replaced. If the disk does not respond, the file is assumed to be in place.
 */
function isReplaced(path: string, identity: string): Promise<boolean> {
  return new Promise((resolve) => {
    stat(path, { bigint: true }, (error, found) => {
      if (error === null) resolve(identityOf(found) !== identity);
      else resolve(['ENOENT', 'ENOTDIR'].includes(error.code ?? ''));
    });
  });
}
