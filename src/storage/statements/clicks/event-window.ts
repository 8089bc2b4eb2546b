import { eventWindowMs } from '../../../model/clicks/events.ts';
import type { Db } from '../../db/db.ts';

/**
 * While clients read what happens, `event_window` has its one row, and clicks that were folded stay in `click_batches` for a
 * while; what is done to links is in `events` anyway. Their layout is raised, so that every other
 * reader of batches passes over them, one of an older program too.
 *
 * The newest row always stays: otherwise SQLite would give its number again.
 */
const raise = 100;

/** A condition on `click_batches`: neither folded nor of a layout that this program does not know. */
export const isWaiting = `layout < ${raise}`;
/** Same as above, for batches that were folded. */
const isKept = `layout >= ${raise}`;

/** @returns the layout of a batch's bytes */
export function layoutOf(stored: number): number {
  return stored >= raise ? stored - raise : stored;
}

/** Statements that released folded batches, one by one and from `input`: they delete them, or keep them for readers. */
export const removalOfFolded = {
  forGood: {
    one: 'DELETE FROM click_batches WHERE id = ?',
    bulk: 'DELETE FROM click_batches b USING input g WHERE b.id = g.id',
  },
  forReaders: {
    one: `UPDATE click_batches SET layout = layout + ${raise} WHERE id = ? AND ${isWaiting}`,
    bulk: `UPDATE click_batches SET layout = layout + ${raise} FROM input g WHERE click_batches.id = g.id AND ${isWaiting}`,
  },
} as const;

const isOpen = 'SELECT id FROM event_window';

export async function areClicksKept(db: Db): Promise<boolean> {
  return (await db.get(isOpen, [])) !== undefined;
}

/** More kept clicks than that make the window shorter. */
const mostClicks = 1_000_000;

const newestClick = '(SELECT COALESCE(MAX(id), 0) FROM click_batches)';
const newestChange = '(SELECT COALESCE(MAX(seq), 0) FROM events)';

const closeWindow = 'DELETE FROM event_window WHERE renewed_at < ? OR renewed_at > ?';
const renew = 'UPDATE event_window SET renewed_at = ? WHERE renewed_at < ?';
const openWindow = `
  INSERT INTO event_window
    (id, secret, renewed_at, clicks_after, changes_after, marked_at, marked_click, marked_change)
  VALUES (1, ?, ?, ${newestClick} - 1, ${newestChange}, ?, ${newestClick} - 1, 0)
  ON CONFLICT (id) DO NOTHING`;

/**
 * Reports that this process reads what happens. To be called again before a window has passed.
 * @param now ms since the epoch
 * @param secret for positions, if no other process reads
 */
export async function renewEventReader(db: Db, now: number, secret: Uint8Array): Promise<void> {
  // One that a clock far in the future has written would stay permanently.
  await db.run(closeWindow, [now - eventWindowMs, now + eventWindowMs]);
  if ((await db.get(isOpen, [])) === undefined) await db.run(openWindow, [secret, now, now]);
  else await db.run(renew, [now, now]);
}

interface WindowRow {
  readonly marked_at: number;
  readonly clicks_after: number;
}

const isTooLong = `(SELECT COALESCE(SUM(clicks), 0) FROM click_batches WHERE ${isKept}) > ${mostClicks}`;
// What was marked a window ago is released, and the end of today's is marked.
const moveOn = `
  UPDATE event_window SET clicks_after = marked_click, marked_at = ?, marked_click = ${newestClick} - 1
  WHERE marked_at < ? OR ${isTooLong}`;
const readWindow = 'SELECT marked_at, clicks_after FROM event_window';

const goneBatches = `SELECT id FROM click_batches WHERE id <= ? AND ${isKept} ORDER BY id LIMIT ?`;
const removeBatches = `DELETE FROM click_batches WHERE id IN (${goneBatches})`;

/**
 * Deletes events that are older than the window, or that have no readers.
 * @param now ms since the epoch
 * @param max how many batches
 * @returns whether there may be more
 */
export async function trimEvents(db: Db, now: number, max: number): Promise<boolean> {
  await db.run(closeWindow, [now - eventWindowMs, now + eventWindowMs]);
  await db.run(moveOn, [now, now - eventWindowMs]);
  const window = await db.get<WindowRow>(readWindow, []);
  const end = Number.MAX_SAFE_INTEGER;
  return (await db.run(removeBatches, [window?.clicks_after ?? end, max])) === max;
}

/** Whether {@link trimEvents} would find anything; its parameters are the bounds of a window's times. */
export const hasEventsToTrim = `
  SELECT 1 AS found FROM event_window
  WHERE renewed_at < ? OR renewed_at > ? OR marked_at < ? OR ${isTooLong}
  UNION ALL SELECT 1 FROM (
    SELECT id FROM click_batches
    WHERE ${isKept} AND id <= COALESCE((SELECT clicks_after FROM event_window), ${Number.MAX_SAFE_INTEGER}) LIMIT 1
  ) AS b`;

/** What is kept, and how far the numbers go. */
export interface EventEnds {
  readonly secret: Uint8Array;
  readonly clicks_after: number;
  readonly changes_after: number;
  readonly newest_click: number;
  readonly newest_change: number;
}

const ends = `
  SELECT secret, clicks_after, changes_after, ${newestClick} AS newest_click, ${newestChange} AS newest_change
  FROM event_window`;

/** @returns undefined while nothing is noted */
export async function eventEnds(db: Db): Promise<EventEnds | undefined> {
  return db.get<EventEnds>(ends, []);
}

/** A batch of clicks, folded or not. */
export interface ClickBatch {
  readonly id: number;
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array<ArrayBuffer>;
}

const someBatches = `
  SELECT id, layout, clicks, records FROM click_batches WHERE id >= ? AND id <= ? ORDER BY id LIMIT 8`;

/** Some batches of a range of numbers, its ends included, in their order. */
export async function retainedBatches(db: Db, from: number, to: number): Promise<readonly ClickBatch[]> {
  return db.all<ClickBatch>(someBatches, [from, to]);
}

export interface NotedChange {
  readonly seq: number;
  readonly account_id: number;
  readonly link_row: number;
  readonly name: string;
  readonly at: number;
}

/** So many changes are read at once. */
export const changesAtOnce = 1_000;
const someChanges = `
  SELECT seq, account_id, link_row, name, at FROM events
  WHERE seq > ? AND seq <= ? AND revision IS NOT NULL AND link_row IS NOT NULL ORDER BY seq LIMIT ${changesAtOnce}`;

/** Some changes behind a number, up to another one, in their order. */
export async function notedChanges(db: Db, after: number, to: number): Promise<readonly NotedChange[]> {
  return db.all<NotedChange>(someChanges, [after, to]);
}
