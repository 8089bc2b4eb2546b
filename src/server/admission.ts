import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { priorities } from '../contract/endpoint.ts';
import { findEndpoint } from '../contract/endpoints/find-endpoint.ts';
import { Failure } from '../model/failures.ts';
import { createFifo, type Fifo } from '../runtime/fifo.ts';
import { sendError } from './answer.ts';

/**
 * Classes of API requests, in order of priority during overload. `anonymous` contains requests without a well-formed
 * key, and all requests from IP addresses that have failed to authenticate too often.
 */
const requestClasses = [...priorities, 'anonymous'] as const;
export type RequestClass = (typeof requestClasses)[number];
const [write, anonymous] = [0, 3];

/**
 * Maximum time in milliseconds for API work per tick of the event loop. Redirects never wait longer than this for API
 * work.
 */
const sliceMs = 2;
/** Maximum number of requests to schedule per slice. A slice has no time for more. */
const maxPerSlice = 128;
/** Maximum queue length per class. Queued requests may have up to 64 KiB of their body in memory. */
export const maxWaiting = 250;
/**
 * A queued request is rejected after this many milliseconds. Only requests in low classes wait this long, because
 * higher classes are served first.
 */
const maxWaitMs = 1_000;
/**
 * Maximum number of writes in progress in storage. This is enough for one commit, which includes up to 256 writes, and
 * for the batch that is collected during that commit.
 */
export const maxWritesInStorage = 500;
/**
 * Maximum number of pipelined API requests per connection. Each response stays in memory until the previous response
 * has been sent.
 */
const maxPipelined = 16;
/** How often the log repeats the warning while requests are being rejected, in milliseconds. */
const logIntervalMs = 10_000;

const overloaded = new Failure('OVERLOADED');

export interface AdmissionOptions {
  readonly serve: RequestListener;
  /** Returns true if it is already known that the request will be rejected. Does not look up the key. */
  readonly isAnonymous: (request: IncomingMessage) => boolean;
  /** Returns the number of writes that storage has not finished. */
  readonly writesInStorage: () => number;
  /** Sends the current tick's redirects. Called before each slice of API work. */
  readonly beforeSlice: () => void;
  readonly newRequestId: () => string;
  /** Called when requests are rejected, at most once every ten seconds. */
  readonly onOverload: (sentence: string, facts: Readonly<Record<string, number>>) => void;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

type ByClass = Readonly<Record<RequestClass, number>>;

/** Counts of requests since the process started. `waiting` is the number of requests that are waiting now. */
export interface AdmissionStats {
  /** Number of requests that had to wait. */
  readonly queued: ByClass;
  readonly refused: ByClass;
  /** Number of requests whose clients disconnected while the requests were waiting. */
  readonly abandoned: ByClass;
  readonly waiting: ByClass;
}

export interface Admission {
  /** Serves an API request, directly or from the queue, or rejects it with `OVERLOADED`. */
  readonly admit: RequestListener;
  stats(): AdmissionStats;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/** The queue and the counts of one class. */
interface ClassQueue {
  readonly queue: Fifo<Waiting>;
  queued: number;
  refused: number;
  abandoned: number;
}

/**
 * Creates the API's admission control, so that API work does not delay redirects and queues stay bounded. While ticks
 * of the event loop are short, requests are served immediately. Otherwise, they wait in their class's queue. In each
 * tick, the queues are served for 2 ms, in order of priority. A request is rejected before any work if its queue is
 * full, or after one second in the queue
 * ([decision](../../docs/decisions/operations.md#reject-overload-early-in-bounded-queues)).
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the queue, the timer and the end of a slice must change together with each request
export function createAdmission(options: AdmissionOptions): Admission {
  const { serve, isAnonymous, writesInStorage, beforeSlice, newRequestId, onOverload } = options;
  const { clock = () => performance.now() } = options;
  const lines = requestClasses.map(
    (): ClassQueue => ({ queue: createFifo(), queued: 0, refused: 0, abandoned: 0 }),
  );
  const pipelined = new WeakMap<Socket, number>();
  let tickBeganAt: number | undefined;
  let waiting = 0;
  let armed = 0;
  let sliceEndsAt = 0;
  let saidAt = Number.NEGATIVE_INFINITY;

  const refuse = (line: ClassQueue, { socket }: IncomingMessage, response: ServerResponse): void => {
    line.refused += 1;
    if (clock() - saidAt >= logIntervalMs) {
      saidAt = clock();
      onOverload('Overloaded: rejecting API requests.', { waiting });
    }
    if (!socket.destroyed) sendError(response, overloaded, newRequestId());
  };

  const storageIsFull = (line: ClassQueue): boolean =>
    line === lines[write] && writesInStorage() >= maxWritesInStorage;

  const enqueue = (line: ClassQueue, request: IncomingMessage, response: ServerResponse): void => {
    line.queue.add({ request, response, since: clock() });
    line.queued += 1;
    waiting += 1;
    arm();
  };

  const next = ({ queue }: ClassQueue): Waiting | undefined => {
    const one = queue.removeFirst();
    if (one !== undefined) waiting -= 1;
    return one;
  };

  /**
   * Schedules one `setImmediate` callback per request. A request's promises settle before the next callback, so the
   * measured time includes their cost.
   */
  const arm = (): void => {
    if (armed === 0 && waiting > 0) setImmediate(beginSlice);
    for (; armed < Math.min(waiting, maxPerSlice); armed += 1) setImmediate(serveNext);
  };

  const beginSlice = (): void => {
    armed = 0;
    beforeSlice();
    const now = clock();
    sliceEndsAt = now + sliceMs;
    for (const line of lines) {
      for (let one = line.queue.first(); one !== undefined; one = line.queue.first()) {
        if (now - one.since <= maxWaitMs) break;
        next(line);
        refuse(line, one.request, one.response);
      }
    }
    // Serves at least one request per slice, even if the process gets little CPU time.
    serveBest();
  };

  const serveNext = (): void => {
    if (clock() < sliceEndsAt) serveBest();
    arm();
  };

  const serveBest = (): void => {
    const line = lines.find(({ queue }) => queue.length() > 0);
    const one = line && next(line);
    if (line === undefined || one === undefined) return;
    const { request, response } = one;
    if (request.socket.destroyed) line.abandoned += 1;
    else if (storageIsFull(line)) refuse(line, request, response);
    else serve(request, response);
  };

  /** Returns true if too many requests on this connection are waiting for the response to an earlier request. */
  const isTooFarAhead = (socket: Socket, response: ServerResponse): boolean => {
    // A response has no socket while an earlier response on the same connection is in progress.
    if (response.socket !== null) return false;
    const ahead = pipelined.get(socket) ?? 0;
    if (ahead >= maxPipelined) return true;
    pipelined.set(socket, ahead + 1);
    response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
    return false;
  };

  /** Returns the number of milliseconds since the first API request in the current tick. */
  const tickAge = (): number => {
    if (tickBeganAt === undefined) {
      tickBeganAt = clock();
      setImmediate(() => {
        tickBeganAt = undefined;
      });
    }
    return clock() - tickBeganAt;
  };

  const byClass = (count: (line: ClassQueue) => number): ByClass =>
    Object.fromEntries(lines.map((line, kind) => [requestClasses[kind], count(line)])) as ByClass;

  return {
    admit(request, response) {
      const line = lines[isAnonymous(request) ? anonymous : classOf(request)] as ClassQueue;
      const isBusy = tickAge() >= sliceMs || waiting > 0;
      if (isTooFarAhead(request.socket, response) || storageIsFull(line) || line.queue.length() >= maxWaiting)
        refuse(line, request, response);
      else if (isBusy) enqueue(line, request, response);
      else serve(request, response);
    },
    stats: () => ({
      queued: byClass(({ queued }) => queued),
      refused: byClass(({ refused }) => refused),
      abandoned: byClass(({ abandoned }) => abandoned),
      waiting: byClass(({ queue }) => queue.length()),
    }),
  };
}

/** Returns the class of a request with a key. The class for an unknown endpoint is `list`. */
function classOf({ method, url }: IncomingMessage): number {
  return requestClasses.indexOf(findEndpoint(method, url)?.priority ?? 'list');
}
