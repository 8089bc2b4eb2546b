import { createFaults, type StorageFault } from '../domain/storage-stats.ts';
import type { Db, Value } from './db.ts';
import { reasonOf } from './failure.ts';
import type { Connection } from './postgres-connection.ts';
import { asFailure, faultOf, isLostBeforeCommit } from './postgres-errors.ts';
import type { Pool, Purpose } from './postgres-pool.ts';

/** Says something to the operator: one sentence, and facts for the log. */
type Tell = (sentence: string, facts?: Readonly<Record<string, unknown>>) => void;

export interface ReaderOptions {
  readonly journal?: string | undefined;
  readonly onAlarm?: Tell | undefined;
  readonly onNotice?: Tell | undefined;
}

/** Statements that are transactions by themselves, each on whatever connection is free. */
export interface Reader {
  readonly db: Db;
  readonly faults: Readonly<Record<StorageFault, number>>;
}

/** Of a database that is away it is told once in a while, not at every read. */
const tellEveryMs = 10_000;

export const createReader = (
  pool: Pool,
  purpose: Purpose,
  { journal = '', onAlarm, onNotice }: ReaderOptions,
): Reader => {
  const faults = createFaults();
  let toldAt: number | undefined;

  const tell = (error: unknown): void => {
    const fault = faultOf(error);
    if (fault === undefined) return;
    faults[fault] += 1;
    if (toldAt !== undefined && performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    onAlarm?.('Storage cannot be read.', { reason: reasonOf(error as Error) });
  };

  const use = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      // A connection that was gone before it was used is no reason to refuse, and a read may be repeated.
      const answer = await pool.use(purpose, work).catch((error: unknown) => {
        if (!isLostBeforeCommit(error)) throw error;
        return pool.use(purpose, work);
      });
      if (toldAt !== undefined) onNotice?.('Storage can be read again.');
      toldAt = undefined;
      return answer;
    } catch (error) {
      const failure = asFailure(error);
      tell(failure);
      throw failure;
    }
  };

  const not = (): never => {
    throw new Error('Outside of a transaction nothing is changed.');
  };
  const db: Db = {
    journal,
    all: <R>(sql: string, params: readonly Value[]) => use((one) => one.all<R>(sql, params)),
    get: <R>(sql: string, params: readonly Value[]) => use((one) => one.get<R>(sql, params)),
    ...{ run: not, insert: not, change: not, hold: not, counterSlot: () => 0 },
  };
  return { db, faults };
};
