import * as nodeFs from 'node:fs';
import { dirname, join } from 'node:path';
import type { JournalFs } from './io.ts';
import { isLocked, type Lock, lockFile, tryLock } from './lock.ts';
import { fileOfSegment, segmentOfFile } from './segment.ts';

const attempts = 8;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The journals in a directory: its sub-directories that are named by a UUID. */
export function journalsIn(dir: string, fs: JournalFs = nodeFs): readonly string[] {
  return (ifThere(() => fs.readdirSync(dir)) ?? []).filter((name) => uuid.test(name));
}

/** Whether a process that runs owns any of the journals in a directory. Changes nothing. */
export function hasOwnedJournals(dir: string): boolean {
  // Without its file there is no lock, and to ask for it would make one.
  return journalsIn(dir).some((name) => {
    const directory = join(dir, name);
    return nodeFs.existsSync(join(directory, lockFile)) && isLocked(directory);
  });
}

/** The numbers of the segments in a journal's directory, in their order. */
export function segmentsIn(directory: string, fs: JournalFs = nodeFs): readonly number[] {
  return fs
    .readdirSync(directory)
    .map(segmentOfFile)
    .filter((segment) => segment !== undefined)
    .sort((a, b) => a - b);
}

/**
 * Creates a directory for a new journal and owns it.
 * @throws when the directory cannot be made or written
 */
export function claimDirectory(
  dir: string,
  newId: () => string,
  fs: JournalFs,
): { readonly id: string; readonly directory: string; readonly lock: Lock } {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const id = newId();
    const directory = join(dir, id);
    // Not recursive: Node never returns from that where the folder above takes no entries, as in /proc.
    makeUnlessThere(dir, fs);
    fs.mkdirSync(directory, { mode: 0o700 });
    // Else a power cut could take the directory, and with it files that were synced.
    for (const parent of [dir, dirname(dir)]) syncEntries(parent, fs);
    // Before it is locked, another process may take the directory for an empty orphan and remove it.
    const lock = lockIfThere(directory, fs);
    if (lock !== undefined && fs.existsSync(join(directory, lockFile))) return { id, directory, lock };
    lock?.release();
  }
  throw new Error(`No new journal directory could be locked in ${dir}.`);
}

function makeUnlessThere(directory: string, fs: JournalFs): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function syncEntries(directory: string, fs: JournalFs): void {
  // Windows can neither open a directory nor needs to.
  if (process.platform === 'win32') return;
  const fd = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** @returns undefined when the directory is owned, or was removed a moment ago */
export function lockIfThere(directory: string, fs: JournalFs): Lock | undefined {
  try {
    return (fs.tryLock ?? tryLock)(directory);
  } catch (error) {
    if (!fs.existsSync(directory)) return undefined;
    throw error;
  }
}

/**
 * Removes a journal of which everything is applied. The files must be gone, also after a power cut, before storage
 * forgets the offset: else they would be applied a second time.
 */
export async function discardJournal(
  directory: string,
  lock: Lock,
  forget: () => Promise<void>,
  fs: JournalFs,
): Promise<void> {
  // Another program deleted it: what was in it is applied anyway.
  if (!fs.existsSync(directory)) {
    lock.release();
    return forget();
  }
  for (const segment of segmentsIn(directory, fs)) {
    // Not the synchronous call: to remove a large file may take long.
    await awaitCallback((done) => fs.unlink(join(directory, fileOfSegment(segment)), done));
  }
  // Windows can neither sync a directory nor remove a file that is open.
  const posix = process.platform !== 'win32';
  if (posix) await syncNames(directory, fs);
  await forget();
  // First the lock's file, then the lock: a process that gets the lock now sees by the missing file that it owns nothing.
  if (posix) fs.unlinkSync(join(directory, lockFile));
  lock.release();
  if (!posix) ifThere(() => fs.unlinkSync(join(directory, lockFile)));
  try {
    fs.rmdirSync(directory);
  } catch {
    // Another process has just made a lock file in it. It holds no clicks, and goes with the next drain.
  }
}

/** Creates the names in a directory survive a power cut, without keeping the event loop waiting. */
export async function syncNames(directory: string, fs: JournalFs): Promise<void> {
  const fd = fs.openSync(directory, 'r');
  try {
    await awaitCallback((done) => fs.fsync(fd, done));
  } finally {
    fs.closeSync(fd);
  }
}

/** All bytes of a file, without keeping the event loop waiting. */
export function readWhole(path: string, fs: JournalFs): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    fs.readFile(path, (error, bytes) => {
      if (error === null) resolve(bytes);
      else reject(error);
    });
  });
}

/** A call of `node:fs` that calls back, as a promise. */
export function awaitCallback(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null ? resolve() : reject(error)));
  });
}

/** @returns undefined when the file or directory does not exist */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
