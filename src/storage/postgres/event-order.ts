import type { Db } from '../db/db.ts';
import type { EventBounds, EventOrder } from '../events/read-events.ts';
import { newestEvent } from '../statements/events/read.ts';

const oldestRunningTransaction = `
  SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest_running`;
const nextTransaction = 'SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) AS transaction';
const clicksAfter = 'SELECT id AS number FROM click_batches WHERE id > ? ORDER BY id LIMIT 10000';
const changesAfter = 'SELECT seq AS number FROM events WHERE seq > ? ORDER BY seq LIMIT 10000';

/**
 * If a batch of clicks is missing for longer than this, in ms, readers are notified of a possible gap. No transaction
 * takes longer.
 */
const clickPatienceMs = 10_000;

/** A range of missing numbers. */
interface Gap {
  readonly upTo: number;
  /** Only transactions with an id below this one may still fill the gap. */
  readonly before: number;
  readonly since: number;
}

/** The state of the numbers in one table. Readers must get its rows in number order. */
interface Sequence {
  /**
   * The log is complete up to this number: no missing number below it can still appear. Undefined until that is known.
   */
  settled: number | undefined;
  /** Numbers up to this one may have been skipped. */
  lostUpTo: number;
  gap: Gap | undefined;
}

/**
 * Creates the event order for several writers, where number 11 may appear before 10, or 10 may never appear. Readers
 * get 11 only after 10 has appeared, or after all transactions that may have reserved 10 have ended. So all nodes
 * deliver events in the same order, and a position is a single number (see `change-follower.ts`).
 * @param clock monotonic clock, in ms
 */
export function createEventOrder(clock: () => number = () => performance.now()): EventOrder {
  const clicks: Sequence = { settled: undefined, lostUpTo: 0, gap: undefined };
  const changes: Sequence = { settled: undefined, lostUpTo: 0, gap: undefined };
  let secret = '';

  const oldestRunning = async (db: Db): Promise<number> =>
    (await db.get<{ oldest_running: number }>(oldestRunningTransaction, []))?.oldest_running ?? 0;
  // Changes are never skipped, even if a transaction takes a long time, because receivers rely on them.
  const advanceChanges = async (db: Db, newest: number, oldest: number): Promise<number | undefined> => {
    await advance(db, changes, {
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
      await advance(db, clicks, {
        sql: clicksAfter,
        newest: ends.newest_click,
        oldest,
        clock,
        patienceMs: clickPatienceMs,
      });
      const change = await advanceChanges(db, ends.newest_change, oldest);
      if (clicks.settled === undefined || change === undefined) return undefined;
      return {
        floor: { batch: Math.max(ends.clicks_after, clicks.lostUpTo), change: ends.changes_after },
        head: { batch: clicks.settled, change },
      };
    },
    findHead: async (db) => advanceChanges(db, await newestEvent(db), await oldestRunning(db)),
  };
}

interface Progress {
  readonly sql: string;
  readonly newest: number;
  readonly oldest: number;
  readonly clock: () => number;
  readonly patienceMs: number;
}

async function advance(
  db: Db,
  numbers: Sequence,
  { sql, newest, oldest, clock, patienceMs }: Progress,
): Promise<void> {
  const { gap } = numbers;
  // The newest number decreased, so the database was restored to an earlier state.
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
  const before = (await db.get<{ transaction: number }>(nextTransaction, []))?.transaction ?? 0;
  numbers.gap = { upTo: newest, before, since: clock() };
}
