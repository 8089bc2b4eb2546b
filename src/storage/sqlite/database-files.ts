import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Suffixes of the files that SQLite or a migration creates next to a database. */
const suffixes = ['-wal', '-shm', '-journal', '-migrating'] as const;

/**
 * Resolves symbolic links in a path, as SQLite does before it names the files next to a database. Neither the file nor
 * its folder need to exist.
 */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(resolve(path));
    return existsSync(parent) ? join(realpathSync(parent), basename(path)) : resolve(path);
  }
}

/** Returns true if both paths refer to the same file, including through symbolic and hard links. */
export function isSameFile(one: string, other: string): boolean {
  if (realPathOf(one) === realPathOf(other)) return true;
  const [first, second] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/**
 * Checks that a file is neither a database in use nor one of the files next to a database, so that it may be
 * overwritten. If the file were overwritten, a process that has it open would continue to write to the old file.
 * Everything that the process acknowledges afterwards would be lost.
 * @param database the file of the database in use
 * @throws Error that names the database to which the file belongs
 */
export function requireNotDatabaseFile(database: string, path: string): void {
  if (isSameFile(database, path)) throw new Error(`${path} is the database itself. Choose another name.`);
  const source = realPathOf(database);
  const real = realPathOf(path);
  const suffix = suffixes.find((one) => real.endsWith(one));
  const named = suffix === undefined ? source : real.slice(0, -suffix.length);
  const belongs = suffix !== undefined && existsSync(named);
  if (belongs || suffixes.some((one) => isSameFile(source + one, path)))
    throw new Error(`${path} belongs to the database ${belongs ? named : source}. Choose another name.`);
}

const magic = 'SQLite format 3\0';
/** Offset of the write version in the header, and its value for a write-ahead log. */
const writeVersionAt = 18;
const writeAheadLog = 2;

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(writeVersionAt + 1);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

/**
 * Returns true if the file starts with SQLite's header. Don't use it for a database that this process has open: see
 * `createFile`.
 */
export function hasDatabaseHeader(path: string): boolean {
  return readHeader(path).toString('latin1', 0, magic.length) === magic;
}

/**
 * Returns true if a file is a server's database, or a plain copy of one. Such files use a write-ahead log; backups do
 * not. Don't use it for a database that this process has open: see `createFile`.
 */
export function isWalDatabase(path: string): boolean {
  return hasDatabaseHeader(path) && readHeader(path)[writeVersionAt] === writeAheadLog;
}
