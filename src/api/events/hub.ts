import type { Readable } from 'node:stream';
import {
  type EventPages,
  type EventRequest,
  eventSecretBytes,
  maxStreams,
  tooManyStreams,
} from '../../model/clicks/events.ts';
import { Failure, overloaded } from '../../model/failures.ts';
import type { RandomBytes } from '../../model/ids.ts';
import type { Storage } from '../../model/storage.ts';
import type { Report } from '../../runtime/report.ts';
import { ClientStream, type StreamOptions } from './stream.ts';
import { createSerializer } from './wire.ts';

/** Maximum number of streams per process, across all accounts. Each stream takes a connection and some memory. */
const maxStreamsPerProcess = 500;
/** Milliseconds between two polls. `pollSoonMs` applies if there is more to read. */
const pollMs = 250;
const pollSoonMs = 20;
/**
 * Pause in milliseconds between a failed read and the next poll. After `faultPatienceMs` of failed reads, the streams
 * end.
 */
const faultPauseMs = 1_000;
const faultPatienceMs = 10_000;
/**
 * How often this process renews its registration as a reader, in milliseconds. This is several times per retention
 * window.
 */
const renewMs = 30_000;
/**
 * Maximum number of events per poll, across all streams. Serializing events delays redirects, which run on the same
 * thread.
 */
const maxEventsPerPoll = 500;
/**
 * Maximum number of distinct positions per poll. Each client that is catching up has its own position; all other
 * clients share one.
 */
const maxPositions = 8;

export interface EventHubOptions {
  readonly storage: Pick<Storage, 'readEvents' | 'renewEventReader' | 'onKeyChange'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly onError: Report;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/** Streams link events to the clients of this process. Does nothing while no client is connected. */
export interface EventHub {
  /** Opens a stream for a client. @throws Failure TOO_MANY_STREAMS, OVERLOADED, SHUTTING_DOWN */
  follow(options: StreamOptions): Readable;
  /** Returns the number of connected clients. */
  clients(): number;
  /** Closes every stream with a hint to reconnect, and rejects new streams. */
  close(): void;
}

/** Clients with the same filter and position. */
interface ReaderGroup {
  readonly ask: EventRequest;
  readonly streams: ClientStream[];
}

/** Creates a hub. While clients are connected, the hub polls storage once for all of them. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: polling, pausing and sending share one timer, the streams and the secret of this hub
export function createEventHub(options: EventHubOptions): EventHub {
  const { storage, now, randomBytes, onError, clock = () => performance.now() } = options;
  // The most recently served stream moves to the end, so that every stream gets its turn.
  const streams = new Set<ClientStream>();
  let secret: Uint8Array | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let failsSince: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;

  const begin = (pages: EventPages): Uint8Array => {
    if (secret?.toHex() !== pages.secret.toHex()) {
      secret = pages.secret;
      for (const stream of streams) stream.begin(secret);
    }
    return secret;
  };

  /** Polls once. @returns true if there is more to read */
  const poll = async (): Promise<boolean> => {
    if (clock() - renewedAt >= renewMs) {
      await storage.renewEventReader(now(), randomBytes(eventSecretBytes));
      renewedAt = clock();
    }
    const { groups, hasAll } = secret === undefined ? { groups: [], hasAll: false } : groupReaders(streams);
    const read = await storage.readEvents(
      groups.map(({ ask }) => ask),
      maxEventsPerPoll,
    );
    if (read === undefined) {
      renewedAt = Number.NEGATIVE_INFINITY;
      return true;
    }
    const isOther = secret?.toHex() !== read.secret.toHex();
    const known = begin(read);
    if (isOther) return true;
    const at = clock();
    for (const [index, page] of read.pages.entries()) {
      const text = createSerializer(page, known);
      for (const stream of groups[index]?.streams ?? []) {
        if (!streams.delete(stream)) continue;
        streams.add(stream);
        stream.sendPage(page, text, known, at);
      }
    }
    return !hasAll || read.pages.some(({ hasMore }) => hasMore);
  };

  const work = async (): Promise<number> => {
    const at = clock();
    for (const stream of streams) {
      stream.check(at);
      stream.sendHeartbeat(at);
    }
    try {
      const hasMore = await poll();
      failsSince = undefined;
      return hasMore ? pollSoonMs : pollMs;
    } catch (error) {
      failsSince ??= at;
      if (clock() - failsSince > faultPatienceMs) {
        onError('Could not read events. Event streams were closed, and clients must reconnect.', { error });
        failsSince = undefined;
        for (const stream of streams) stream.end(error, at);
      }
      return faultPauseMs;
    }
  };

  const arm = (ms: number): void => {
    if (timer !== undefined || isPolling || streams.size === 0) return;
    timer = setTimeout(async () => {
      timer = undefined;
      isPolling = true;
      const pause = await work();
      isPolling = false;
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
      if (streams.size >= maxStreamsPerProcess)
        throw overloaded('Too many clients have open event streams.', 5);
      const own = [...streams].filter(({ options: { accountId } }) => accountId === asked.accountId).length;
      if (own >= maxStreams) throw tooManyStreams();
      // Discards the cached secret, which may have changed since the last client disconnected.
      if (streams.size === 0) secret = undefined;
      const stream = new ClientStream(asked, clock(), () => streams.delete(stream));
      if (secret !== undefined) stream.begin(secret);
      streams.add(stream);
      arm(pollSoonMs);
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

/**
 * Groups clients that can receive data by filter and position. `hasAll` is false if some clients must wait for the next
 * poll, because a poll reads from at most `maxPositions` positions.
 */
function groupReaders(streams: ReadonlySet<ClientStream>): {
  readonly groups: readonly ReaderGroup[];
  readonly hasAll: boolean;
} {
  const groups = new Map<string, ReaderGroup>();
  const positions = new Set<string>();
  let hasAll = true;
  for (const stream of streams) {
    if (stream.isFull) continue;
    const { accountId, types } = stream.options;
    const clicks = types.has('click');
    const changes = types.size > (clicks ? 1 : 0);
    const { position: after } = stream;
    const position = `${after?.change} ${after?.batch} ${after?.clicks}`;
    const isLate = positions.size >= maxPositions && !positions.has(position);
    hasAll &&= !isLate;
    if (isLate) continue;
    positions.add(position);
    const key = `${accountId} ${clicks} ${changes} ${position}`;
    const known = groups.get(key);
    if (known === undefined)
      groups.set(key, { ask: { accountId, clicks, changes, after }, streams: [stream] });
    else known.streams.push(stream);
  }
  return { groups: [...groups.values()], hasAll };
}
