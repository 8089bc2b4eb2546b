import type { Db } from '../db/db.ts';
import { type Connection, connect } from './connection.ts';
import { asFailure } from './errors.ts';
import { createPool } from './pool.ts';
import type { PostgresAddress } from './url.ts';

/** A standby of the primary. */
export interface Replica {
  /** For the operator: its host and port. */
  readonly name: string;
  /**
   * Works on one connection; each statement sees everything that was replayed before it began.
   * @throws Failure as a pool does; what the work throws
   */
  use<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  /** Most connections. */
  readonly connections: number;
  /** After which a connection that says nothing is given up, ms. */
  readonly patienceMs: number;
}

// A pooler gives every transaction another server connection, and what is set for the database may be another level.
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY';

/** Sent in one go, like the work between. */
async function inTransaction<T>(connection: Connection, work: (db: Db) => Promise<T>): Promise<T> {
  const [, done] = await Promise.allSettled([
    connection.command(begin),
    work(connection),
    connection.command('COMMIT'),
  ]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Opens a replica, with no connection yet. */
export function openReplica(address: PostgresAddress, { connections, patienceMs }: ReplicaOptions): Replica {
  const pool = createPool({
    connect: (_place, withinMs) => connect(address, { statementMs: patienceMs, withinMs }),
    ...{ most: connections, patienceMs },
  });
  return {
    name: `${address.host}:${address.port}`,
    async use(work) {
      try {
        return await pool.use('lookup', (connection) =>
          address.pooled ? inTransaction(connection, work) : work(connection),
        );
      } catch (error) {
        throw asFailure(error);
      }
    },
    close: pool.close,
  };
}
