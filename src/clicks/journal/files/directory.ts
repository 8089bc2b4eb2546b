import * as nodeFs from 'node:fs';
import { dirname, join } from 'node:path';
import type { JournalFs } from './io.ts';
import { isLocked, type Lock, lockFile, tryLock } from './lock.ts';
import { fileOfSegment, segmentOfFile } from './segment.ts';

const attempts = 8;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the journals in a directory: the subdirectories whose names are UUIDs. */
export function journalsIn(dir: string, fs: JournalFs = nodeFs): readonly string[] {
  return (ifExists(() => fs.readdirSync(dir)) ?? []).filter((name) => uuid.test(name));
}

/** Returns true if a running process owns any journal in a directory. Changes nothing. */
export function hasOwnedJournals(dir: string): boolean {
  // First checks whether the lock file exists, because trying to lock would create it.
  return journalsIn(dir).some((name) => {
    const directory = join(dir, name);
    return nodeFs.existsSync(join(directory, lockFile)) && isLocked(directory);
  });
}

/** Returns the segment numbers in a journal's directory, ascending. */
export function segmentsIn(directory: string, fs: JournalFs = nodeFs): readonly number[] {
  return fs
    .readdirSync(directory)
    .map(segmentOfFile)
    .filter((segment) => segment !== undefined)
    .sort((a, b) => a - b);
}

/**
 * Creates a directory for a new journal and locks it.
 * @throws if the directory cannot be created or written
 */
export function claimDirectory(
  dir: string,
  newId: () => string,
  fs: JournalFs,
): { readonly id: string; readonly directory: string; readonly lock: Lock } {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const id = newId();
    const directory = join(dir, id);
    // Not recursive: Node's recursive mkdir never returns if the parent, such as /proc, does not accept entries.
    ensureDirectory(dir, fs);
    fs.mkdirSync(directory, { mode: 0o700 });
    // Without this sync, a power failure could remove the directory with files that were already synced.
    for (const parent of [dir, dirname(dir)]) syncEntries(parent, fs);
    // Until the directory is locked, another process may mistake it for an orphan and remove it.
    const lock = lockIfExists(directory, fs);
    if (lock !== undefined && fs.existsSync(join(directory, lockFile))) return { id, directory, lock };
    lock?.release();
  }
  throw new Error(`Could not lock a new journal directory in ${dir}.`);
}

function ensureDirectory(directory: string, fs: JournalFs): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function syncEntries(directory: string, fs: JournalFs): void {
  // Windows cannot open a directory, and does not need this sync.
  if (process.platform === 'win32') return;
  const fd = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Locks a directory. @returns undefined if it is locked by another owner or was just removed */
export function lockIfExists(directory: string, fs: JournalFs): Lock | undefined {
  try {
    return (fs.tryLock ?? tryLock)(directory);
  } catch (error) {
    if (!fs.existsSync(directory)) return undefined;
    throw error;
  }
}

/**
 * Removes a journal whose clicks have all been applied. The files must be removed durably before storage forgets the
 * offset; otherwise the clicks would be applied again.
 */
export async function discardJournal(
  directory: string,
  lock: Lock,
  forget: () => Promise<void>,
  fs: JournalFs,
): Promise<void> {
  // Another program deleted the journal. Nothing is lost, because its clicks are in storage.
  if (!fs.existsSync(directory)) {
    lock.release();
    return forget();
  }
  for (const segment of segmentsIn(directory, fs)) {
    // Asynchronous, because deleting a large file can be slow.
    await awaitCallback((done) => fs.unlink(join(directory, fileOfSegment(segment)), done));
  }
  // Windows cannot sync a directory, and cannot remove an open file.
  const isPosix = process.platform !== 'win32';
  if (isPosix) await syncDirectory(directory, fs);
  await forget();
  // Removes the lock file before releasing the lock, so that a process that acquires the lock next finds no lock file
  // and knows that the journal is gone.
  if (isPosix) fs.unlinkSync(join(directory, lockFile));
  lock.release();
  if (!isPosix) ifExists(() => fs.unlinkSync(join(directory, lockFile)));
  try {
    fs.rmdirSync(directory);
  } catch {
    // Another process has just created a lock file in the directory. The directory contains no clicks, and the next
    // recovery run removes it.
  }
}

/** Syncs a directory's entries to disk without blocking the event loop. */
export async function syncDirectory(directory: string, fs: JournalFs): Promise<void> {
  const fd = fs.openSync(directory, 'r');
  try {
    await awaitCallback((done) => fs.fsync(fd, done));
  } finally {
    fs.closeSync(fd);
  }
}

/** Reads a file without blocking the event loop. */
export function readFileBytes(path: string, fs: JournalFs): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    fs.readFile(path, (error, bytes) => {
      if (error === null) resolve(bytes);
      else reject(error);
    });
  });
}

/** Converts a callback-style `node:fs` call to a promise. */
export function awaitCallback(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null ? resolve() : reject(error)));
  });
}

/** Calls `read`. Returns undefined if the file or directory does not exist. */
export function ifExists<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
