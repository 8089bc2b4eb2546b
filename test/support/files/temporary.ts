import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endUsersOf } from './leftovers.ts';

/** Process ID of `node --test`, or of this process if it was started without the test runner. */
const runner = process.env['NODE_TEST_CONTEXT'] === undefined ? process.pid : process.ppid;

/** Returns a process's start time, if available. It distinguishes the process from an earlier one with the same ID. */
function startOf(pid: number): string {
  try {
    return `-${readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]}`;
  } catch {
    return '';
  }
}
const nameOfRun = `linkfold-test-${runner}${startOf(runner)}`;

/** A folder in memory, if available, so that writes do not wait for a disk. */
export const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Returns `inMemory` if it has enough free space, otherwise the usual temporary folder. In containers, /dev/shm often
 * has only 64 MB.
 * @param bytes required free space
 */
export function inMemoryWithRoom(bytes: number): string {
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize < bytes ? tmpdir() : inMemory;
}

/**
 * Creates a folder.
 * @returns false if it already exists
 */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    // A server that runs as another user must be able to enter the folder.
    chmodSync(path, 0o711);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns a folder that all processes in a test run share. When the run has ended, even if it was killed, a guardian
 * ends the remaining processes in the folder, such as servers left behind by a killed test, and removes the folder.
 */
export function folderOfRun(within = tmpdir()): string {
  const folder = join(within, nameOfRun);
  if (makeFolder(folder)) {
    const guardian = [join(import.meta.dirname, 'guardian.ts'), String(runner), folder];
    spawn(process.execPath, guardian, { detached: true, stdio: 'ignore', env: {} }).unref();
  }
  return folder;
}

const ours = new Set<string>();
process.on('exit', () => {
  for (const folder of ours) {
    endUsersOf(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/**
 * Returns a folder for this process. When the process exits, every other process in the folder is ended, and the folder
 * is removed.
 */
export function folderOfProcess(within = tmpdir()): string {
  const folder = join(folderOfRun(within), String(process.pid));
  makeFolder(folder);
  ours.add(folder);
  return folder;
}

/** Creates a folder that is removed when this process exits. */
export function temporaryFolder(name: string, within = tmpdir()): string {
  return mkdtempSync(join(folderOfProcess(within), `${name}-`));
}
