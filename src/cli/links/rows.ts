import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { exits, Stop, unreadable } from '../terminal/exits.ts';
import type { FieldNames } from '../terminal/field-names.ts';

/** One row of a file, or the reason why it cannot be parsed. */
export interface Row {
  /** Line on which the row starts, counted from 1. */
  readonly line: number;
  /** Values by API field name. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  /** Display names of fields, if the row does not use the API names. */
  readonly names?: FieldNames;
}

export const notUtf8 = 'This line is not valid UTF-8 and was skipped.';

/** A file, or stdin, that is read on demand. */
export interface RowFile {
  readonly path: string;
  /** Size of the file in bytes; 0 if unknown. */
  readonly size: number;
  read(): number;
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
}

/** Opens a file, or stdin for `-`. @throws Stop if the file cannot be read */
export async function openRows(path: string): Promise<RowFile> {
  const size = path === '-' ? 0 : await sizeOf(path);
  let read = 0;
  const chunks = async function* () {
    try {
      for await (const chunk of (path === '-' ? process.stdin : createReadStream(path)).iterator()) {
        read += chunk.length;
        yield chunk as Buffer;
      }
    } catch (error) {
      throw unreadable(path, error);
    }
  };
  return { path, size, read: () => read, chunks: chunks() };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
  if (found.isDirectory()) throw new Stop(exits.usage, `${path} is a folder. Specify a file.`);
  return found.size;
}

/** Maximum number of bytes in which to search for the first line, and maximum length of any other line. */
export const maxHead = 1_000_000;

/**
 * Returns the first line that is neither empty nor a comment, and an iterable over all chunks of the file.
 * @throws Stop if the file is in UTF-16
 */
export async function withFirstLine(
  chunks: RowFile['chunks'],
): Promise<{ first: string; chunks: RowFile['chunks'] }> {
  let head = Buffer.alloc(0);
  let first: string | undefined;
  for (let isEnd = false; first === undefined && !isEnd && head.length < maxHead; ) {
    const next = await chunks.next();
    isEnd = next.done === true;
    if (next.done !== true) head = Buffer.concat([head, next.value]);
    const lines = new TextDecoder().decode(head).split(/\r\n|\n|\r/);
    first = lines.slice(0, isEnd ? undefined : -1).find((line) => /^\s*[^\s#]/.test(line));
  }
  if (/^(?:fffe|feff)/.test(head.toString('hex', 0, 2)))
    throw new Stop(exits.usage, 'The file is in UTF-16. Save it as UTF-8.');
  const again = async function* () {
    if (head.length > 0) yield head;
    yield* chunks;
  };
  return { first: first?.trim() ?? '', chunks: again() };
}
