import type { Failure } from '../../../model/failures.ts';
import { storageUnavailable } from '../../db/failure.ts';
import type { Connection } from './connection.ts';
import { asConnectFailure, isConnectionLost, isOfStandby, tookTooLong } from './errors.ts';
import { createPlaces, type Purpose } from './places.ts';

/** A few connections for many requests. */
export interface Pool {
  /**
   * Does work with a connection of its own. A connection on which a transaction or an answer is left is not used again.
   * @param isLong whether the work is so many statements that each has the time of a whole
   * @throws what the work throws; Failure STORAGE_UNAVAILABLE when there is none, or the work takes too long;
   * OVERLOADED when too many wait for one
   */
  use<T>(purpose: Purpose, work: (connection: Connection) => Promise<T>, isLong?: boolean): Promise<T>;
  /** Closes every connection, those in use too, and gives out no more. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly connect: (place: number, withinMs: number) => Promise<Connection>;
  /** Maximum number of connections. */
  readonly most: number;
  /**
   * How long work may take, ms, the making of a connection and the wait for one included. As long as others get done, the
   * wait does not count; but that of a look-up always does. Long work may take so long for each of its statements.
   */
  readonly patienceMs: number;
}

/** So long unused, a connection is closed. */
const idleMs = 60_000;

/**
 * Connections are made when they are wanted. When one is lost, does not answer or leads to a standby, those that lie
 * unused are given up too: they met the same fault, and each would cost a request a wait.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a connection is idle, busy or given up: whoever moves it between these needs all three
export function createPool({ connect, most, patienceMs }: PoolOptions): Pool {
  const idle: { readonly connection: Connection; readonly place: number; readonly since: number }[] = [];
  const busy = new Set<Connection>();
  const freePlaces = Array.from({ length: most }, (_, place) => most - 1 - place);
  const places = createPlaces(most);
  const movedAt: Record<Purpose, number> = { lookup: 0, read: 0, write: 0 };
  let isClosed = false;

  const discardIdle = (): void => {
    for (const { connection } of idle.splice(0)) connection.drop(tookTooLong());
  };

  const open = async (withinMs: number): Promise<{ connection: Connection; place: number }> => {
    const place = freePlaces.pop() ?? 0;
    const connection = await connect(place, withinMs).catch((error: unknown) => {
      freePlaces.push(place);
      discardIdle();
      throw asConnectFailure(error);
    });
    connection.onEnd(() => {
      freePlaces.push(place);
      const at = idle.findIndex((one) => one.connection === connection);
      if (at >= 0) idle.splice(at, 1);
    });
    return { connection, place };
  };

  /** How long the first request of a kind has waited while no work of its kind was done. */
  const ageOf = (since: number, purpose: Purpose): number =>
    performance.now() - Math.max(since, movedAt[purpose]);

  const sweep = setInterval(() => {
    while (idle[0] !== undefined && performance.now() - idle[0].since > idleMs)
      void idle.shift()?.connection.end();
  }, idleMs / 2);
  sweep.unref();

  const work = async <T>(
    purpose: Purpose,
    since: number,
    doing: (connection: Connection) => Promise<T>,
    isLong: boolean,
  ): Promise<T> => {
    // When no work is done, the work under way ends at its deadline, and then so does all that waited behind it.
    const left = patienceMs - ageOf(since, purpose);
    const isGivenUp = purpose === 'lookup' && performance.now() - since >= patienceMs;
    if (left <= 0 || isGivenUp) throw tooLate();
    const end = performance.now() + left;
    const { connection, place } = idle.pop() ?? (await open(left));
    busy.add(connection);
    const giveUp = (): void => {
      const more = isLong ? patienceMs - (performance.now() - connection.answeredAt()) : 0;
      if (more > 0) {
        timer = setTimeout(giveUp, more);
        return;
      }
      discardIdle();
      connection.drop(tookTooLong());
    };
    let timer = setTimeout(giveUp, end - performance.now());
    try {
      return await doing(connection);
    } catch (error) {
      if (isOfStandby(error)) connection.drop(tookTooLong());
      if (isConnectionLost(error) || isOfStandby(error)) discardIdle();
      throw error;
    } finally {
      clearTimeout(timer);
      busy.delete(connection);
      if (isClosed) void connection.end();
      else if (connection.isIdle()) {
        movedAt[purpose] = performance.now();
        idle.push({ connection, place, since: movedAt[purpose] });
      } else connection.drop(tookTooLong());
    }
  };

  const serve = async <T>(
    place: Promise<void> | undefined,
    ...[purpose, since, doing, isLong]: Parameters<typeof work<T>>
  ): Promise<T> => {
    await place;
    try {
      return await work(purpose, since, doing, isLong);
    } finally {
      places.leave(purpose);
    }
  };

  /** Answers at the deadline, and leaves the connection to its work: slow is not broken, and a new connection takes longer. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooLate()), patienceMs);
    return Promise.race([work, promise]).finally(() => clearTimeout(timer));
  };

  return {
    async use(purpose, doing, isLong = false) {
      if (isClosed) throw storageUnavailable('it is closed');
      const place = places.enter(purpose);
      const served = serve(place, purpose, performance.now(), doing, isLong);
      return purpose === 'lookup' && place !== undefined ? inTime(served) : served;
    },
    async close() {
      isClosed = true;
      clearInterval(sweep);
      places.clear(storageUnavailable('it is closed'));
      for (const connection of busy) connection.drop(tookTooLong());
      await Promise.all(idle.splice(0).map(({ connection }) => connection.end()));
    },
  };
}

function tooLate(): Failure {
  return storageUnavailable('the database did not answer in time', tookTooLong());
}
