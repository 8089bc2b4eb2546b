import { createAlarm } from '../../runtime/alarm.ts';
import type { Report } from '../../runtime/report.ts';
import type { ChangeKind, Db } from '../db/db.ts';
import { keptChanges } from '../statements/change-log.ts';
import { createGaps } from './change-gaps.ts';

/** Reads what any machine notes in the change log of a PostgreSQL server, four times a second. */
export interface ChangeFollower {
  /** How old what memory holds may be, ms: whatever was committed before then has been told. Infinite at first. */
  ageMs(): number;
  /** Whether a look is overdue because this process was stopped or busy, and not because the database is silent. */
  isStalled(): boolean;
  /** Looks now, unless a look is under way, and waits for it, but not for a database that is silent. Never rejects. */
  look(): Promise<void>;
  close(): void;
}

export interface FollowerOptions {
  /** Statements of its own on the primary, which wait for nobody else's. */
  readonly db: Db;
  readonly onChange: (kind: ChangeKind, name: string) => void;
  /** What changed is not known: everything that is kept may be out of date. */
  readonly onUnknown: () => void;
  readonly onError?: Report | undefined;
  readonly onInfo?: Report | undefined;
}

const everyMs = 250;
/** So long a look is worth waiting for. */
const lateMs = 750;
/** Between two looks this process was never asleep for so long of its own will. */
const heldUpMs = 600;
/** More than the log keeps: a bound for an answer, not for what is followed. */
const maxChanges = 20_000;

// One statement, so one snapshot: of a transaction that is over in it, the rows are in it too.
const lookAtLog = `
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
  /** Another one after a standby was promoted: it may lack what the old primary had told. */
  readonly timeline: string;
  readonly newest: number | null;
}

type Row = Facts & { readonly seq: number | null; readonly kind: ChangeKind; readonly name: string };

function arrayOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}

/**
 * Follows the log by its numbers, and remembers those that are missing until they appear, or every transaction that
 * may have drawn one is over (see `change-gaps.ts`). So nothing is missed, however long a transaction is held open,
 * and nothing depends on a clock but how often to look.
 *
 * It begins with the first `look`.
 */
export function createChangeFollower(options: FollowerOptions): ChangeFollower {
  const { db, onChange, onUnknown, onError, onInfo } = options;
  const gaps = createGaps();
  let seen = 0;
  let timeline: string | undefined;
  let trueAt = Number.NEGATIVE_INFINITY;
  let endedAt = Number.NEGATIVE_INFINITY;
  let beganAt: number | undefined;
  let isLate = false;
  let awaited: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const alarm = createAlarm({
    fault: 'The log of changes cannot be read in time; links in memory lead on.',
    over: 'The log of changes can be read again.',
    onError,
    onInfo,
  });

  const tellFault = (facts: Readonly<Record<string, unknown>>): void => {
    if (!isClosed) alarm.raise(facts);
  };

  /** @returns whether that was all there is */
  const takeIn = (rows: readonly Row[]): boolean => {
    const [facts] = rows;
    if (facts === undefined) throw new Error('A statement that always answers a row answered none.');
    const { newest } = facts;
    const isOther = timeline !== undefined && timeline !== facts.timeline;
    timeline = facts.timeline;
    // A log that ends before what was read from it is another one, too: a backup was put in its place.
    if (isOther || (newest ?? 0) < seen) {
      seen = 0;
      gaps.clear();
      onUnknown();
      return false;
    }
    // Not the first row: a transaction that was open for long may have brought it after others were trimmed.
    const firstKept = (newest ?? 0) - keptChanges + 1;
    // Trimmed before it was read, at a start or after a long absence.
    if (seen + 1 < firstKept) onUnknown();
    let fresh = 0;
    for (const { seq, kind, name } of rows) {
      if (seq === null) break;
      if (seq > seen) {
        if (seq > seen + 1) gaps.note(seen + 1, seq - 1);
        seen = seq;
        fresh += 1;
      } else gaps.fill(seq);
      onChange(kind, name);
    }
    const givenUp = gaps.settle(facts.oldest_running);
    // It may have come and have been trimmed between two looks.
    if (givenUp !== undefined && givenUp < firstKept) onUnknown();
    if (facts.next_transaction !== null) gaps.bound(facts.next_transaction);
    return fresh < maxChanges;
  };

  const readLog = async (): Promise<void> => {
    for (let isAll = false; !isAll; ) {
      const began = performance.now();
      const { lows, highs } = gaps.columns();
      const params = [Number(gaps.areUnbound()), seen, arrayOf(lows), arrayOf(highs)];
      const rows = await db.all<Row>(lookAtLog, params);
      if (isClosed) return;
      isAll = takeIn(rows);
      if (isAll) trueAt = began;
    }
    alarm.clear();
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
      if (isClosed) return;
      timer = setTimeout(begin, Math.max(10, dueMs));
      timer.unref();
    };
    readLog()
      .catch((error: unknown) => tellFault({ error }))
      .finally(end);
    return promise;
  };

  return {
    ageMs: () => performance.now() - trueAt,
    isStalled: () => !isClosed && !isLate && (beganAt ?? performance.now()) - endedAt > heldUpMs,
    look: () => (isClosed ? Promise.resolve() : (awaited ?? begin())),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
