import { Readable } from 'node:stream';
import { Failure, overloaded } from '../../model/failures.ts';
import { bytesOf, type Table } from './table.ts';

/**
 * Maximum number of exports in progress per process. `maxPerAccount` is the limit per account. Each export holds a page
 * of rows in memory.
 */
const maxExports = 16;
const maxPerAccount = 4;
/**
 * Size in bytes of the chunks written to a connection. While more than `aheadBytes` are unsent, no more rows are
 * produced.
 */
const pieceBytes = 32 * 1024;
const aheadBytes = 64 * 1024;

export interface Exports {
  /**
   * Starts sending a table whose first rows are ready.
   * @returns a stream. If rows cannot be read, the stream fails and the connection is closed, so that the client
   * notices
   * @throws Failure OVERLOADED if too many exports are running, or the failure from reading the first rows
   */
  begin(accountId: number, table: Table): Promise<Readable>;
  /** Aborts all exports by closing their connections, and rejects new exports. Called when the server stops. */
  end(): void;
}

/**
 * Creates the table exporter. Memory use does not depend on a table's length, because rows are produced as the client
 * reads them. All exports together produce one chunk of up to 50 rows per tick of the event loop, so that a redirect
 * waits for at most one chunk.
 */
export function createExports(): Exports {
  const underWay = new Map<Readable, number>();
  let beginning: number[] = [];
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const nextTick = (): Promise<unknown> => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };

  const requireRoom = (accountId: number): void => {
    if (isOver) throw shuttingDown();
    const all = [...underWay.values(), ...beginning];
    if (all.length < maxExports && all.filter((one) => one === accountId).length < maxPerAccount) return;
    throw overloaded('Too many exports are in progress.', 5);
  };

  return {
    async begin(accountId, table) {
      requireRoom(accountId);
      beginning.push(accountId);
      const bytes = bytesOf(table, nextTick);
      try {
        const first = await bytes.next();
        if (isOver) throw shuttingDown();
        const stream = Readable.from(piecesOf(first, bytes), {
          objectMode: false,
          highWaterMark: aheadBytes,
        });
        underWay.set(stream, accountId);
        stream.once('close', () => underWay.delete(stream));
        return stream;
      } finally {
        beginning = beginning.toSpliced(beginning.indexOf(accountId), 1);
      }
    },
    end() {
      isOver = true;
      for (const stream of underWay.keys()) stream.destroy(shuttingDown());
    },
  };
}

function shuttingDown(): Failure {
  return new Failure('SHUTTING_DOWN');
}

async function* piecesOf(
  first: IteratorResult<Buffer, void>,
  further: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer> {
  try {
    for (let text = first; !text.done; text = await further.next())
      for (let at = 0; at < text.value.length; at += pieceBytes)
        yield text.value.subarray(at, at + pieceBytes);
  } finally {
    await further.return();
  }
}
