import { clickLayout } from '../../../model/clicks/click-records.ts';
import type { Db, Value } from '../../db/db.ts';
import { one } from '../../db/db.ts';
import { areClicksKept, removalOfFolded } from './event-window.ts';
import { type ImportedChange, writeImported, writeLastHours } from './imported-clicks.ts';
import { insertWebhookClicks, type WebhookClickBatch } from './webhook-clicks.ts';

/** A row of `click_columns`: a segment's head (block 0), or one of its blocks. */
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
  /** The import that brought the clicks; 0 for clicks counted here; negative if a later import replaced them. */
  readonly source: number;
  readonly bytes: Uint8Array;
}

export interface RollupRow {
  readonly accountId: number;
  readonly day: number;
  readonly clicks: number;
  readonly isEstimated: boolean;
  readonly bytes: Uint8Array;
  /** Of every link. */
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

/** A condition on `day_records`: pieces of a newer version in addition to this one are left to it. */
export const isKnownPiece = `layout <= ${clickLayout}`;

/** A row of `day_records`. */
export interface PieceRow extends PieceKey {
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array;
}

/** What one step of the folding changes. */
export interface ColumnsChange {
  /** The state that it was made from. */
  readonly state: number;
  /** Ids of `click_batches` that are in `added`. */
  readonly batches: readonly number[];
  /** Pieces and segments that are in what is added too. */
  readonly removedPieces: readonly PieceKey[];
  readonly pieces: readonly PieceRow[];
  readonly removed: readonly SegmentKey[];
  readonly added: readonly ColumnsRow[];
  readonly rollups: readonly RollupRow[];
  /** Where it is of imported clicks. */
  readonly imported?: ImportedChange | undefined;
  /** Links and the last hours that were found for them: two numbers each. */
  readonly lastHours?: readonly number[];
  /** Clicks that endpoints of their accounts are told of. */
  readonly told?: readonly WebhookClickBatch[];
}

export const readState = "SELECT CAST(value AS BIGINT) AS state FROM meta WHERE key = 'click columns'";
const raiseState = "UPDATE meta SET value = ? WHERE key = 'click columns' AND value = ?";

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

function integers(...names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, 'integer']));
}

const keyOfSegment = integers('account_id', 'day', 'segment');
const keyOfPiece = integers('account_id', 'day', 'piece');
const columnsOfPiece: Columns = {
  ...integers('account_id', 'day', 'piece', 'layout', 'clicks'),
  records: 'bytes',
};
const keyOfDay = integers('account_id', 'day');
const columnsOfRow: Columns = {
  ...integers('account_id', 'day', 'segment', 'block', 'clicks', 'least_link', 'largest_link'),
  ...integers('is_sealed', 'is_estimated', 'source'),
  bytes: 'bytes',
};
const columnsOfRollup: Columns = {
  ...integers('account_id', 'day', 'clicks', 'is_estimated'),
  bytes: 'bytes',
  link_bytes: 'bytes',
};
const insertRow = insertInto('click_columns', Object.keys(columnsOfRow));
const insertPiece = insertInto('day_records', Object.keys(columnsOfPiece));
const insertRollup = insertInto('click_rollups', Object.keys(columnsOfRollup));

function insertInto(table: string, columns: readonly string[]) {
  const names = columns.join(', ');
  return {
    one: `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
    bulk: `INSERT INTO ${table} (${names}) SELECT ${names} FROM input`,
  };
}

/**
 * Takes a step of the folding, all of it or nothing: clicks leave the batches in the transaction in which they enter the
 * columns.
 * @returns false, having changed nothing, when there was another change since it was made
 */
export async function writeColumns(db: Db, change: ColumnsChange): Promise<boolean> {
  if (!(await raise(db, change.state))) return false;
  const { batches, removedPieces, pieces, removed, added, rollups } = change;
  const removal = (await areClicksKept(db)) ? removalOfFolded.forReaders : removalOfFolded.forGood;
  await db.bulk(
    { columns: integers('id'), values: batches },
    (id) => db.run(removal.one, [id]),
    removal.bulk,
  );
  await db.bulk<number>(
    {
      columns: keyOfPiece,
      values: removedPieces.flatMap(({ accountId, day, piece }) => [accountId, day, piece]),
    },
    (...key) => db.run(removePiece, key),
    removePieces,
  );
  await db.bulk<Value>(
    { columns: columnsOfPiece, values: pieces.flatMap(valuesOfPiece) },
    (...row) => db.run(insertPiece.one, row),
    insertPiece.bulk,
  );
  await db.bulk<number>(
    {
      columns: keyOfSegment,
      values: removed.flatMap(({ accountId, day, segment }) => [accountId, day, segment]),
    },
    (...key) => db.run(removeSegment, key),
    removeSegments,
  );
  await db.bulk<number>(
    {
      columns: keyOfDay,
      values: [...removed, ...added.filter(({ block }) => block === 0)].flatMap(({ accountId, day }) => [
        accountId,
        day,
      ]),
    },
    (...day) => db.run(removeRollup, day),
    removeRollups,
  );
  await db.bulk<Value>(
    { columns: columnsOfRow, values: added.flatMap(valuesOf) },
    (...row) => db.run(insertRow.one, row),
    insertRow.bulk,
  );
  await db.bulk<Value>(
    { columns: columnsOfRollup, values: rollups.flatMap(valuesOfRollup) },
    (...row) => db.run(insertRollup.one, row),
    insertRollup.bulk,
  );
  if (change.imported !== undefined) await writeImported(db, change.imported);
  if (change.lastHours !== undefined) await writeLastHours(db, change.lastHours);
  if (change.told !== undefined) await insertWebhookClicks(db, change.told);
  return true;
}

/** Other processes that fold wait here until this one has committed. */
async function raise(db: Db, state: number): Promise<boolean> {
  return (await db.run(raiseState, [String(state + 1), String(state)])) > 0;
}

function valuesOf(row: ColumnsRow): Value[] {
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

function valuesOfPiece(row: PieceRow): Value[] {
  return [row.accountId, row.day, row.piece, row.layout, row.clicks, row.records];
}

function valuesOfRollup(row: RollupRow): Value[] {
  return [row.accountId, row.day, row.clicks, Number(row.isEstimated), row.bytes, row.linkBytes];
}

/** What holds clicks of a day; `number` is a segment's or a piece's. */
interface Aged {
  /** @param day, most rows */
  readonly oldest: string;
  readonly remove: string;
}

const agedTables: readonly Aged[] = [
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
const addForgotten = `
  INSERT INTO forgotten_clicks (account_id, clicks) VALUES (?, ?)
  ON CONFLICT (account_id) DO UPDATE SET clicks = forgotten_clicks.clicks + excluded.clicks`;
const raiseAnyhow = `
  UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'click columns'`;

interface OldRow {
  readonly account_id: number;
  readonly day: number;
  readonly number: number;
  readonly clicks: number;
}

/**
 * Removes what clicks before a UTC day say. They stay in the totals of their links, and how many they were is kept.
 * @param day since the epoch
 * @param max how many segments, or days of clicks that are none yet
 * @returns whether that many were found, so that there may be more
 */
export async function pruneClicks(db: Db, day: number, max: number): Promise<boolean> {
  await db.run(raiseAnyhow, []);
  for (const { oldest, remove } of agedTables) {
    const rows = await db.all<OldRow>(oldest, [day, max]);
    for (const row of rows) {
      await db.run(remove, [row.account_id, row.day, row.number]);
      await db.run(removeRollup, [row.account_id, row.day]);
      await db.run(addForgotten, [row.account_id, row.clicks]);
    }
    if (rows.length === max) return true;
  }
  return false;
}
