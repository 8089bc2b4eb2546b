import { join } from 'node:path';
import type { Report } from '../../runtime/report.ts';
import type { Timers } from '../../runtime/timers.ts';
import { reclaimDirectory } from './directory.ts';
import type { JournalFs } from './io.ts';
import { knowFile } from './known-file.ts';
import { type Lock, lockFile } from './lock.ts';
import type { SegmentWriter } from './segment-writer.ts';

export interface PresenceOptions {
  readonly directory: string;
  readonly lock: Lock;
  readonly newId: () => string;
  readonly files: SegmentWriter;
  readonly fs: JournalFs;
  readonly timers: Timers;
  readonly everyMs: number;
  /** Called when files are gone: clicks in them that are not applied are only in memory. */
  readonly onLost: () => void;
  /** Called when the directory is there and owned again. @throws when the disk takes nothing */
  readonly onReclaimed: () => void;
  /** Called when the directory cannot be made. */
  readonly onFault: (error: unknown) => void;
  readonly onError: Report;
}

/** Checks again and again that the files of a journal are still where they were made. */
export interface Presence {
  /** The lock by which the directory is owned now. */
  lock(): Lock;
  /** Waits for the check under way. Never rejects. */
  close(): Promise<void>;
}

/**
 * Writes to a file that another program has deleted succeed, and are gone with the process. So the paths are checked once a
 * second. The clicks of a deleted file are still in memory and are applied from there; for those that follow, the directory is
 * made anew.
 */
export function watchPresence(options: PresenceOptions): Presence {
  const { directory, newId, files, fs, everyMs, onLost, onReclaimed, onFault, onError } = options;
  const { setTimeout, clearTimeout } = options.timers;
  const lockPath = join(directory, lockFile);
  let { lock } = options;
  let owned = knowFile(lockPath, fs);
  let isOwned = true;
  let timer: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();

  const reclaim = (): void => {
    try {
      if (!isOwned) {
        lock = reclaimDirectory(directory, lock, newId, fs);
        owned = knowFile(lockPath, fs);
        isOwned = true;
        files.resume();
      }
      onReclaimed();
    } catch (error) {
      onFault(error);
    }
  };

  const check = async (): Promise<void> => {
    const lost = [...(await files.leaveLost())];
    const isLocked = !(await owned.isStale());
    // With what was deleted during the check, so that one deletion is one report.
    if (!isLocked && isOwned) lost.push(lockPath, ...(await files.leaveLost()));
    if (timer === undefined) return;
    if (lost.length > 0) {
      onError(
        'The click journal was deleted or replaced while the server runs. It is begun anew; clicks that were only in it are applied from memory.',
        { directory, missing: lost },
      );
      onLost();
    }
    if (!isLocked && isOwned) files.suspend();
    isOwned &&= isLocked;
    if (!isOwned || lost.length > 0) reclaim();
  };

  const again = (): void => {
    timer = setTimeout(() => {
      checking = check().then(() => {
        if (timer !== undefined) again();
      });
    }, everyMs).unref();
  };
  again();

  return {
    lock: () => lock,
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await checking;
    },
  };
}
