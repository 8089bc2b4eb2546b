import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Lock, lockFile, tryLock } from './lock.ts';
import { fileOfSegment, segmentOfFile } from './segment.ts';

/** Says something to the operator: one sentence, and facts for the log. */
export type Tell = (sentence: string, facts?: Readonly<Record<string, unknown>>) => void;

const attempts = 8;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The journals in a directory: its sub-directories that are named by a UUID. */
export const journalsIn = (dir: string): readonly string[] =>
  (ifThere(() => readdirSync(dir)) ?? []).filter((name) => uuid.test(name));

/** The numbers of the segments in a journal's directory, in their order. */
export const segmentsIn = (directory: string): readonly number[] =>
  readdirSync(directory)
    .map(segmentOfFile)
    .filter((segment) => segment !== undefined)
    .sort((a, b) => a - b);

/**
 * Makes a directory for a new journal and owns it.
 * @throws when the directory cannot be made or written
 */
export const claimDirectory = (
  dir: string,
  newId: () => string,
): { readonly id: string; readonly directory: string; readonly lock: Lock } => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const id = newId();
    const directory = join(dir, id);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // A synced file is lost all the same when a power cut takes the directory that names it.
    for (const parent of [dir, dirname(dir)]) syncEntries(parent);
    // Until it is locked, another process may take the directory for an empty orphan and remove it.
    const lock = lockIfThere(directory);
    if (lock !== undefined && existsSync(join(directory, lockFile))) return { id, directory, lock };
    lock?.release();
  }
  throw new Error(`No new journal directory could be locked in ${dir}.`);
};

const syncEntries = (directory: string): void => {
  // Windows can neither open a directory nor needs to.
  if (process.platform === 'win32') return;
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** @returns undefined when the directory is owned, or was removed a moment ago */
export const lockIfThere = (directory: string): Lock | undefined => {
  try {
    return tryLock(directory);
  } catch (error) {
    if (!existsSync(directory)) return undefined;
    throw error;
  }
};

/**
 * Removes a journal of which everything is applied. The files must be gone, also after a power cut, before storage
 * forgets the position: else they would be applied a second time.
 */
export const discardJournal = async (
  directory: string,
  lock: Lock,
  forget: () => Promise<void>,
): Promise<void> => {
  for (const segment of segmentsIn(directory)) unlinkSync(join(directory, fileOfSegment(segment)));
  // Windows can neither sync a directory nor remove a file that is open.
  const posix = process.platform !== 'win32';
  if (posix) {
    const handle = await open(directory, 'r');
    await handle.sync().finally(() => handle.close());
  }
  await forget();
  // First the lock's file, then the lock: whoever waited for it sees by the missing file that it owns nothing.
  if (posix) unlinkSync(join(directory, lockFile));
  lock.release();
  if (!posix) rmSync(join(directory, lockFile), { force: true });
  try {
    rmdirSync(directory);
  } catch {
    // Not empty: somebody looks into it just now. It holds nothing, and goes with the next drain.
  }
};

/** @returns undefined when the file or directory does not exist */
export const ifThere = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
