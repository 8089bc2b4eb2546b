import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endUsersOf } from './leftovers.ts';

/** The process of `node --test`, or this process without it. */
const runner = process.env['NODE_TEST_CONTEXT'] === undefined ? process.pid : process.ppid;

/** Returns the start time of a process, if available, to distinguish it from an earlier one with the same ID. */
function startOf(pid: number): string {
  try {
    return `-${readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]}`;
  } catch {
    return '';
  }
}
const nameOfRun = `linkfold-test-${runner}${startOf(runner)}`;

/** Folder in memory, if there is one, where files never wait for a disk. */
export const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The same for many files, if there is enough space: containers often have 64 MB of such memory. */
export function inMemoryWithRoom(bytes: number): string {
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize < bytes ? tmpdir() : inMemory;
}

/** @returns false if it already exists */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    // A server that runs as another user needs to pass through.
    chmodSync(path, 0o711);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns a folder shared by all processes of a test run. When the run has ended, in any way, a guardian ends remaining
 * processes in it, such as servers of a killed test, and removes it.
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

/** Returns a folder that is removed at the end of this process, after ending every process in it. */
export function folderOfProcess(within = tmpdir()): string {
  const folder = join(folderOfRun(within), String(process.pid));
  makeFolder(folder);
  ours.add(folder);
  return folder;
}

/** Creates a folder that is removed at the end of this process. */
export function temporaryFolder(name: string, within = tmpdir()): string {
  return mkdtempSync(join(folderOfProcess(within), `${name}-`));
}
