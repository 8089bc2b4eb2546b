import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endUsersOf } from './leftovers.ts';

/** The process of `node --test`; without it, this one. */
const runner = process.env['NODE_TEST_CONTEXT'] === undefined ? process.pid : process.ppid;

/** Tells a process from an earlier one that had its number, where the system says when it was started. */
function startOf(pid: number): string {
  try {
    return `-${readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]}`;
  } catch {
    return '';
  }
}
const nameOfRun = `linkfold-test-${runner}${startOf(runner)}`;

/** Where files cost no wait for a disk. */
export const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The same for many files, where there is room for them: containers often have 64 MB of such memory. */
export function inMemoryWithRoom(bytes: number): string {
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize < bytes ? tmpdir() : inMemory;
}

/** @returns false when it was there */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    // A server that runs as a user of its own has to pass through.
    chmodSync(path, 0o711);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * A folder that all processes of a test run share. When the run is over, however it ended, a guardian ends what still
 * works in it, such as the servers of a test that was killed, and removes it.
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

/** A folder that is removed at the end of this process, which also ends every process that works in it. */
export function folderOfProcess(within = tmpdir()): string {
  const folder = join(folderOfRun(within), String(process.pid));
  makeFolder(folder);
  ours.add(folder);
  return folder;
}

/** A new folder that is removed at the end of this process. */
export function temporaryFolder(name: string, within = tmpdir()): string {
  return mkdtempSync(join(folderOfProcess(within), `${name}-`));
}
