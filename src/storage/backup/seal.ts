import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readSync, statSync } from 'node:fs';

/**
 * The seal is the last line of a backup. It contains the digest of all preceding bytes. SQLite's own check finds broken
 * pages, but not a flipped bit in a URL. SQLite ignores bytes after the last page, so a sealed backup is still a valid
 * database.
 */
const text = 'linkfold backup sha256 ';
const sealed = new RegExp(`^${text}([0-9a-f]{64})\n$`);
const sealBytes = text.length + 64 + 1;

/** Appends the seal to a backup. */
export function addSeal(path: string): void {
  return appendFileSync(path, `${text}${digestOf(path, statSync(path).size)}\n`);
}

/** Returns the SHA-256 of the database in a backup, in hex; undefined if the backup's seal does not match. */
export function verifiedDigest(path: string): string | undefined {
  const promised = promisedBy(path);
  const length = lengthOfContents(path);
  // A malformed seal is not recognized. The length then includes the seal, so it is not a multiple of the page size.
  if (length % pageSizeIn(path) !== 0) return undefined;
  const sha256 = digestOf(path, length);
  return promised === undefined || promised === sha256 ? sha256 : undefined;
}

/** Returns the size of the database in a backup, in bytes. */
export function lengthOfContents(path: string): number {
  return statSync(path).size - (promisedBy(path) === undefined ? 0 : sealBytes);
}

function promisedBy(path: string): string | undefined {
  return sealed.exec(readPiece(path, statSync(path).size - sealBytes, sealBytes))?.[1];
}

const bytesPerStep = 4_194_304;

/** Returns the SHA-256 of the first `length` bytes of a file, in hex. */
export function digestOf(path: string, length: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(bytesPerStep);
  const file = openSync(path, 'r');
  try {
    for (let done = 0; done < length; ) {
      const read = readSync(file, chunk, 0, Math.min(chunk.length, length - done), done);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      done += read;
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** Returns the page size from SQLite's header, in bytes. The field is two bytes long, so 65,536 is stored as 1. */
function pageSizeIn(path: string): number {
  const written = Buffer.from(readPiece(path, 16, 2), 'latin1').readUInt16BE();
  return written <= 1 ? 65_536 : written;
}

function readPiece(path: string, from: number, length: number): string {
  const piece = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    readSync(file, piece, 0, length, Math.max(0, from));
  } finally {
    closeSync(file);
  }
  return piece.toString('latin1');
}
