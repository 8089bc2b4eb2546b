import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Endings of the files that SQLite, or a migration, keeps in addition to a database. */
const suffixes = ['-wal', '-shm', '-journal', '-migrating'] as const;

/**
 * The path of a file without symbolic links, which SQLite follows before it names the files next to it. Neither the file nor its
 * folder need exist.
 */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(resolve(path));
    return existsSync(parent) ? join(realpathSync(parent), basename(path)) : resolve(path);
  }
}

/** Whether both paths lead to one file, also by symbolic or by hard links. */
export function isSameFile(one: string, other: string): boolean {
  if (realPathOf(one) === realPathOf(other)) return true;
  const [first, second] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/**
 * Ensures that a file may be written while a database is in use: that it is neither this database nor one of the files in
 * addition to any database. A process that has such a file open continues with the one that was replaced, and what it
 * acknowledges from then on is lost.
 * @param database the file of the database that is in use
 * @throws Error that says to which database the file belongs
 */
export function requireForeign(database: string, path: string): void {
  if (isSameFile(database, path)) throw new Error(`${path} is the database itself: give another name.`);
  const source = realPathOf(database);
  const real = realPathOf(path);
  const suffix = suffixes.find((one) => real.endsWith(one));
  const named = suffix === undefined ? source : real.slice(0, -suffix.length);
  const belongs = suffix !== undefined && existsSync(named);
  if (belongs || suffixes.some((one) => isSameFile(source + one, path)))
    throw new Error(`${path} belongs to the database ${belongs ? named : source}: give another name.`);
}

const magic = 'SQLite format 3\0';
/** Where the header says how changes are written, and what it says when they go to a write-ahead log. */
const writeVersionAt = 18;
const writeAheadLog = 2;

function headerOf(path: string): Buffer {
  const header = Buffer.alloc(writeVersionAt + 1);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

/** Whether the file begins as SQLite's do. Not for a database that this process has open: see `createFile`. */
export function startsLikeDatabase(path: string): boolean {
  return headerOf(path).toString('latin1', 0, magic.length) === magic;
}

/**
 * Whether a file is a database that a server works on, or a plain copy of one: these have a write-ahead log, which a
 * backup has not. Not for a database that this process has open: see `createFile`.
 */
export function hasLog(path: string): boolean {
  return startsLikeDatabase(path) && headerOf(path)[writeVersionAt] === writeAheadLog;
}
