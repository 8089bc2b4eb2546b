// A process of its own that opens connections at a constant rate, whether they are accepted or not, and keeps those it
// gets. For the flood test.
import { connect, type Socket } from 'node:net';

export interface Flood {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** Source addresses: each has some 28,000 ports. */
  readonly sources: readonly string[];
}

export interface FloodFigures {
  /** Begun. */
  readonly opened: number;
  /** Over the time that it really took. */
  readonly perSecond: number;
  /** Closed by the server without a word: there were too many. */
  readonly refused: number;
  /** Closed by the server with an answer: nothing was asked for too long. */
  readonly timedOut: number;
  /** There to the end. */
  readonly kept: number;
  /** Not answered to the end, though the system may have completed them. */
  readonly mostKept: number;
  /** By the error's code. */
  readonly failed: Readonly<Record<string, number>>;
}

const pour = async ({ port, perSecond, seconds, sources }: Flood): Promise<FloodFigures> => {
  const kept = new Set<Socket>();
  const failed: Record<string, number> = {};
  let [opened, refused, timedOut, mostKept] = [0, 0, 0, 0];
  let ended = false;

  const open = (): void => {
    const localAddress = sources[opened % sources.length] as string;
    opened += 1;
    let isOpen = false;
    let said = 0;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('connect', () => {
      isOpen = true;
      kept.add(socket);
      mostKept = Math.max(mostKept, kept.size);
    });
    socket.on('data', ({ length }) => {
      said += length;
    });
    socket.on('error', ({ code = '?' }: NodeJS.ErrnoException) => {
      if (!ended && !isOpen) failed[code] = (failed[code] ?? 0) + 1;
    });
    socket.on('close', () => {
      kept.delete(socket);
      if (ended || !isOpen) return;
      if (said > 0) timedOut += 1;
      else refused += 1;
    });
  };

  const begun = performance.now();
  const end = begun + seconds * 1_000;
  for (let now = begun; now < end; now = performance.now()) {
    const due = Math.ceil(((now - begun) / 1_000) * perSecond);
    // What cannot be opened in time is not made up for later: that would be a burst.
    for (let count = 0; opened < due && count < 500; count += 1) open();
    await new Promise(setImmediate);
  }
  const took = (performance.now() - begun) / 1_000;
  await new Promise((resolve) => setTimeout(resolve, 500)); // for what is under way
  ended = true;
  const figures = { opened, perSecond: opened / took, refused, timedOut, kept: kept.size, mostKept, failed };
  for (const socket of kept) socket.resetAndDestroy();
  return figures;
};

process.once('message', (flood: Flood) => {
  void pour(flood).then((figures) => process.send?.(figures, undefined, {}, () => process.exit(0)));
});
// Without its parent, nobody would ever end it.
process.on('disconnect', () => process.exit(0));
