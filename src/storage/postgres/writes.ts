import { setTimeout as pause } from 'node:timers/promises';
import type { IdempotentResult } from '../../model/idempotency.ts';
import type { ChangeKind, OnChange } from '../db/db.ts';
import { storageUnavailable } from '../db/failure.ts';
import { createWriteWatch, type WriteWatch, type WriteWatchOptions } from '../engine/write-watch.ts';
import { performWrite, type SendWrite, type Write } from '../statements/writes.ts';
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

/** The writes of this process: each a transaction of its own, as many at a time as there are connections. */
export interface Writer {
  readonly send: SendWrite;
  /** How many were sent and are not answered. */
  waiting(): number;
  /** How often a transaction was run again because it conflicted with another one. */
  retries(): number;
  stats(): ReturnType<WriteWatch['stats']>;
  /** Waits for what was sent, and takes no more. */
  close(): Promise<void>;
}

/** How often a transaction is run again that conflicts with others. */
const maxConflicts = 20;
/** Same as above, for a row that it refers to: the second try finds what became of that row. */
const maxBrokenReferences = 3;
const longestPauseMs = 50;

/** What BEGIN is followed by where the session's own limits cannot be set. */
function limitsOf(statementMs: number): string {
  return `; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}`;
}

export interface WriterOptions extends WriteWatchOptions {
  readonly pool: Pool;
  /** Limits to set in each transaction, ms; undefined where the session has them. */
  readonly statementMs: number | undefined;
  /** Called with each change when it is committed, before it is acknowledged. */
  readonly onChange: OnChange;
}

/** Runs work in a transaction. @param limits to set in it, as statements */
async function transact<T>(
  connection: Connection,
  limits: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // Its answer is not waited for: the server runs what follows on the wire after it.
  const begun = connection.command(`BEGIN ISOLATION LEVEL READ COMMITTED${limits}`);
  begun.catch(() => {}); // told below
  let value: T;
  try {
    value = await work(connection);
    await begun;
  } catch (error) {
    await connection.command('ROLLBACK').catch(() => {}); // a connection that is left so is not used again
    throw error;
  }
  const said = await connection.command('COMMIT').catch((error: unknown) => {
    throw isRefusedCommit(error) ? error : commitLost(error);
  });
  // What PostgreSQL answers to a COMMIT after a statement that failed.
  if (said !== 'COMMIT') throw new Error(`PostgreSQL answered a COMMIT with ${said}.`);
  return value;
}

export function createWriter(options: WriterOptions): Writer {
  const { pool, statementMs, onChange } = options;
  const watch = createWriteWatch(options);
  const underWay = new Set<Promise<unknown>>();
  const limits = statementMs === undefined ? '' : limitsOf(statementMs);
  let isClosing = false;
  let retries = 0;

  const perform = async (write: Write): Promise<{ result: IdempotentResult<unknown>; tookMs: number }> => {
    let conflicts = 0;
    let brokenReferences = 0;
    let losses = 0;
    // Of every attempt: one whose commit was not answered may be the one that was run.
    const changes: { kind: ChangeKind; name: string | undefined }[] = [];
    const noteOwn: OnChange = (kind, name) => void changes.push({ kind, name });
    for (;;) {
      try {
        const transaction = async (connection: Connection) => {
          const began = performance.now();
          const result = await transact(connection, limits, (db) =>
            performWrite({ ...db, onChange: noteOwn }, write),
          );
          return { result, tookMs: performance.now() - began };
        };
        // A thousand rows are thousands of round trips, on a busy machine more than the patience with one write.
        const isLong = write.name === 'bulkLinks' || write.name === 'applyManifest';
        const done = await pool.use('write', transaction, isLong);
        for (const { kind, name } of changes) onChange(kind, name);
        return done;
      } catch (error) {
        const mayRepeat =
          (isConflict(error) && ++conflicts <= maxConflicts) ||
          (isBrokenReference(error) && ++brokenReferences <= maxBrokenReferences) ||
          (isWorthRepeating(error, write) && ++losses <= 1);
        if (!mayRepeat) throw error;
        retries += 1;
        // At the same time they would conflict again.
        if (conflicts > 0) await pause(Math.random() * Math.min(longestPauseMs, 2 ** conflicts));
      }
    }
  };

  const send = async (write: Write): Promise<IdempotentResult<unknown>> => {
    if (isClosing) throw storageUnavailable('it is closed');
    watch.requireRoom(underWay.size);
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
      underWay.add(sent);
      const done = (): void => void underWay.delete(sent);
      sent.then(done, done);
      return sent;
    },
    waiting: () => underWay.size,
    retries: () => retries,
    stats: () => watch.stats(underWay.size),
    async close() {
      isClosing = true;
      await Promise.allSettled(underWay);
    },
  };
}

/**
 * A connection may be gone when it is used, above all because the server was started again meanwhile. A commit whose outcome is
 * not known is not repeated blindly: only where a repetition finds out that it was run.
 */
function isWorthRepeating(error: unknown, { once }: Write): boolean {
  return isLostBeforeCommit(error) || (isCommitLost(error) && once !== undefined);
}
