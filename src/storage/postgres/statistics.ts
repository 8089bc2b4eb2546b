// The statistics thread of the PostgreSQL engine: executes statistics queries and moves clicks into columns, with its
// own connection. Keeps large results off the thread that serves visitors.
import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/lower-priority.ts';
import { serveJobs } from '../engine/job-queue.ts';
import { writeColumns } from '../statements/clicks/click-columns.ts';
import { createStatisticsJobs } from '../statistics/jobs.ts';
import { answerPatienceMs } from '../statistics/options.ts';
import { type Connection, connect } from './connections/connection.ts';
import { asFailure, faultOf } from './connections/errors.ts';
import { createPool } from './connections/pool.ts';
import type { Purpose } from './connections/slots.ts';
import { postgresAddressIn } from './connections/url.ts';
import { createEventOrder } from './event-order.ts';

const address = postgresAddressIn((workerData as { readonly url: string }).url);
lowerPriority();
const pool = createPool({
  connect: (_, withinMs) => connect(address, { statementMs: answerPatienceMs, withinMs }),
  most: 1,
  patienceMs: answerPatienceMs,
});
const limits = address.pooled ? `; SET LOCAL statement_timeout = ${answerPatienceMs}` : '';

async function inTransaction<T>(
  purpose: Purpose,
  mode: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await pool.use(purpose, async (connection) => {
      await connection.command(`BEGIN ISOLATION LEVEL ${mode}${limits}`);
      try {
        const value = await work(connection);
        await connection.command('COMMIT');
        return value;
      } catch (error) {
        await connection.command('ROLLBACK').catch(() => {}); // if the rollback fails, the pool discards the connection
        throw error;
      }
    });
  } catch (error) {
    throw asFailure(error);
  }
}

const { planFold, ...jobs } = createStatisticsJobs(
  (work) => inTransaction('read', 'REPEATABLE READ, READ ONLY', work),
  createEventOrder(),
);

/** The jobs of this thread. */
const threadJobs = {
  ...jobs,
  async foldClicks(...args: Parameters<typeof planFold>): Promise<boolean> {
    const fold = await planFold(...args);
    if (fold === undefined) return false;
    const isWritten = await inTransaction('write', 'READ COMMITTED', (db) => writeColumns(db, fold.change));
    // If another process has moved clicks since this step was planned, the step was not written and there is more to
    // do.
    return fold.hasMore || !isWritten;
  },
};
export type PostgresStatistics = typeof threadJobs;

serveJobs(threadJobs, faultOf, pool.close);
