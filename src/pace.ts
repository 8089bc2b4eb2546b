import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Refusals that may be had at once before anybody is slowed down. */
const burst = 200;
/** How many each request that is served pays for. */
const perServed = 0.5;
const everyMs = 5;

/** Slows down connections, so that together they get no more than so many answers of a kind. */
export interface Pace {
  /** To be called with every such answer before it is ended. */
  count(response: ServerResponse): void;
  /** Says that a request was served: the more is done, the more may be refused. */
  served(): void;
  /** Connections that are not being read now. */
  resting(): number;
}

/**
 * Refusing takes a quarter of the time that a create takes: refusing everybody as fast as they ask would leave no time
 * to serve anybody. So beyond a pace a connection is not read for a while after a refusal; what its client sends
 * meanwhile waits with the client. Few connections rest for a moment only, many for as long as it takes.
 * @param perSecond refusals even while nothing is served
 * @param clock monotonic, ms
 */
export const createPace = (perSecond: number, clock: () => number = () => performance.now()): Pace => {
  let tokens = burst;
  let countedAt = clock();
  let resting: Socket[] = [];
  let isWaking = false;

  const earn = (): void => {
    const now = clock();
    tokens = Math.min(burst, tokens + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
  };

  const wake = (): void => {
    earn();
    const count = Math.min(resting.length, Math.max(0, Math.floor(tokens)));
    tokens -= count;
    for (const socket of resting.slice(0, count)) socket.resume();
    resting = resting.slice(count).filter(({ destroyed }) => !destroyed);
    isWaking = false;
    if (resting.length > 0) wakeSoon();
  };

  const wakeSoon = (): void => {
    if (isWaking) return;
    isWaking = true;
    setTimeout(wake, everyMs);
  };

  const rest = (socket: Socket): void => {
    if (socket.destroyed) return;
    socket.pause();
    resting.push(socket);
    wakeSoon();
  };

  return {
    count(response) {
      earn();
      if (tokens >= 1 && resting.length === 0) {
        tokens -= 1;
        return;
      }
      const { socket } = response.req;
      // In the turn of the end, Node itself still reads what is left of a body, and would go on reading.
      response.once('close', () => setImmediate(rest, socket));
    },
    served() {
      tokens = Math.min(burst, tokens + perServed);
    },
    resting: () => resting.length,
  };
};
