import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { isSystemError } from '../runtime/files/file-faults.ts';
import { replaceFile } from '../runtime/files/replace-file.ts';

// A file in the data directory holds the running server's address, so that commands can find it.

type DataDirectory = Pick<Config, 'DATA_DIR'>;

interface Recorded {
  readonly url: string;
  readonly pid: number;
}

function pathOf({ DATA_DIR }: DataDirectory): string {
  return join(DATA_DIR, 'server.json');
}

/** Records the running server's URL. @param url URL at which programs on this machine reach the server */
export function recordServer(config: DataDirectory, url: string): void {
  try {
    replaceFile(pathOf(config), `${JSON.stringify({ url, pid: process.pid } satisfies Recorded)}\n`);
  } catch {
    // This error is not fatal: without the file, commands only need the option `--server`.
  }
}

/** Removes the server's file if this process wrote it. */
export function forgetServer(config: DataDirectory): void {
  if (read(config)?.pid === process.pid) rmSync(pathOf(config), { force: true });
}

/**
 * Returns the URL of the server running on this data directory, or undefined if none is running. Ignores a file left
 * behind by a killed server.
 */
export function runningServer(config: DataDirectory): string | undefined {
  const recorded = read(config);
  return recorded !== undefined && isAlive(recorded.pid) ? recorded.url : undefined;
}

function read(config: DataDirectory): Recorded | undefined {
  try {
    const { url, pid } = JSON.parse(readFileSync(pathOf(config), 'utf8')) as Recorded;
    return typeof url === 'string' && URL.canParse(url) && Number.isInteger(pid) && pid > 0
      ? { url, pid }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return isSystemError(error) && error.code === 'EPERM';
  }
}
