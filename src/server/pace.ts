import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createFifo } from '../runtime/fifo.ts';

/** Refusals that may be had at once before anybody is slowed down. */
const burst = 200;
/** How many each request that is served pays for. */
const perServed = 0.5;
const everyMs = 5;
/** An answer is under way before its client begins to wait, and timers are not exact, ms. */
const toleranceMs = 100;

/** Slows down connections on which more is asked than was asked for. */
export interface Pace {
  /** To be called with every such answer before it is ended. */
  count(response: ServerResponse): void;
  /** Says that a request was served: the more is done, the more may be refused. */
  served(): void;
  /** How long the request that was just read lay unread, because its connection rested, ms. To be asked once for each. */
  unreadFor(socket: Socket): number;
  /** Connections that are not being read now. */
  resting(): number;
}

/**
 * Refusing takes a quarter of the time that a create takes: refusing everybody as fast as they ask would leave no time
 * to serve anybody. Clients who wait as they are told cannot ask so fast, and are always refused at once. For others
 * there is a pace: beyond it, a connection is not read for a while after it was refused again; what its client sends
 * meanwhile waits with the client. Few connections rest for a moment only, many for as long as it takes.
 * @param perSecond refusals of those who do not wait, even while nothing is served
 * @param waitMs how long each of them is told to wait
 * @param clock monotonic, ms
 */
export function createPace(
  perSecond: number,
  waitMs: number,
  clock: () => number = () => performance.now(),
): Pace {
  const refusedAt = new WeakMap<Socket, number>();
  let tokens = burst;
  let countedAt = clock();
  const resting = createFifo<Socket>();
  const restingSince = new WeakMap<Socket, number>();
  let isWaking = false;

  const earn = (): void => {
    const now = clock();
    tokens = Math.min(burst, tokens + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
  };

  const wake = (): void => {
    earn();
    for (let socket = resting.first(); socket !== undefined; socket = resting.first()) {
      if (tokens < 1 && !socket.destroyed) break;
      resting.removeFirst();
      if (socket.destroyed) continue;
      tokens -= 1;
      refusedAt.set(socket, countedAt); // what is read now may have been sent long ago: its client has not waited
      socket.resume();
    }
    isWaking = false;
    if (resting.length() > 0) wakeSoon();
  };

  const wakeSoon = (): void => {
    if (isWaking) return;
    isWaking = true;
    setTimeout(wake, everyMs);
  };

  const rest = (socket: Socket): void => {
    // Of what has ended, the rest is only thrown away.
    if (socket.destroyed || socket.writableEnded) return;
    socket.pause();
    restingSince.set(socket, clock());
    resting.add(socket);
    wakeSoon();
  };

  return {
    count(response) {
      earn();
      const { socket } = response.req;
      const now = clock();
      const hasWaited = now - (refusedAt.get(socket) ?? Number.NEGATIVE_INFINITY) >= waitMs - toleranceMs;
      refusedAt.set(socket, now);
      if (hasWaited || (tokens >= 1 && resting.length() === 0)) {
        tokens = Math.max(0, tokens - 1);
        return;
      }
      // In the turn of the end, Node itself still reads what is left of a body, and would go on reading.
      response.once('close', () => setImmediate(rest, socket));
    },
    served() {
      tokens = Math.min(burst, tokens + perServed);
    },
    unreadFor(socket) {
      const since = restingSince.get(socket);
      if (since === undefined) return 0;
      restingSince.delete(socket);
      return clock() - since;
    },
    resting: resting.length,
  };
}
