import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { priorities } from '../contract/endpoint.ts';
import { findEndpoint } from '../contract/endpoints/find-endpoint.ts';
import { Failure } from '../model/failures.ts';
import { createFifo, type Fifo } from '../runtime/fifo.ts';
import { sendError } from './answer.ts';

/**
 * Classes of API requests, the one that is served first when there are too many first. Anonymous are requests without a
 * usable key, and all requests of an address that has failed to authenticate too often.
 */
const requestClasses = [...priorities, 'anonymous'] as const;
export type RequestClass = (typeof requestClasses)[number];
const [write, anonymous] = [0, 3];

/** How long API work may hold a tick of the event loop, ms: a redirect waits that long at most. */
const sliceMs = 2;
/** Requests to prepare for one slice: more would not fit into it. */
const maxPerSlice = 128;
/** Requests of one class that may wait. Their bodies lie in memory meanwhile, 64 KiB each at most. */
export const maxWaiting = 250;
/** A request that has waited longer is refused, ms. Only a class that more important ones leave no time waits so long. */
const maxWaitMs = 1_000;
/** Writes that storage may hold: one commit takes 256, and the next batch gathers meanwhile. */
export const maxWritesInStorage = 500;
/** Unanswered API requests that one connection may have sent ahead: each answer waits in memory for the one before. */
const maxPipelined = 16;
/** While requests are refused, the log repeats that after this time, ms. */
const logIntervalMs = 10_000;

const overloaded = new Failure('OVERLOADED');

export interface AdmissionOptions {
  readonly serve: RequestListener;
  /** Whether a request can only be refused for its key, as far as can be told without looking the key up. */
  readonly isAnonymous: (request: IncomingMessage) => boolean;
  /** Writes that storage has not finished. */
  readonly writesInStorage: () => number;
  /** Called before each slice of work: sends the redirects of this tick. */
  readonly beforeSlice: () => void;
  readonly newRequestId: () => string;
  /** Called when requests are refused, at most every ten seconds. */
  readonly onOverload: (sentence: string, facts: Readonly<Record<string, number>>) => void;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

type ByClass = Readonly<Record<RequestClass, number>>;

/** Counts since the start, but for `waiting`, which is now. */
export interface AdmissionStats {
  /** Had to wait. */
  readonly queued: ByClass;
  readonly refused: ByClass;
  /** Requests whose clients hung up while they waited. */
  readonly abandoned: ByClass;
  readonly waiting: ByClass;
}

export interface Admission {
  /** Takes an API request: serves it now or soon, or refuses it with `OVERLOADED`. */
  readonly admit: RequestListener;
  stats(): AdmissionStats;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/** The requests of one class. */
interface Line {
  readonly queue: Fifo<Waiting>;
  queued: number;
  refused: number;
  abandoned: number;
}

/**
 * Keeps API work from holding up redirects, and bounds how much of it waits. As long as ticks of the event loop are short,
 * a request passes straight through. Otherwise it waits in the queue of its class. Between ticks the queues are served for
 * 2 ms, the classes in the order of their priority. A request that finds its queue full is refused before any work, one that has waited
 * for a second is refused too ([decision](../../docs/decisions/operations.md#refuse-overload-early-in-bounded-queues)).
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: waiting, armed and the end of a slice change together with each request; apart they could disagree
export function createAdmission(options: AdmissionOptions): Admission {
  const { serve, isAnonymous, writesInStorage, beforeSlice, newRequestId, onOverload } = options;
  const { clock = () => performance.now() } = options;
  const lines = requestClasses.map(
    (): Line => ({ queue: createFifo(), queued: 0, refused: 0, abandoned: 0 }),
  );
  const pipelined = new WeakMap<Socket, number>();
  let tickBeganAt: number | undefined;
  let waiting = 0;
  let armed = 0;
  let sliceEndsAt = 0;
  let saidAt = Number.NEGATIVE_INFINITY;

  const refuse = (line: Line, { socket }: IncomingMessage, response: ServerResponse): void => {
    line.refused += 1;
    if (clock() - saidAt >= logIntervalMs) {
      saidAt = clock();
      onOverload('Overloaded: API requests are refused.', { waiting });
    }
    if (!socket.destroyed) sendError(response, overloaded, newRequestId());
  };

  const storageIsFull = (line: Line): boolean =>
    line === lines[write] && writesInStorage() >= maxWritesInStorage;

  const enqueue = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.queue.add({ request, response, since: clock() });
    line.queued += 1;
    waiting += 1;
    arm();
  };

  const next = ({ queue }: Line): Waiting | undefined => {
    const one = queue.removeFirst();
    if (one !== undefined) waiting -= 1;
    return one;
  };

  /** Each request gets an immediate of its own: by the next one its promises are done, and the clock tells its cost. */
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
    // At least one is served, however little this process has of a processor.
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

  /** Whether too many requests of this connection wait for the answer of one that came before. */
  const isTooFarAhead = (socket: Socket, response: ServerResponse): boolean => {
    // A response has no socket while another one of its connection is under way.
    if (response.socket !== null) return false;
    const ahead = pipelined.get(socket) ?? 0;
    if (ahead >= maxPipelined) return true;
    pipelined.set(socket, ahead + 1);
    response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
    return false;
  };

  /** @returns how long this tick has gone on since its first API request, ms */
  const tickAge = (): number => {
    if (tickBeganAt === undefined) {
      tickBeganAt = clock();
      setImmediate(() => {
        tickBeganAt = undefined;
      });
    }
    return clock() - tickBeganAt;
  };

  const byClass = (count: (line: Line) => number): ByClass =>
    Object.fromEntries(lines.map((line, kind) => [requestClasses[kind], count(line)])) as ByClass;

  return {
    admit(request, response) {
      const line = lines[isAnonymous(request) ? anonymous : classOf(request)] as Line;
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

/** A request for no endpoint is in the lowest class: it changes nothing and names nothing. */
function classOf({ method, url }: IncomingMessage): number {
  return requestClasses.indexOf(findEndpoint(method, url)?.priority ?? 'list');
}
