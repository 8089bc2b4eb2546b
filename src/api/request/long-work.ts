import { overloaded } from '../../model/failures.ts';
import { mayTakeSlot } from '../../model/fair-share.ts';
import type { Chunk } from '../../model/links/chunks.ts';

/** Maximum number of long lists in progress or queued. Each list holds its first chunk in memory. */
const maxLists = 32;
/** Account IDs of the lists in progress or queued. */
const lists: number[] = [];
let last: Promise<unknown> = Promise.resolve();

/** A response body that is already serialized as JSON. */
export class Written {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/**
 * Returns `{ success: true, [name]: [...] }`, as an object if the list has one chunk, else as JSON from `writeList`.
 * @throws Failure OVERLOADED if the list has several chunks and too many long lists are queued
 */
export async function answerList<Name extends string, T, Shown>(
  accountId: number,
  name: Name,
  chunks: AsyncGenerator<Chunk<T>, void>,
  shown: (record: T) => Shown,
): Promise<Written | ({ success: true } & Record<Name, Shown[]>)> {
  const { records, isLast } = (await chunks.next()).value ?? { records: [], isLast: true };
  const first = records.map(shown);
  if (isLast) return { success: true, [name]: first } as { success: true } & Record<Name, Shown[]>;
  async function* all() {
    yield first;
    for await (const chunk of chunks) yield chunk.records.map(shown);
  }
  return writeList(accountId, name, all());
}

/**
 * Serializes `{ success: true, [name]: [...] }` for a long list. Processes one list at a time, and one chunk per tick
 * of the event loop, so that a redirect waits for at most one chunk. Each chunk is serialized immediately and then
 * released, so that the garbage collector does not have to move it.
 * @throws Failure OVERLOADED if too many long lists are queued
 */
export async function writeList(
  accountId: number,
  name: string,
  chunks: AsyncIterable<readonly unknown[]>,
): Promise<Written> {
  const ofAccount = lists.filter((one) => one === accountId).length;
  if (!mayTakeSlot(ofAccount, maxLists - lists.length))
    throw overloaded('Too many long-running requests are in progress.', 1);
  lists.push(accountId);
  const written = last
    .then(() => write(name, chunks))
    .finally(() => lists.splice(lists.indexOf(accountId), 1));
  last = written.catch(() => {}); // the caller of `writeList` handles the error
  return written;
}

async function write(name: string, chunks: AsyncIterable<readonly unknown[]>): Promise<Written> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) {
    await new Promise((resolve) => setImmediate(resolve));
    if (chunk.length > 0)
      parts.push(Buffer.from((parts.length === 0 ? '' : ',') + JSON.stringify(chunk).slice(1, -1)));
  }
  const begin = Buffer.from(`{"success":true,${JSON.stringify(name)}:[`);
  return new Written(Buffer.concat([begin, ...parts, Buffer.from(']}')]));
}
