import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readSync, statSync } from 'node:fs';

/**
 * The last line of a backup: the digest of all the bytes before it. SQLite's own check sees broken pages, but not a
 * destination in which one bit is another; and it does not read behind the last page, so that a sealed backup is a
 * database as it is.
 */
const text = 'linkfold backup sha256 ';
const sealed = new RegExp(`^${text}([0-9a-f]{64})\n$`);
const sealBytes = text.length + 64 + 1;

export interface Contents {
  /** Bytes of the database, without the seal. */
  readonly length: number;
  /** Of these bytes, as they are now. */
  readonly sha256: string;
}

/** Closes a backup with its seal. */
export function addSeal(path: string): void {
  return appendFileSync(path, `${text}${digestOf(path, statSync(path).size)}\n`);
}

/**
 * Compares a backup with its seal. A backup of version 0.1.0 has no seal to compare with.
 * @returns undefined when it is not what was sealed
 */
export function sealedContents(path: string): Contents | undefined {
  const promised = promisedBy(path);
  const length = lengthOfContents(path);
  // A seal that cannot be read is no seal, but it is there.
  if (length % pageSizeIn(path) !== 0) return undefined;
  const sha256 = digestOf(path, length);
  return promised === undefined || promised === sha256 ? { length, sha256 } : undefined;
}

/** Bytes of the database in a backup. */
export function lengthOfContents(path: string): number {
  return statSync(path).size - (promisedBy(path) === undefined ? 0 : sealBytes);
}

function promisedBy(path: string): string | undefined {
  return sealed.exec(readPiece(path, statSync(path).size - sealBytes, sealBytes))?.[1];
}

const bytesPerStep = 4_194_304;

/** The SHA-256 of the first bytes of a file, in hex. */
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

/** As SQLite's header has it: 65,536 does not fit into its two bytes and is written as 1. */
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
