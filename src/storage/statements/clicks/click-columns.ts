import { clickLayout } from '../../../model/clicks/click-records.ts';
import type { Db, Value } from '../../db/db.ts';
import { one } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { areClicksRetained, releaseBatches } from './event-window.ts';
import { type ImportedChange, writeImported, writeLastHours } from './imported-clicks.ts';
import { insertWebhookClicks, type WebhookClickBatch } from './webhook-clicks.ts';

/** A row of `click_columns`: a segment's header (block 0), or one of its blocks. */
export interface ColumnsRow {
  readonly accountId: number;
  /** UTC day since the epoch. */
  readonly day: number;
  readonly segment: number;
  readonly block: number;
  readonly clicks: number;
  readonly leastLink: number;
  readonly largestLink: number;
  readonly isSealed: boolean;
  readonly isEstimated: boolean;
  /** The import of the clicks; 0 for clicks counted here; negative if a later import replaced them. */
  readonly source: number;
  readonly bytes: Uint8Array;
}

export interface RollupRow {
  readonly accountId: number;
  readonly day: number;
  readonly clicks: number;
  readonly isEstimated: boolean;
  readonly bytes: Uint8Array;
  /** Clicks per link. */
  readonly linkBytes: Uint8Array;
}

export interface SegmentKey {
  readonly accountId: number;
  readonly day: number;
  readonly segment: number;
}

export interface PieceKey {
  readonly accountId: number;
  readonly day: number;
  readonly piece: number;
}

/** A condition on `day_records`: excludes pieces whose layout is newer than this version of the program. */
export const isKnownPiece = `layout <= ${clickLayout}`;

/** A row of `day_records`. */
export interface PieceRow extends PieceKey {
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array;
}

/** The changes of one step of moving clicks into columns. */
export interface ColumnsChange {
  /** The state number that the step was computed from. */
  readonly state: number;
  /** Ids of `click_batches` whose clicks are in `added`. */
  readonly batches: readonly number[];
  /** Pieces and segments whose clicks are also in `added`. */
  readonly removedPieces: readonly PieceKey[];
  readonly pieces: readonly PieceRow[];
  readonly removed: readonly SegmentKey[];
  readonly added: readonly ColumnsRow[];
  readonly rollups: readonly RollupRow[];
  /** Set for clicks of an import. */
  readonly imported?: ImportedChange | undefined;
  /** Last hours with clicks, found again: pairs of link and hour. */
  readonly lastHours?: readonly number[];
  /** Clicks to send to webhooks. */
  readonly webhookClicks?: readonly WebhookClickBatch[];
}

export const readState = "SELECT CAST(value AS BIGINT) AS state FROM meta WHERE key = 'click columns'";
const incrementState = "UPDATE meta SET value = ? WHERE key = 'click columns' AND value = ?";

export async function columnsState(db: Db): Promise<number> {
  return (await one<{ state: number }>(db, readState, [])).state;
}

const removeSegment = 'DELETE FROM click_columns WHERE account_id = ? AND day = ? AND segment = ?';
const removeSegments = `DELETE FROM click_columns c USING input g
  WHERE c.account_id = g.account_id AND c.day = g.day AND c.segment = g.segment`;
const removePiece = 'DELETE FROM day_records WHERE account_id = ? AND day = ? AND piece = ?';
const removePieces = `DELETE FROM day_records d USING input g
  WHERE d.account_id = g.account_id AND d.day = g.day AND d.piece = g.piece`;
const removeRollup = 'DELETE FROM click_rollups WHERE account_id = ? AND day = ?';
const removeRollups =
  'DELETE FROM click_rollups r USING input g WHERE r.account_id = g.account_id AND r.day = g.day';

type Columns = Readonly<Record<string, 'integer' | 'bytes'>>;

function integerColumns(...names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, 'integer']));
}

const segmentKey = integerColumns('account_id', 'day', 'segment');
const pieceKey = integerColumns('account_id', 'day', 'piece');
const pieceColumns: Columns = {
  ...integerColumns('account_id', 'day', 'piece', 'layout', 'clicks'),
  records: 'bytes',
};
const dayKey = integerColumns('account_id', 'day');
const rowColumns: Columns = {
  ...integerColumns('account_id', 'day', 'segment', 'block', 'clicks', 'least_link', 'largest_link'),
  ...integerColumns('is_sealed', 'is_estimated', 'source'),
  bytes: 'bytes',
};
const rollupColumns: Columns = {
  ...integerColumns('account_id', 'day', 'clicks', 'is_estimated'),
  bytes: 'bytes',
  link_bytes: 'bytes',
};
const insertRow = insertInto('click_columns', Object.keys(rowColumns));
const insertPiece = insertInto('day_records', Object.keys(pieceColumns));
const insertRollup = insertInto('click_rollups', Object.keys(rollupColumns));

function insertInto(table: string, columns: readonly string[]) {
  const names = columns.join(', ');
  return {
    one: `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
    bulk: `INSERT INTO ${table} (${names}) SELECT ${names} FROM input`,
  };
}

/**
 * Applies a step completely or not at all. One transaction removes clicks from their batches and adds them to the
 * columns.
 * @returns false, without changes, when another process changed the columns since the step was computed
 */
export async function writeColumns(db: Db, change: ColumnsChange): Promise<boolean> {
  if (!(await advanceState(db, change.state))) return false;
  const { batches, removedPieces, pieces, removed, added, rollups } = change;
  const removal = (await areClicksRetained(db)) ? releaseBatches.retain : releaseBatches.delete;
  await db.bulk(
    { columns: integerColumns('id'), values: batches },
    (id) => db.run(removal.one, [id]),
    removal.bulk,
  );
  await db.bulk<number>(
    {
      columns: pieceKey,
      values: removedPieces.flatMap(({ accountId, day, piece }) => [accountId, day, piece]),
    },
    (...key) => db.run(removePiece, key),
    removePieces,
  );
  await db.bulk<Value>(
    { columns: pieceColumns, values: pieces.flatMap(pieceValues) },
    (...row) => db.run(insertPiece.one, row),
    insertPiece.bulk,
  );
  await db.bulk<number>(
    {
      columns: segmentKey,
      values: removed.flatMap(({ accountId, day, segment }) => [accountId, day, segment]),
    },
    (...key) => db.run(removeSegment, key),
    removeSegments,
  );
  await db.bulk<number>(
    {
      columns: dayKey,
      values: [...removed, ...added.filter(({ block }) => block === 0)].flatMap(({ accountId, day }) => [
        accountId,
        day,
      ]),
    },
    (...day) => db.run(removeRollup, day),
    removeRollups,
  );
  await db.bulk<Value>(
    { columns: rowColumns, values: added.flatMap(rowValues) },
    (...row) => db.run(insertRow.one, row),
    insertRow.bulk,
  );
  await db.bulk<Value>(
    { columns: rollupColumns, values: rollups.flatMap(rollupValues) },
    (...row) => db.run(insertRollup.one, row),
    insertRollup.bulk,
  );
  if (change.imported !== undefined) await writeImported(db, change.imported);
  if (change.lastHours !== undefined) await writeLastHours(db, change.lastHours);
  if (change.webhookClicks !== undefined) await insertWebhookClicks(db, change.webhookClicks);
  return true;
}

/** Makes other processes that move clicks into columns wait until this one commits. */
async function advanceState(db: Db, state: number): Promise<boolean> {
  return (await db.run(incrementState, [String(state + 1), String(state)])) > 0;
}

function rowValues(row: ColumnsRow): Value[] {
  return [
    row.accountId,
    row.day,
    row.segment,
    row.block,
    row.clicks,
    row.leastLink,
    row.largestLink,
    Number(row.isSealed),
    Number(row.isEstimated),
    row.source,
    row.bytes,
  ];
}

function pieceValues(row: PieceRow): Value[] {
  return [row.accountId, row.day, row.piece, row.layout, row.clicks, row.records];
}

function rollupValues(row: RollupRow): Value[] {
  return [row.accountId, row.day, row.clicks, Number(row.isEstimated), row.bytes, row.linkBytes];
}

/** A table of clicks by day; `number` is the number of a segment or piece. */
interface DayTable {
  /** Parameters: day, maximum number of rows. */
  readonly oldest: string;
  readonly remove: string;
}

const dayTables: readonly DayTable[] = [
  {
    oldest: `SELECT account_id, day, segment AS number, CASE WHEN source < 0 THEN 0 ELSE clicks END AS clicks
      FROM click_columns WHERE day < ? AND block = 0 ORDER BY day, account_id LIMIT ?`,
    remove: removeSegment,
  },
  {
    oldest: `SELECT account_id, day, piece AS number, clicks FROM day_records
      WHERE day < ? ORDER BY day, account_id LIMIT ?`,
    remove: removePiece,
  },
];
const addPrunedClicks = `
  INSERT INTO forgotten_clicks (account_id, clicks) VALUES (?, ?)
  ON CONFLICT (account_id) DO UPDATE SET clicks = forgotten_clicks.clicks + excluded.clicks`;
const incrementStateAlways = `
  UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'click columns'`;

interface OldRow {
  readonly account_id: number;
  readonly day: number;
  readonly number: number;
  readonly clicks: number;
}

/**
 * Deletes the details of clicks before a UTC day. They remain in the totals of links, and the account's number of
 * pruned clicks is recorded.
 * @param day since the epoch
 * @param max maximum number of segments, or of pieces that are not in segments yet
 * @returns true if that many were found, so that there may be more
 */
export const pruneClicks: Write<'pruneClicks'> = async (db, day, max) => {
  await db.run(incrementStateAlways, []);
  for (const { oldest, remove } of dayTables) {
    const rows = await db.all<OldRow>(oldest, [day, max]);
    for (const row of rows) {
      await db.run(remove, [row.account_id, row.day, row.number]);
      await db.run(removeRollup, [row.account_id, row.day]);
      await db.run(addPrunedClicks, [row.account_id, row.clicks]);
    }
    if (rows.length === max) return true;
  }
  return false;
};
