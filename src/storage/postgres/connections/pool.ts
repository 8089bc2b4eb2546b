import type { Failure } from '../../../model/failures.ts';
import { storageUnavailable } from '../../db/failure.ts';
import type { Connection } from './connection.ts';
import { asConnectFailure, isConnectionLost, isStandbyError, tookTooLong } from './errors.ts';
import { createConnectionSlots, type Purpose } from './slots.ts';

/** A pool of database connections that many requests share. */
export interface Pool {
  /**
   * Runs work with a connection. If the work leaves a transaction open or a response pending, its connection is not
   * reused.
   * @param isLong true for work with many statements. The timeout then applies to each statement
   * @throws errors of the work; Failure STORAGE_UNAVAILABLE when no connection is available, or the work takes too
   * long; OVERLOADED when too many requests are waiting
   */
  use<T>(purpose: Purpose, work: (connection: Connection) => Promise<T>, isLong?: boolean): Promise<T>;
  /** Closes all connections, including those in use. Later calls fail. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly connect: (place: number, withinMs: number) => Promise<Connection>;
  /** Maximum number of connections. */
  readonly most: number;
  /**
   * Timeout for work in ms, including connecting and waiting for a connection. Except for lookups, the waiting time
   * starts again whenever other work of the same kind completes. For long work, the timeout applies to each statement.
   */
  readonly patienceMs: number;
}

/** Milliseconds after which an unused connection is closed. */
const idleMs = 60_000;

/**
 * Creates a pool that opens connections on demand. When a connection is lost, does not respond or belongs to a standby,
 * the pool also closes all idle connections: they probably have the same problem, and each would make a request wait.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: connections move between idle, busy and closed, which share this state
export function createPool({ connect, most, patienceMs }: PoolOptions): Pool {
  const idle: { readonly connection: Connection; readonly place: number; readonly since: number }[] = [];
  const busy = new Set<Connection>();
  const freeSlots = Array.from({ length: most }, (_, place) => most - 1 - place);
  const places = createConnectionSlots(most);
  const lastDoneAt: Record<Purpose, number> = { lookup: 0, read: 0, write: 0 };
  let isClosed = false;

  const dropIdle = (): void => {
    for (const { connection } of idle.splice(0)) connection.drop(tookTooLong());
  };

  const open = async (withinMs: number): Promise<{ connection: Connection; place: number }> => {
    const place = freeSlots.pop() ?? 0;
    const connection = await connect(place, withinMs).catch((error: unknown) => {
      freeSlots.push(place);
      dropIdle();
      throw asConnectFailure(error);
    });
    connection.onEnd(() => {
      freeSlots.push(place);
      const at = idle.findIndex((one) => one.connection === connection);
      if (at >= 0) idle.splice(at, 1);
    });
    return { connection, place };
  };

  /** Returns the time since the request arrived or since work of its kind last completed, whichever is shorter. */
  const waitingTime = (since: number, purpose: Purpose): number =>
    performance.now() - Math.max(since, lastDoneAt[purpose]);

  const sweep = setInterval(() => {
    while (idle[0] !== undefined && performance.now() - idle[0].since > idleMs)
      void idle.shift()?.connection.end();
  }, idleMs / 2);
  sweep.unref();

  const work = async <T>(
    purpose: Purpose,
    since: number,
    task: (connection: Connection) => Promise<T>,
    isLong: boolean,
  ): Promise<T> => {
    // If no work completes, the running work times out at its deadline, and the requests waiting for its connection
    // time out as well.
    const left = patienceMs - waitingTime(since, purpose);
    const isExpired = purpose === 'lookup' && performance.now() - since >= patienceMs;
    if (left <= 0 || isExpired) throw timeoutFailure();
    const end = performance.now() + left;
    const { connection, place } = idle.pop() ?? (await open(left));
    busy.add(connection);
    const onTimeout = (): void => {
      const more = isLong ? patienceMs - (performance.now() - connection.answeredAt()) : 0;
      if (more > 0) {
        timer = setTimeout(onTimeout, more);
        return;
      }
      dropIdle();
      connection.drop(tookTooLong());
    };
    let timer = setTimeout(onTimeout, end - performance.now());
    try {
      return await task(connection);
    } catch (error) {
      if (isStandbyError(error)) connection.drop(tookTooLong());
      if (isConnectionLost(error) || isStandbyError(error)) dropIdle();
      throw error;
    } finally {
      clearTimeout(timer);
      busy.delete(connection);
      if (isClosed) void connection.end();
      else if (connection.isIdle()) {
        lastDoneAt[purpose] = performance.now();
        idle.push({ connection, place, since: lastDoneAt[purpose] });
      } else connection.drop(tookTooLong());
    }
  };

  const serve = async <T>(
    place: Promise<void> | undefined,
    ...[purpose, since, task, isLong]: Parameters<typeof work<T>>
  ): Promise<T> => {
    await place;
    try {
      return await work(purpose, since, task, isLong);
    } finally {
      places.leave(purpose);
    }
  };

  /**
   * Rejects at the deadline, but lets the work continue on its connection: a slow connection may still be usable, and
   * opening a new connection takes longer.
   */
  const withDeadline = async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(timeoutFailure()), patienceMs);
    return Promise.race([work, promise]).finally(() => clearTimeout(timer));
  };

  return {
    async use(purpose, task, isLong = false) {
      if (isClosed) throw storageUnavailable('the database is closed');
      const place = places.enter(purpose);
      const served = serve(place, purpose, performance.now(), task, isLong);
      return purpose === 'lookup' && place !== undefined ? withDeadline(served) : served;
    },
    async close() {
      isClosed = true;
      clearInterval(sweep);
      places.clear(storageUnavailable('the database is closed'));
      for (const connection of busy) connection.drop(tookTooLong());
      await Promise.all(idle.splice(0).map(({ connection }) => connection.end()));
    },
  };
}

function timeoutFailure(): Failure {
  return storageUnavailable('the database did not respond in time', tookTooLong());
}
