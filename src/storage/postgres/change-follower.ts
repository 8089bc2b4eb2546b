import { createAlarm } from '../../runtime/alarm.ts';
import { hasFaults, isFaulty, lateMs } from '../../runtime/fault-points.ts';
import type { Report } from '../../runtime/report.ts';
import { retainedChanges } from '../db/change-log.ts';
import type { ChangeKind, Db } from '../db/db.ts';
import { createGaps } from './change-gaps.ts';

/** Polls the change log four times a second. All nodes write to this log. */
export interface ChangeFollower {
  /**
   * Maximum age of cached data in ms. This process knows of all changes that were committed longer ago. Infinity before
   * the first poll.
   */
  ageMs(): number;
  /**
   * True if the next poll is overdue because this process was stopped or busy, not because the database is
   * unresponsive.
   */
  isStalled(): boolean;
  /**
   * Polls now or joins a running poll, and waits at most `maxWaitMs` for the poll's result. The promise never rejects.
   */
  poll(): Promise<void>;
  close(): void;
}

export interface FollowerOptions {
  /** A separate connection, so that polls don't wait for other statements. */
  readonly db: Db;
  readonly onChange: (kind: ChangeKind, name: string) => void;
  /** Called when changes may have been missed, and all cached data may be stale. */
  readonly onUnknown: () => void;
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
}

const everyMs = 250;
/** Maximum time that a read waits for a poll, in ms. */
const maxWaitMs = 750;
/** If two polls are further apart than this, in ms, this process was stopped or busy. */
const stalledMs = 600;
/**
 * Maximum number of rows per poll. The log usually retains fewer rows, so this limit only protects against a huge
 * result.
 */
const maxChanges = 20_000;

// This is a single statement, so that it sees one snapshot: all changes made by transactions that have ended.
const pollUpTo = (most: number): string => `
  SELECT facts.oldest_running, facts.next_transaction, facts.timeline, facts.newest,
    found.seq, found.kind, found.name
  FROM (
    SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest_running,
      CASE WHEN CAST(? AS BIGINT) = 1 THEN CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) END AS next_transaction,
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
      (SELECT MAX(seq) FROM change_log) AS newest
  ) AS facts
  LEFT JOIN (
    (SELECT l.seq, l.kind, l.name FROM change_log l WHERE l.seq > ? ORDER BY l.seq LIMIT ${most})
    UNION ALL
    SELECT l.seq, l.kind, l.name
    FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BIGINT[])) AS gap (low, high)
    JOIN change_log l ON l.seq BETWEEN gap.low AND gap.high
  ) AS found ON TRUE
  ORDER BY found.seq`;
const pollLog = pollUpTo(maxChanges);
const pollOne = pollUpTo(1);

interface LogFacts {
  readonly oldest_running: number;
  readonly next_transaction: number | null;
  /**
   * The timeline changes when a standby is promoted. The standby may lack changes that were read from the old primary.
   */
  readonly timeline: string;
  readonly newest: number | null;
}

type Row = LogFacts & { readonly seq: number | null; readonly kind: ChangeKind; readonly name: string };

function arrayLiteral(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}

/** The state of a change log follower, with its position in the log. */
interface FollowerState extends Pick<FollowerOptions, 'onChange' | 'onUnknown'> {
  readonly gaps: ReturnType<typeof createGaps>;
  seen: number;
  timeline: string | undefined;
  /** This process knows of all changes that were committed before this time (a value of `performance.now()`). */
  validSince: number;
  isClosed: boolean;
}

/**
 * Creates a follower that reads the log in number order. It remembers a missing number until it appears, or until all
 * transactions that may have reserved it have ended (see `change-gaps.ts`). So it misses no change, even if a
 * transaction stays open for a long time. Clocks only determine when the follower polls.
 *
 * Polling starts with the first call of `poll`.
 */
export function createChangeFollower(options: FollowerOptions): ChangeFollower {
  const { db, onChange, onUnknown, onError, onInfo } = options;
  const state: FollowerState = {
    gaps: createGaps(),
    onChange,
    onUnknown,
    seen: 0,
    timeline: undefined,
    validSince: Number.NEGATIVE_INFINITY,
    isClosed: false,
  };
  let endedAt = Number.NEGATIVE_INFINITY;
  let runningSince: number | undefined;
  let isOverdue = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const alarm = createAlarm({
    fault: 'Could not read the change log. Cached links still redirect. Linkfold will retry.',
    over: 'Linkfold can read the change log again.',
    onError,
    onInfo,
  });

  const reportFault = (facts: Readonly<Record<string, unknown>>): void => {
    if (!state.isClosed) alarm.raise(facts);
  };

  const startPoll = (): Promise<void> => {
    clearTimeout(timer);
    const startedAt = performance.now();
    runningSince = startedAt;
    const { promise, resolve } = Promise.withResolvers<void>();
    running = promise;
    const late = setTimeout(() => {
      isOverdue = true;
      reportFault({ waitedMs: maxWaitMs });
      resolve();
    }, maxWaitMs);
    const end = (): void => {
      clearTimeout(late);
      isOverdue = false;
      running = undefined;
      runningSince = undefined;
      endedAt = performance.now();
      resolve();
      // Adds jitter, so that nodes don't poll at the same time.
      const lateness = hasFaults && isFaulty('lateTimer') ? lateMs : 0;
      const dueMs = everyMs * (0.8 + 0.4 * Math.random()) - (endedAt - startedAt) + lateness;
      if (state.isClosed) return;
      timer = setTimeout(startPoll, Math.max(10, dueMs));
      timer.unref();
    };
    readLog(state, db)
      .then(() => state.isClosed || alarm.clear())
      .catch((error: unknown) => reportFault({ error }))
      .finally(end);
    return promise;
  };

  return {
    ageMs: () => performance.now() - state.validSince,
    isStalled: () =>
      !state.isClosed && !isOverdue && (runningSince ?? performance.now()) - endedAt > stalledMs,
    poll: () => (state.isClosed ? Promise.resolve() : (running ?? startPoll())),
    close() {
      state.isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Applies the rows of a poll. @param most maximum number of new rows @returns true if all rows were read */
function applyRows(state: FollowerState, rows: readonly Row[], most: number): boolean {
  const { gaps, onChange, onUnknown } = state;
  const [facts] = rows;
  if (facts === undefined) throw new Error('A statement that must return one row returned none.');
  const { newest } = facts;
  const isOtherTimeline = state.timeline !== undefined && state.timeline !== facts.timeline;
  state.timeline = facts.timeline;
  // A log that ends before the last known number belongs to another database: a backup was restored.
  if (isOtherTimeline || (newest ?? 0) < state.seen) {
    state.seen = 0;
    gaps.clear();
    onUnknown();
    return false;
  }
  // The number is computed, not read from the oldest row: a long transaction may have committed the oldest row after
  // newer rows were trimmed.
  const firstRetained = (newest ?? 0) - retainedChanges + 1;
  // At startup or after a long interruption, some rows may have been trimmed before this process read them.
  if (state.seen + 1 < firstRetained) onUnknown();
  let newRows = 0;
  for (const { seq, kind, name } of rows) {
    if (seq === null) break;
    if (seq > state.seen) {
      if (seq > state.seen + 1) gaps.add(state.seen + 1, seq - 1);
      state.seen = seq;
      newRows += 1;
    } else gaps.fill(seq);
    onChange(kind, name);
  }
  const lowestExpired = gaps.dropExpired(facts.oldest_running);
  // A missing row may have appeared and been trimmed between two polls.
  if (lowestExpired !== undefined && lowestExpired < firstRetained) onUnknown();
  if (facts.next_transaction !== null) gaps.setBound(facts.next_transaction);
  return newRows < most;
}

async function readLog(state: FollowerState, db: Db): Promise<void> {
  const { gaps } = state;
  if (hasFaults && isFaulty('lostNotice')) return;
  for (let isAll = false; !isAll; ) {
    const startedAt = performance.now();
    const { lows, highs } = gaps.columns();
    const params = [Number(gaps.hasUnbounded()), state.seen, arrayLiteral(lows), arrayLiteral(highs)];
    const isSmall = hasFaults && isFaulty('smallChangePage');
    const rows = await db.all<Row>(isSmall ? pollOne : pollLog, params);
    if (state.isClosed) return;
    isAll = applyRows(state, rows, isSmall ? 1 : maxChanges);
    if (isAll) state.validSince = startedAt;
  }
}
