import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { largestBody, priorities } from '../contract/endpoint.ts';
import { errorAnswer } from '../contract/envelope.ts';
import { findEndpoint } from '../contract/find-endpoint.ts';
import { Failure } from '../domain/failures.ts';
import { createFifo } from '../runtime/fifo.ts';
import { createPace } from './pace.ts';

/**
 * API requests by what they are worth when there is too much of them, the most precious first. Anonymous is what comes
 * without a key, or from an address that has failed to authenticate too often, whatever it asks for.
 */
export const requestClasses = [...priorities, 'anonymous'] as const;
export type RequestClass = (typeof requestClasses)[number];
const [write, read, list, anonymous] = [0, 1, 2, 3];

/** How long API work may hold a turn of the event loop, ms: what a redirect or a refusal that has just come in may wait for. */
const sliceMs = 2;
/** More than fit into a slice need not be prepared for one. */
const maxPerSlice = 128;
/** Requests that may wait, and bytes of their bodies: what came beyond would be late, and memory is for those inside. */
const maxWaiting = 1_000;
const maxWaitingBytes = 16 * 1024 * 1024;
/** A backlog that is gone within this time was a burst, and nobody is refused for its age, ms. */
const burstMs = 1_000;
/**
 * In a longer one a request is refused as soon as it comes when the oldest of its class or of a higher one has waited
 * longer than this, ms. Lower classes give up earlier, so that they are refused at once instead of after waiting in vain.
 */
const patienceMs = [50, 30, 20, 10];
/** Whoever was refused comes again after a second or so: a backlog that is back within this time is the same one, ms. */
const backWithinMs = 2_000;
/** However slowly a class is served, so many of it may wait: from how they fare is known when it is served again. */
const fewestWaiting = 8;
/** What lay unread for longer, because its connection rested, may have been given up: others go before it, ms. */
const freshMs = 600;
/** Nothing waits longer, ms: its caller may have given up. */
const longestWaitMs = 2_000;
/** Unanswered API requests that one connection may have sent ahead: each answer waits in memory for the one before. */
const maxPipelined = 16;
/** Writes in the hands of storage: as many as one commit takes. Beyond, they wait here, where the order is by worth. */
export const maxWritesInStorage = 256;
/** Whoever was refused is asked to wait so long. */
const retryAfterSeconds = 1;
/** Beyond these and one for every two requests served, those who do not wait are read later. */
const refusalsPerSecond = 500;
/** While nothing can be done, storage is asked again so often, ms. */
const stalledMs = 2;
/** Without a refusal for so long, an overload is over, ms. */
const overMs = 5_000;

export interface AdmissionOptions {
  readonly serve: RequestListener;
  /** Whether a request can only be refused for its key, as far as can be told without looking the key up. */
  readonly isAnonymous: (request: IncomingMessage) => boolean;
  /** Writes that storage was given and has not done. */
  readonly writesInStorage: () => number;
  /** Called before a slice of work is begun: lets go what must not wait for it. */
  readonly beforeSlice: () => void;
  readonly newRequestId: () => string;
  /** Once when refusing begins, and once when it is over. */
  readonly onOverload: (sentence: string, facts: Readonly<Record<string, number>>) => void;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

type ByClass = Readonly<Record<RequestClass, number>>;

/** Counts since the start, but for `waiting`, which is now. */
export interface AdmissionStats {
  readonly admitted: ByClass;
  /** Of the admitted: those that had to wait. */
  readonly queued: ByClass;
  readonly refused: ByClass;
  /** Gone before their turn came. */
  readonly abandoned: ByClass;
  readonly waiting: ByClass;
}

export interface Admission {
  /** Takes an API request: serves it now, soon, or refuses it with `OVERLOADED`. */
  readonly admit: RequestListener;
  stats(): AdmissionStats;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
  readonly bytes: number;
  /** So many of its class were before it. */
  readonly ahead: number;
}

/**
 * Keeps API work from holding up redirects, and more API work than can be done from spoiling what can. As long as a
 * turn of the event loop is short, a request passes straight through. In a longer one it waits its turn, and is served
 * in slices between turns: writes first, then reads of one record, then lists, then those who have no key. What cannot be served in good time is
 * refused at once and cheaply, the least precious first ([decision 0010](../docs/decisions/0010-refuse-early.md)).
 */
export function createAdmission(given: AdmissionOptions): Admission {
  const { serve, writesInStorage, beforeSlice, newRequestId, clock = () => performance.now() } = given;
  const queues = requestClasses.map(() => createFifo<Waiting>());
  const zeros = (): number[] => requestClasses.map(() => 0);
  const [admitted, queued, refused, abandoned] = [zeros(), zeros(), zeros(), zeros()];
  /** How many of each class may wait in a lasting backlog: as many as are served within its patience. */
  const room = requestClasses.map(() => maxWaiting);
  const pipelined = new WeakMap<Socket, number>();
  const refuseWith = createRefusal(newRequestId);
  const pace = createPace(refusalsPerSecond, retryAfterSeconds * 1_000, clock);

  let turnBeganAt: number | undefined;
  let waiting = 0;
  let waitingBytes = 0;
  let backlogSince = 0;
  let backlogLastedUntil = Number.NEGATIVE_INFINITY;
  let sliceEndsAt = 0;
  let sliceIsArmed = false;
  let armed = 0;
  let isStalled = false;
  let lastRefusal = Number.NEGATIVE_INFINITY;
  let overload: { timer: NodeJS.Timeout; refused: number } | undefined;

  const refuse = (kind: number, request: IncomingMessage, response: ServerResponse): void => {
    refused[kind] = (refused[kind] ?? 0) + 1;
    lastRefusal = clock();
    if (overload === undefined) {
      overload = { timer: setTimeout(endOverload, overMs).unref(), refused: 0 };
      given.onOverload('Overloaded: API requests are refused.', { waiting });
    }
    overload.refused += 1;
    if (request.socket.destroyed) return;
    pace.count(response);
    refuseWith(request, response);
  };

  const endOverload = (): void => {
    const left = lastRefusal + overMs - clock();
    if (overload === undefined) return;
    if (left > 0) {
      overload.timer = setTimeout(endOverload, left).unref();
      return;
    }
    given.onOverload('The overload is over.', { refused: overload.refused });
    overload = undefined;
  };

  const storageIsFull = (): boolean => writesInStorage() >= maxWritesInStorage;

  /** How long the oldest has waited that would be served before a new one of this class. */
  const oldestAge = (kind: number, now: number): number => {
    let oldest = now;
    for (let at = 0; at <= kind; at += 1) {
      // Writes that wait for the disk keep nobody else waiting.
      if (at === write && kind !== write && storageIsFull()) continue;
      oldest = Math.min(oldest, queues[at]?.first()?.since ?? now);
    }
    return now - oldest;
  };

  /** Behind so many, or behind somebody who has waited for so long. Who was there for long goes behind who has just come. */
  const wouldBeLate = (kind: number, ahead: number, now: number, unread: number): boolean =>
    ahead >= (room[kind] ?? 0) ||
    (ahead > 0 && unread > freshMs) ||
    oldestAge(kind, now) > (patienceMs[kind] ?? 0);

  /** Whoever leaves has seen how long it takes to serve so many. That it was quick says that twice as many could wait. */
  const learnRoom = (kind: number, { since, ahead }: Waiting, now: number): void => {
    const times = (patienceMs[kind] ?? 0) / (now - since);
    const least = times < 2 ? fewestWaiting : (room[kind] ?? 0);
    room[kind] = Math.max(least, Math.ceil((ahead + 1) * Math.min(2, times)));
  };

  const leave = (one: Waiting | undefined): void => {
    if (one === undefined) return;
    waiting -= 1;
    waitingBytes -= one.bytes;
  };

  /** Makes room by refusing what is worth less than this class, the newest first. @returns whether there is room */
  const makeRoom = (kind: number, bytes: number): boolean => {
    for (let lowest = anonymous; ; ) {
      if (waiting < maxWaiting && waitingBytes + bytes <= maxWaitingBytes) return true;
      if (lowest <= kind) return false;
      const victim = queues[lowest]?.removeLast();
      leave(victim);
      if (victim === undefined) lowest -= 1;
      else refuse(lowest, victim.request, victim.response);
    }
  };

  const enqueue = (
    kind: number,
    request: IncomingMessage,
    response: ServerResponse,
    unread: number,
  ): void => {
    const now = clock();
    const bytes = bodyBytes(request);
    const ahead = queues[kind]?.length() ?? 0;
    const isLasting = waiting > 0 && now - backlogSince > burstMs;
    if (isLasting) backlogLastedUntil = now;
    if ((isLasting && wouldBeLate(kind, ahead, now, unread)) || !makeRoom(kind, bytes)) {
      return refuse(kind, request, response);
    }
    if (waiting === 0 && now - backlogLastedUntil > backWithinMs) backlogSince = now;
    queues[kind]?.add({ request, response, since: now, bytes, ahead });
    waiting += 1;
    waitingBytes += bytes;
    queued[kind] = (queued[kind] ?? 0) + 1;
    arm();
  };

  /** Each request gets an immediate of its own: by the next one its promises are done, and the clock tells its cost. */
  const arm = (): void => {
    if (!sliceIsArmed) {
      sliceIsArmed = true;
      setImmediate(beginSlice);
    }
    for (; armed < waiting && armed < maxPerSlice; armed += 1) setImmediate(serveNext);
  };

  const beginSlice = (): void => {
    sliceIsArmed = false;
    armed = 0;
    beforeSlice();
    const now = clock();
    sliceEndsAt = now + sliceMs;
    for (const [kind, queue] of queues.entries()) {
      for (let one = queue.first(); one !== undefined; one = queue.first()) {
        if (now - one.since <= longestWaitMs) break;
        leave(queue.removeFirst());
        learnRoom(kind, one, now);
        refuse(kind, one.request, one.response);
      }
    }
  };

  const serveNext = (): void => {
    if (waiting === 0) return;
    if (clock() < sliceEndsAt && !serveBest()) wake();
    else if (waiting > 0) arm();
  };

  /** Only writes wait, and for the disk: turning round and round would not help it. */
  const wake = (): void => {
    if (isStalled) return;
    isStalled = true;
    setTimeout(() => {
      isStalled = false;
      if (waiting > 0) arm();
    }, stalledMs);
  };

  const serveBest = (): boolean => {
    for (let kind = storageIsFull() ? read : write; kind <= anonymous; kind += 1) {
      const one = queues[kind]?.removeFirst();
      if (one === undefined) continue;
      leave(one);
      if (one.request.socket.destroyed) abandoned[kind] = (abandoned[kind] ?? 0) + 1;
      else {
        admitted[kind] = (admitted[kind] ?? 0) + 1;
        learnRoom(kind, one, clock());
        pace.served();
        serve(one.request, one.response);
      }
      return true;
    }
    return false;
  };

  /** Whether too many requests of this connection wait for the answer of one that came before. */
  const isTooFarAhead = ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    const ahead = pipelined.get(socket) ?? 0;
    if (ahead >= maxPipelined) return true;
    pipelined.set(socket, ahead + 1);
    response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
    return false;
  };

  const named = (numbers: readonly number[]): ByClass => ({
    write: numbers[write] ?? 0,
    read: numbers[read] ?? 0,
    list: numbers[list] ?? 0,
    anonymous: numbers[anonymous] ?? 0,
  });

  return {
    admit(request, response) {
      const now = clock();
      if (turnBeganAt === undefined) {
        turnBeganAt = now;
        setImmediate(() => {
          turnBeganAt = undefined;
        });
      }
      const kind = given.isAnonymous(request) ? anonymous : classOf(request);
      const unread = pace.unreadFor(request.socket);
      // A response has no socket while another one of its connection is under way.
      if (response.socket === null && isTooFarAhead(request, response))
        return refuse(kind, request, response);
      if (waiting > 0 || now - turnBeganAt >= sliceMs || (kind === write && storageIsFull())) {
        return enqueue(kind, request, response, unread);
      }
      admitted[kind] = (admitted[kind] ?? 0) + 1;
      serve(request, response);
    },
    stats: () => ({
      admitted: named(admitted),
      queued: named(queued),
      refused: named(refused),
      abandoned: named(abandoned),
      waiting: named(queues.map((queue) => queue.length())),
    }),
  };
}

/** What is for no endpoint is worth least: it changes nothing and names nothing. */
function classOf({ method, url }: IncomingMessage): number {
  return requestClasses.indexOf(findEndpoint(method, url)?.priority ?? 'list');
}

/** What its body may take of memory while it waits. */
function bodyBytes({ method, url, headers }: IncomingMessage): number {
  const most = findEndpoint(method, url)?.largestBody ?? largestBody;
  if (headers['transfer-encoding'] !== undefined) return most;
  const declared = headers['content-length'];
  return declared === undefined ? 0 : Math.min(Number(declared), most);
}

/** Refuses with as little work as possible: when there is too much of it, every refusal is taken from somebody's answer. */
function createRefusal(newRequestId: () => string): RequestListener {
  const failure = new Failure('OVERLOADED', 'There is more work than can be done in time.', {
    retryAfterSeconds,
  });
  const mark = newRequestId();
  const { status, headers, body } = errorAnswer(failure, mark);
  const [before = '', after = ''] = JSON.stringify(body).split(mark);
  const fixed = [
    ...['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'],
    ...['x-content-type-options', 'nosniff'],
    ...Object.entries(headers).flat(),
  ];
  return (request, response) => {
    const id = newRequestId();
    const text = before + id + after;
    response.writeHead(status, [...fixed, 'x-request-id', id, 'content-length', String(text.length)]);
    response.end(request.method === 'HEAD' ? undefined : text);
  };
}
