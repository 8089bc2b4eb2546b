import { setTimeout as pause } from 'node:timers/promises';
import type { IdempotentResult } from '../../model/idempotency.ts';
import { faultDelay, hasFaults, isFaulty } from '../../runtime/fault-points.ts';
import type { ChangeKind, OnChange } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { createWriteWatch, type WriteWatch, type WriteWatchOptions } from '../engine/write-watch.ts';
import { performWrite, type SendWrite, type WriteRequest } from '../statements/writes.ts';
import type { Connection } from './connections/connection.ts';
import {
  asFailure,
  commitLost,
  faultOf,
  isBrokenReference,
  isCommitLost,
  isConflict,
  isLostBeforeCommit,
  isRefusedCommit,
} from './connections/errors.ts';
import type { Pool } from './connections/pool.ts';

/**
 * Runs this process's writes, each in its own transaction. The number of connections limits how many run concurrently.
 */
export interface Writer {
  readonly send: SendWrite;
  /** Number of unacknowledged writes. */
  waiting(): number;
  /** Number of transactions that were retried because of a conflict. */
  retries(): number;
  stats(): ReturnType<WriteWatch['stats']>;
  /** Waits for pending writes. Later writes fail. */
  close(): Promise<void>;
}

/** Maximum number of retries after conflicts. */
const maxConflicts = 20;
/**
 * Maximum number of retries after a broken reference. A retry helps because it sees the current state of the referenced
 * row.
 */
const maxBrokenReferences = 3;
const maxPauseMs = 50;

/** Returns statements that set the timeouts of a transaction, for poolers that reject session settings. */
function timeoutStatements(statementMs: number): string {
  return `; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}`;
}

export interface WriterOptions extends WriteWatchOptions {
  readonly pool: Pool;
  /** Timeout to set in each transaction, in ms; undefined if the session already has a timeout. */
  readonly statementMs: number | undefined;
  /** Called with each committed change, before the write is acknowledged. */
  readonly onChange: OnChange;
}

/** Returns the error of a conflict that a test injects. */
function injectedConflict(): Error {
  return Object.assign(new Error('Injected conflict.'), { code: '40001' });
}

/** Runs work in a transaction. @param limits statements that set timeouts */
async function runTransaction<T>(
  connection: Connection,
  limits: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // Does not wait for the response to BEGIN, because the server executes statements in order anyway.
  const beginning = connection.command(`BEGIN ISOLATION LEVEL READ COMMITTED${limits}`);
  beginning.catch(() => {}); // the promise is awaited below
  let value: T;
  try {
    value = await work(connection);
    await beginning;
    if (hasFaults && isFaulty('conflict')) throw injectedConflict();
  } catch (error) {
    await connection.command('ROLLBACK').catch(() => {}); // if the rollback fails, the pool discards the connection
    throw error;
  }
  const tag = await connection.command('COMMIT').catch((error: unknown) => {
    throw isRefusedCommit(error) ? error : commitLost(error);
  });
  // PostgreSQL responds with ROLLBACK to a COMMIT after a failed statement.
  if (tag !== 'COMMIT') throw new Error(`Could not commit: PostgreSQL returned ${tag} to COMMIT.`);
  return value;
}

export function createWriter(options: WriterOptions): Writer {
  const { pool, statementMs, onChange } = options;
  const watch = createWriteWatch(options);
  const pending = new Set<Promise<unknown>>();
  const limits = statementMs === undefined ? '' : timeoutStatements(statementMs);
  let isClosing = false;
  let retries = 0;

  const perform = async (
    write: WriteRequest,
  ): Promise<{ result: IdempotentResult<unknown>; tookMs: number }> => {
    let conflicts = 0;
    let brokenReferences = 0;
    let losses = 0;
    // Collects the changes made by all attempts, because an attempt that got no response may still have been committed.
    const changes: { kind: ChangeKind; name: string | undefined }[] = [];
    const collectChange: OnChange = (kind, name) => void changes.push({ kind, name });
    for (;;) {
      try {
        const transaction = async (connection: Connection) => {
          const began = performance.now();
          const result = await runTransaction(connection, limits, (db) =>
            performWrite({ ...db, onChange: collectChange }, write),
          );
          return { result, tookMs: performance.now() - began };
        };
        // These writes may change a thousand rows in thousands of round trips. On a busy server, that can exceed the
        // timeout of a single write.
        const isLong = write.name === 'bulkLinks' || write.name === 'applyManifest';
        if (hasFaults && isFaulty('reorderedWrite')) await faultDelay();
        const done = await pool.use('write', transaction, isLong);
        for (const { kind, name } of changes) onChange(kind, name);
        if (hasFaults && isFaulty('slowReply')) await faultDelay();
        return done;
      } catch (error) {
        const mayRepeat =
          (isConflict(error) && ++conflicts <= maxConflicts) ||
          (isBrokenReference(error) && ++brokenReferences <= maxBrokenReferences) ||
          (mayRetryLoss(error, write) && ++losses <= 1);
        if (!mayRepeat) throw error;
        retries += 1;
        // Waits for a random time first, because an immediate retry would probably conflict again.
        if (conflicts > 0) await pause(Math.random() * Math.min(maxPauseMs, 2 ** conflicts));
      }
    }
  };

  const send = async (write: WriteRequest): Promise<IdempotentResult<unknown>> => {
    if (isClosing) throw storageUnavailable('the database is closed');
    watch.requireRoom(pending.size);
    const watched = watch.begin(write.name);
    try {
      const { result, tookMs } = await perform(write);
      const commit = { writes: 1, tookMs };
      watch.commit(commit);
      watch.end(watched, commit);
      return result;
    } catch (thrown) {
      const error = asFailure(thrown) as Error;
      const fault = faultOf(error);
      if (fault !== undefined) watch.fault(fault);
      watch.end(watched, { writes: 1, tookMs: performance.now() - watched.since }, error);
      throw error;
    }
  };

  return {
    send(write) {
      const sent = send(write);
      pending.add(sent);
      const done = (): void => void pending.delete(sent);
      sent.then(done, done);
      return sent;
    },
    waiting: () => pending.size,
    retries: () => retries,
    stats: () => watch.stats(pending.size),
    async close() {
      isClosing = true;
      await Promise.allSettled(pending);
    },
  };
}

/**
 * Returns true if a write may be retried after its connection was lost, for example because the server restarted. A
 * commit with unknown outcome is only retried with an idempotency key, which reveals whether it was executed.
 */
function mayRetryLoss(error: unknown, { once }: WriteRequest): boolean {
  return isLostBeforeCommit(error) || (isCommitLost(error) && once !== undefined);
}
