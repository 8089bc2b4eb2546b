import type { Db } from '../db/db.ts';
import type { EventBounds, FindBounds } from '../events/read-events.ts';

const now = `
  SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest_running`;
const next = 'SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) AS transaction';
const clicksAfter = 'SELECT id AS number FROM click_batches WHERE id > ? ORDER BY id LIMIT 10000';
const changesAfter = 'SELECT seq AS number FROM link_events WHERE seq > ? ORDER BY seq LIMIT 10000';

/** How long numbers may be missing before readers are told that there may be a gap, ms: no transaction of ours takes longer. */
const patienceMs = 10_000;

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
 * transaction is over that may have drawn it, so that all nodes tell events in one order and a position is one number
 * (the rule of `change-follower.ts`).
 * @param clock monotonic, ms
 */
export function createFindBounds(clock: () => number = () => performance.now()): FindBounds {
  const clicks: Numbers = { settled: undefined, lostUpTo: 0, gap: undefined };
  const changes: Numbers = { settled: undefined, lostUpTo: 0, gap: undefined };
  let secret = '';

  return async (db, ends): Promise<EventBounds | undefined> => {
    if (secret !== ends.secret.toHex()) {
      secret = ends.secret.toHex();
      for (const numbers of [clicks, changes])
        Object.assign(numbers, { settled: undefined, lostUpTo: 0, gap: undefined });
    }
    const running = await db.get<{ oldest_running: number }>(now, []);
    const oldest = running?.oldest_running ?? 0;
    await settle(db, clicks, { sql: clicksAfter, newest: ends.newest_click, oldest, clock });
    await settle(db, changes, { sql: changesAfter, newest: ends.newest_change, oldest, clock });
    if (clicks.settled === undefined || changes.settled === undefined) return undefined;
    return {
      floor: {
        batch: Math.max(ends.clicks_after, clicks.lostUpTo),
        change: Math.max(ends.changes_after, changes.lostUpTo),
      },
      head: { batch: clicks.settled, change: changes.settled },
    };
  };
}

interface Seen {
  readonly sql: string;
  readonly newest: number;
  readonly oldest: number;
  readonly clock: () => number;
}

async function settle(db: Db, numbers: Numbers, { sql, newest, oldest, clock }: Seen): Promise<void> {
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
