import { createAlarm } from '../../runtime/alarm.ts';
import type { Report } from '../../runtime/report.ts';
import { keptChanges } from '../db/change-log.ts';
import type { ChangeKind, Db } from '../db/db.ts';
import { createGaps } from './change-gaps.ts';

/** Reads what any machine notes in the change log of a PostgreSQL server, four times a second. */
export interface ChangeFollower {
  /** How old memory may be, ms: every change that was committed before then is known. Infinite at first. */
  ageMs(): number;
  /** Whether the next poll is overdue because this process was stopped or busy, and not because the database is silent. */
  isStalled(): boolean;
  /** Polls now, unless a poll is under way, and waits for it, but not for a database that is silent. Never rejects. */
  poll(): Promise<void>;
  close(): void;
}

export interface FollowerOptions {
  /** A connection of its own, so that a poll waits for no other statement. */
  readonly db: Db;
  readonly onChange: (kind: ChangeKind, name: string) => void;
  /** Changes may have been missed: everything that is kept may be out of date. */
  readonly onUnknown: () => void;
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
}

const everyMs = 250;
/** A read waits so long for a poll. */
const lateMs = 750;
/** A longer pause between two polls means that this process was stopped or busy. */
const heldUpMs = 600;
/** Rows of one poll, more than the log keeps: it bounds an answer, not what is followed. */
const maxChanges = 20_000;

// One statement, so one snapshot: it holds the rows of every transaction that has ended in it.
const pollLog = `
  SELECT facts.oldest_running, facts.next_transaction, facts.timeline, facts.newest,
    found.seq, found.kind, found.name
  FROM (
    SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest_running,
      CASE WHEN CAST(? AS BIGINT) = 1 THEN CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) END AS next_transaction,
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
      (SELECT MAX(seq) FROM change_log) AS newest
  ) AS facts
  LEFT JOIN (
    (SELECT l.seq, l.kind, l.name FROM change_log l WHERE l.seq > ? ORDER BY l.seq LIMIT ${maxChanges})
    UNION ALL
    SELECT l.seq, l.kind, l.name
    FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BIGINT[])) AS gap (low, high)
    JOIN change_log l ON l.seq BETWEEN gap.low AND gap.high
  ) AS found ON TRUE
  ORDER BY found.seq`;

interface Facts {
  readonly oldest_running: number;
  readonly next_transaction: number | null;
  /** Changes when a standby is promoted, which may lack changes that the old primary had shown. */
  readonly timeline: string;
  readonly newest: number | null;
}

type Row = Facts & { readonly seq: number | null; readonly kind: ChangeKind; readonly name: string };

function arrayOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}

/** How far the log is known. */
interface Following extends Pick<FollowerOptions, 'onChange' | 'onUnknown'> {
  readonly gaps: ReturnType<typeof createGaps>;
  seen: number;
  timeline: string | undefined;
  /** Every change that was committed before is known; on the clock of `performance`. */
  trueAt: number;
  isClosed: boolean;
}

/**
 * Follows the log by its numbers, and remembers missing numbers until they appear, or until every transaction that may have drawn
 * one has ended (see `change-gaps.ts`). So it misses nothing, however long a transaction is held open, and no clock matters but
 * the one that says when to poll.
 *
 * It begins with the first `poll`.
 */
export function createChangeFollower(options: FollowerOptions): ChangeFollower {
  const { db, onChange, onUnknown, onError, onInfo } = options;
  const following: Following = {
    gaps: createGaps(),
    onChange,
    onUnknown,
    seen: 0,
    timeline: undefined,
    trueAt: Number.NEGATIVE_INFINITY,
    isClosed: false,
  };
  let endedAt = Number.NEGATIVE_INFINITY;
  let beganAt: number | undefined;
  let isLate = false;
  let awaited: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const alarm = createAlarm({
    fault: 'The log of changes cannot be read in time; links in memory lead on.',
    over: 'The log of changes can be read again.',
    onError,
    onInfo,
  });

  const tellFault = (facts: Readonly<Record<string, unknown>>): void => {
    if (!following.isClosed) alarm.raise(facts);
  };

  const begin = (): Promise<void> => {
    clearTimeout(timer);
    const began = performance.now();
    beganAt = began;
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited = promise;
    const late = setTimeout(() => {
      isLate = true;
      tellFault({ waitedMs: lateMs });
      resolve();
    }, lateMs);
    const end = (): void => {
      clearTimeout(late);
      isLate = false;
      awaited = undefined;
      beganAt = undefined;
      endedAt = performance.now();
      resolve();
      // With jitter, so that many machines do not ask together.
      const dueMs = everyMs * (0.8 + 0.4 * Math.random()) - (endedAt - began);
      if (following.isClosed) return;
      timer = setTimeout(begin, Math.max(10, dueMs));
      timer.unref();
    };
    readLog(following, db)
      .then(() => following.isClosed || alarm.clear())
      .catch((error: unknown) => tellFault({ error }))
      .finally(end);
    return promise;
  };

  return {
    ageMs: () => performance.now() - following.trueAt,
    isStalled: () => !following.isClosed && !isLate && (beganAt ?? performance.now()) - endedAt > heldUpMs,
    poll: () => (following.isClosed ? Promise.resolve() : (awaited ?? begin())),
    close() {
      following.isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** @returns whether that was all there is */
function applyRows(following: Following, rows: readonly Row[]): boolean {
  const { gaps, onChange, onUnknown } = following;
  const [facts] = rows;
  if (facts === undefined) throw new Error('A statement that always answers a row answered none.');
  const { newest } = facts;
  const isOther = following.timeline !== undefined && following.timeline !== facts.timeline;
  following.timeline = facts.timeline;
  // A log that ends before what was read of it is another one: a backup was put in its place.
  if (isOther || (newest ?? 0) < following.seen) {
    following.seen = 0;
    gaps.clear();
    onUnknown();
    return false;
  }
  // Not the number of the first row: a transaction that was open for long may have brought that row after others were trimmed.
  const firstKept = (newest ?? 0) - keptChanges + 1;
  // Trimmed before it was read, at a start or after a long absence.
  if (following.seen + 1 < firstKept) onUnknown();
  let fresh = 0;
  for (const { seq, kind, name } of rows) {
    if (seq === null) break;
    if (seq > following.seen) {
      if (seq > following.seen + 1) gaps.note(following.seen + 1, seq - 1);
      following.seen = seq;
      fresh += 1;
    } else gaps.fill(seq);
    onChange(kind, name);
  }
  const givenUp = gaps.settle(facts.oldest_running);
  // The row may have come and have been trimmed between two polls.
  if (givenUp !== undefined && givenUp < firstKept) onUnknown();
  if (facts.next_transaction !== null) gaps.bound(facts.next_transaction);
  return fresh < maxChanges;
}

async function readLog(following: Following, db: Db): Promise<void> {
  const { gaps } = following;
  for (let isAll = false; !isAll; ) {
    const began = performance.now();
    const { lows, highs } = gaps.columns();
    const params = [Number(gaps.areUnbound()), following.seen, arrayOf(lows), arrayOf(highs)];
    const rows = await db.all<Row>(pollLog, params);
    if (following.isClosed) return;
    isAll = applyRows(following, rows);
    if (isAll) following.trueAt = began;
  }
}
