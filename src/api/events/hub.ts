import type { Readable } from 'node:stream';
import {
  type EventAsk,
  type EventPages,
  eventSecretBytes,
  maxStreams,
  tooManyStreams,
} from '../../model/clicks/events.ts';
import { Failure } from '../../model/failures.ts';
import type { RandomBytes } from '../../model/ids.ts';
import type { Storage } from '../../model/storage.ts';
import type { Report } from '../../runtime/report.ts';
import { ClientStream, type StreamOptions } from './stream.ts';
import { createTexts } from './wire.ts';

/** Streams of one account, and of all, that one process holds. Each takes a connection and some memory. */
const mostOfProcess = 500;
/** From one look to the next, ms; the second when there is more to read. */
const pauseMs = 250;
const hurryMs = 20;
/** Storage that cannot be read is asked again after this time, ms, and streams end when it stays so for longer than that. */
const faultPauseMs = 1_000;
const faultPatienceMs = 10_000;
/** How often storage is told that this process reads, ms: several times in a window of events. */
const renewMs = 30_000;
/** Events of one look for all its streams: they are written where redirects are answered. */
const eventsAtOnce = 500;
/** Different positions that one look reads from: those of clients that were away differ, all others have one. */
const positionsAtOnce = 8;

export interface EventHubOptions {
  readonly storage: Pick<Storage, 'readEvents' | 'keepEvents' | 'onKeyChange'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly onError: Report;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/** What happens to links, for the clients of this process that follow it. Without any it does nothing. */
export interface EventHub {
  /** @throws Failure TOO_MANY_STREAMS, OVERLOADED, SHUTTING_DOWN */
  follow(options: StreamOptions): Readable;
  /** How many clients follow. */
  clients(): number;
  /** Ends every stream with the hint to connect again, and refuses further ones. */
  close(): void;
}

/** Clients that ask for the same. */
interface Asking {
  readonly ask: EventAsk;
  readonly streams: ClientStream[];
}

/** Reads for all its clients together, as long as there is one. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: looking, waiting and telling go on one timer, over the streams and the secret of this hub alone
export function createEventHub(options: EventHubOptions): EventHub {
  const { storage, now, randomBytes, onError, clock = () => performance.now() } = options;
  // In the order in which they are served: who was served goes to the end.
  const streams = new Set<ClientStream>();
  let secret: Uint8Array | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let failsSince: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  const begin = (pages: EventPages): Uint8Array => {
    if (secret?.toHex() !== pages.secret.toHex()) {
      secret = pages.secret;
      for (const stream of streams) stream.begin(secret);
    }
    return secret;
  };

  /** @returns whether there is more */
  const look = async (): Promise<boolean> => {
    if (clock() - renewedAt >= renewMs) {
      await storage.keepEvents(now(), randomBytes(eventSecretBytes));
      renewedAt = clock();
    }
    const { asks, areAll } = secret === undefined ? { asks: [], areAll: false } : askingOf(streams);
    const read = await storage.readEvents(
      asks.map(({ ask }) => ask),
      eventsAtOnce,
    );
    if (read === undefined) {
      renewedAt = Number.NEGATIVE_INFINITY;
      return true;
    }
    const isOther = secret?.toHex() !== read.secret.toHex();
    const known = begin(read);
    if (isOther) return true;
    const at = clock();
    for (const [place, page] of read.pages.entries()) {
      const text = createTexts(page, known);
      for (const stream of asks[place]?.streams ?? []) {
        if (!streams.delete(stream)) continue;
        streams.add(stream);
        stream.take(page, text, known, at);
      }
    }
    return !areAll || read.pages.some(({ hasMore }) => hasMore);
  };

  const work = async (): Promise<number> => {
    const at = clock();
    for (const stream of streams) {
      stream.check(at);
      stream.keepAlive(at);
    }
    try {
      const hasMore = await look();
      failsSince = undefined;
      return hasMore ? hurryMs : pauseMs;
    } catch (error) {
      failsSince ??= at;
      if (clock() - failsSince > faultPatienceMs) {
        onError('Events cannot be read. Clients must reconnect.', {
          error,
        });
        failsSince = undefined;
        for (const stream of streams) stream.end(error, at);
      }
      return faultPauseMs;
    }
  };

  const arm = (ms: number): void => {
    if (timer !== undefined || isLooking || streams.size === 0) return;
    timer = setTimeout(async () => {
      timer = undefined;
      isLooking = true;
      const pause = await work();
      isLooking = false;
      arm(pause);
    }, ms).unref();
  };

  storage.onKeyChange((id) => {
    for (const stream of streams)
      if (id === undefined || stream.options.keyId === id) stream.check(clock(), true);
  });

  return {
    follow(asked) {
      if (isClosed) throw shuttingDown();
      if (streams.size >= mostOfProcess)
        throw new Failure('OVERLOADED', 'Too many clients have open event streams.', {
          retryAfterSeconds: 5,
        });
      const own = [...streams].filter(({ options: { accountId } }) => accountId === asked.accountId).length;
      if (own >= maxStreams) throw tooManyStreams();
      // Another secret may be in force since the last client left.
      if (streams.size === 0) secret = undefined;
      const stream = new ClientStream(asked, clock(), () => streams.delete(stream));
      if (secret !== undefined) stream.begin(secret);
      streams.add(stream);
      arm(hurryMs);
      return stream.body;
    },
    clients: () => streams.size,
    close() {
      isClosed = true;
      for (const stream of streams) stream.end(shuttingDown(), clock());
      clearTimeout(timer);
    },
  };
}

function shuttingDown(): Failure {
  return new Failure('SHUTTING_DOWN');
}

/** Those of the clients that are ready who ask for the same, and whether these are all of them: few positions are read at once. */
function askingOf(streams: ReadonlySet<ClientStream>): {
  readonly asks: readonly Asking[];
  readonly areAll: boolean;
} {
  const asks = new Map<string, Asking>();
  const positions = new Set<string>();
  let areAll = true;
  for (const stream of streams) {
    if (stream.isFull) continue;
    const { accountId, types } = stream.options;
    const clicks = types.has('click');
    const changes = types.size > (clicks ? 1 : 0);
    const { position: after } = stream;
    const position = `${after?.change} ${after?.batch} ${after?.clicks}`;
    const isLate = positions.size >= positionsAtOnce && !positions.has(position);
    areAll &&= !isLate;
    if (isLate) continue;
    positions.add(position);
    const key = `${accountId} ${clicks} ${changes} ${position}`;
    const known = asks.get(key);
    if (known === undefined) asks.set(key, { ask: { accountId, clicks, changes, after }, streams: [stream] });
    else known.streams.push(stream);
  }
  return { asks: [...asks.values()], areAll };
}
