import { Readable } from 'node:stream';
import { Failure } from '../../model/failures.ts';
import { type Table, textsOf } from './table.ts';

/** Exports that may be under way, in a process and of one account: each holds a page of rows in memory. */
const most = 16;
const mostOfAccount = 4;
/** Bytes handed to a connection at once, and bytes that wait for it before further rows are made. */
const pieceBytes = 32 * 1024;
const aheadBytes = 64 * 1024;

export interface Exports {
  /**
   * Begins to send a table, the first rows of which are made already.
   * @returns a stream that fails when rows cannot be had, so that its connection is cut and its reader sees it
   * @throws Failure OVERLOADED when too many are under way, or what kept the first rows from being made
   */
  begin(accountId: number, table: Table): Promise<Readable>;
  /** Ends all that are under way, in the sight of their readers, and refuses new ones: the server stops. */
  end(): void;
}

/**
 * Sends tables of any length in constant memory: rows are made when the reader has taken those before. All exports together make
 * one piece of some hundred rows in a tick of the event loop, so that a redirect waits for one piece at most.
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
    if (isOver) throw stopping();
    const all = [...underWay.values(), ...beginning];
    if (all.length < most && all.filter((one) => one === accountId).length < mostOfAccount) return;
    throw new Failure('OVERLOADED', 'Too many exports are in progress.', { retryAfterSeconds: 5 });
  };

  return {
    async begin(accountId, table) {
      requireRoom(accountId);
      beginning.push(accountId);
      const texts = textsOf(table, nextTick);
      try {
        const first = await texts.next();
        if (isOver) throw stopping();
        const stream = Readable.from(piecesOf(first, texts), {
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
      for (const stream of underWay.keys()) stream.destroy(stopping());
    },
  };
}

function stopping(): Failure {
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
