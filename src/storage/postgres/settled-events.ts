import type { Db } from '../db/db.ts';
import type { EventBounds, EventOrder } from '../events/read-events.ts';
import { newestEvent } from '../statements/events/read.ts';

const now = `
  SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest_running`;
const next = 'SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) AS transaction';
const clicksAfter = 'SELECT id AS number FROM click_batches WHERE id > ? ORDER BY id LIMIT 10000';
const changesAfter = 'SELECT seq AS number FROM events WHERE seq > ? ORDER BY seq LIMIT 10000';

/** How long batches of clicks may be missing before readers are told that there may be a gap, ms: no transaction of ours takes longer. */
const clickPatienceMs = 10_000;

/** Numbers that were missing below `upTo`. */
interface Gap {
  readonly upTo: number;
  /** Every transaction that may yet bring one has a lower number. */
  readonly before: number;
  readonly since: number;
}

/** The numbers of one table, in the order in which readers get them. */
interface Numbers {
  /** Below and with it nothing appears any more; undefined until that is so for the first time. */
  settled: number | undefined;
  /** Up to it something may have been passed over. */
  lostUpTo: number;
  gap: Gap | undefined;
}

/**
 * Where many write at a time, 11 may be there before 10, or 10 never come. Readers get 11 only when 10 is there, or when every
 * transaction has ended that may have drawn it, so that all nodes tell events in one order and a position is one number (the rule
 * of `change-follower.ts`).
 * @param clock monotonic, ms
 */
export function createEventOrder(clock: () => number = () => performance.now()): EventOrder {
  const clicks: Numbers = { settled: undefined, lostUpTo: 0, gap: undefined };
  const changes: Numbers = { settled: undefined, lostUpTo: 0, gap: undefined };
  let secret = '';

  const oldestRunning = async (db: Db): Promise<number> =>
    (await db.get<{ oldest_running: number }>(now, []))?.oldest_running ?? 0;
  // What happened to records is never passed over, however long a transaction takes: receivers rely on it.
  const settleChanges = async (db: Db, newest: number, oldest: number): Promise<number | undefined> => {
    await settle(db, changes, {
      sql: changesAfter,
      newest,
      oldest,
      clock,
      patienceMs: Number.POSITIVE_INFINITY,
    });
    return changes.settled;
  };

  return {
    async findBounds(db, ends): Promise<EventBounds | undefined> {
      if (secret !== ends.secret.toHex()) {
        secret = ends.secret.toHex();
        Object.assign(clicks, { settled: undefined, lostUpTo: 0, gap: undefined });
      }
      const oldest = await oldestRunning(db);
      await settle(db, clicks, {
        sql: clicksAfter,
        newest: ends.newest_click,
        oldest,
        clock,
        patienceMs: clickPatienceMs,
      });
      const change = await settleChanges(db, ends.newest_change, oldest);
      if (clicks.settled === undefined || change === undefined) return undefined;
      return {
        floor: { batch: Math.max(ends.clicks_after, clicks.lostUpTo), change: ends.changes_after },
        head: { batch: clicks.settled, change },
      };
    },
    findHead: async (db) => settleChanges(db, await newestEvent(db), await oldestRunning(db)),
  };
}

interface Seen {
  readonly sql: string;
  readonly newest: number;
  readonly oldest: number;
  readonly clock: () => number;
  readonly patienceMs: number;
}

async function settle(
  db: Db,
  numbers: Numbers,
  { sql, newest, oldest, clock, patienceMs }: Seen,
): Promise<void> {
  const { gap } = numbers;
  // A database in an earlier state was put in its place.
  if (numbers.settled !== undefined && newest < numbers.settled) numbers.settled = undefined;
  if (gap !== undefined && oldest >= gap.before) {
    numbers.settled = Math.max(gap.upTo, numbers.settled ?? 0);
    numbers.gap = undefined;
  } else if (gap !== undefined && clock() - gap.since > patienceMs) {
    numbers.settled = numbers.lostUpTo = Math.max(gap.upTo, numbers.settled ?? 0);
    numbers.gap = undefined;
  }
  if (numbers.settled !== undefined) {
    for (const { number } of await db.all<{ number: number }>(sql, [numbers.settled])) {
      if (number !== numbers.settled + 1) break;
      numbers.settled = number;
    }
  }
  if (numbers.gap !== undefined && numbers.gap.upTo <= (numbers.settled ?? -1)) numbers.gap = undefined;
  if (numbers.gap !== undefined || numbers.settled === newest) return;
  const before = (await db.get<{ transaction: number }>(next, []))?.transaction ?? 0;
  numbers.gap = { upTo: newest, before, since: clock() };
}
