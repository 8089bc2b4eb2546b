import { eventWindowMs } from '../../../model/clicks/events.ts';
import type { Db } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';

/**
 * Added to the layout number of a retained batch, so that only the event stream reads it.
 *
 * While clients read the event stream, `event_window` has one row, and batches are retained in `click_batches` for some
 * time after their clicks were moved into columns. Events for changes to links don't need to be retained this way,
 * because they stay in `events`.
 *
 * The newest batch is never deleted, because SQLite would otherwise reuse its number.
 */
const retainedOffset = 100;

/** SQL condition on `click_batches` for batches whose clicks have not been moved into columns yet. */
export const isWaiting = `layout < ${retainedOffset}`;
/**
 * SQL condition on `click_batches` for batches whose clicks were moved into columns, and that are only retained for
 * readers of the event stream.
 */
const isRetained = `layout >= ${retainedOffset}`;

/** Returns the layout of a batch's bytes, from the stored layout number. */
export function layoutOf(stored: number): number {
  return stored >= retainedOffset ? stored - retainedOffset : stored;
}

/**
 * Statements that delete batches whose clicks were moved into columns, or retain those batches for readers. Each
 * statement has a variant for a single batch, and one for all batches in the table `input`.
 */
export const releaseBatches = {
  delete: {
    one: 'DELETE FROM click_batches WHERE id = ?',
    bulk: 'DELETE FROM click_batches b USING input g WHERE b.id = g.id',
  },
  retain: {
    one: `UPDATE click_batches SET layout = layout + ${retainedOffset} WHERE id = ? AND ${isWaiting}`,
    bulk: `UPDATE click_batches SET layout = layout + ${retainedOffset} FROM input g WHERE click_batches.id = g.id AND ${isWaiting}`,
  },
} as const;

const selectWindow = 'SELECT id FROM event_window';

export async function areClicksRetained(db: Db): Promise<boolean> {
  return (await db.get(selectWindow, [])) !== undefined;
}

/** Above this number of retained clicks, the retention window shrinks. */
const maxRetainedClicks = 1_000_000;

const newestClick = '(SELECT COALESCE(MAX(id), 0) FROM click_batches)';
const newestChange = '(SELECT COALESCE(MAX(seq), 0) FROM events)';

const deleteExpiredWindow = 'DELETE FROM event_window WHERE renewed_at < ? OR renewed_at > ?';
const renew = 'UPDATE event_window SET renewed_at = ? WHERE renewed_at < ?';
const openWindow = `
  INSERT INTO event_window
    (id, secret, renewed_at, clicks_after, changes_after, marked_at, marked_click, marked_change)
  VALUES (1, ?, ?, ${newestClick} - 1, ${newestChange}, ?, ${newestClick} - 1, 0)
  ON CONFLICT (id) DO NOTHING`;

export const renewEventReader: Write<'renewEventReader'> = async (db, now, secret) => {
  // Without this deletion, a row that was written while the clock was far ahead would stay permanently.
  await db.run(deleteExpiredWindow, [now - eventWindowMs, now + eventWindowMs]);
  if ((await db.get(selectWindow, [])) === undefined) await db.run(openWindow, [secret, now, now]);
  else await db.run(renew, [now, now]);
};

interface WindowRow {
  readonly marked_at: number;
  readonly clicks_after: number;
}

const isTooLong = `(SELECT COALESCE(SUM(clicks), 0) FROM click_batches WHERE ${isRetained}) > ${maxRetainedClicks}`;
// Moves the cut-off forward by one window, and marks the current end of the batches as the next cut-off.
const advanceWindow = `
  UPDATE event_window SET clicks_after = marked_click, marked_at = ?, marked_click = ${newestClick} - 1
  WHERE marked_at < ? OR ${isTooLong}`;
const readWindow = 'SELECT marked_at, clicks_after FROM event_window';

const expiredBatches = `SELECT id FROM click_batches WHERE id <= ? AND ${isRetained} ORDER BY id LIMIT ?`;
const removeBatches = `DELETE FROM click_batches WHERE id IN (${expiredBatches})`;

/** Deletes retained batches that are older than the window, or all if there are no readers. */
export const trimEvents: Write<'trimEvents'> = async (db, now, max) => {
  await db.run(deleteExpiredWindow, [now - eventWindowMs, now + eventWindowMs]);
  await db.run(advanceWindow, [now, now - eventWindowMs]);
  const window = await db.get<WindowRow>(readWindow, []);
  const end = Number.MAX_SAFE_INTEGER;
  return (await db.run(removeBatches, [window?.clicks_after ?? end, max])) === max;
};

/**
 * Query that returns a row when {@link trimEvents} has work to do. Its parameters are the earliest and latest valid
 * `renewed_at`, and the earliest valid `marked_at`.
 */
export const hasEventsToTrim = `
  SELECT 1 AS found FROM event_window
  WHERE renewed_at < ? OR renewed_at > ? OR marked_at < ? OR ${isTooLong}
  UNION ALL SELECT 1 FROM (
    SELECT id FROM click_batches
    WHERE ${isRetained} AND id <= COALESCE((SELECT clicks_after FROM event_window), ${Number.MAX_SAFE_INTEGER}) LIMIT 1
  ) AS b`;

/** The range of retained events, and the newest change and batch numbers. */
export interface EventEnds {
  readonly secret: Uint8Array;
  readonly clicks_after: number;
  readonly changes_after: number;
  readonly newest_click: number;
  readonly newest_change: number;
}

const selectEnds = `
  SELECT secret, clicks_after, changes_after, ${newestClick} AS newest_click, ${newestChange} AS newest_change
  FROM event_window`;

/** Returns the range of retained events; undefined while no reader is registered. */
export async function eventEnds(db: Db): Promise<EventEnds | undefined> {
  return db.get<EventEnds>(selectEnds, []);
}

/** A batch of clicks, in `click_batches` before or after its clicks were moved into columns. */
export interface ClickBatch {
  readonly id: number;
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array<ArrayBuffer>;
}

const batchesInRange = `
  SELECT id, layout, clicks, records FROM click_batches WHERE id >= ? AND id <= ? ORDER BY id LIMIT 8`;

/** Returns up to 8 batches with numbers from `from` to `to` (inclusive), in order. */
export async function retainedBatches(db: Db, from: number, to: number): Promise<readonly ClickBatch[]> {
  return db.all<ClickBatch>(batchesInRange, [from, to]);
}

export interface LinkChangeEvent {
  readonly seq: number;
  readonly account_id: number;
  readonly link_row: number;
  readonly name: string;
  readonly at: number;
}

/** Maximum number of link changes that one query reads. */
export const changesAtOnce = 1_000;
const changesInRange = `
  SELECT seq, account_id, link_row, name, at FROM events
  WHERE seq > ? AND seq <= ? AND revision IS NOT NULL AND link_row IS NOT NULL ORDER BY seq LIMIT ${changesAtOnce}`;

/** Returns link changes with numbers above `after`, up to `to`, in order. */
export async function linkChanges(db: Db, after: number, to: number): Promise<readonly LinkChangeEvent[]> {
  return db.all<LinkChangeEvent>(changesInRange, [after, to]);
}

export const eventWindowWrites = { renewEventReader, trimEvents };
