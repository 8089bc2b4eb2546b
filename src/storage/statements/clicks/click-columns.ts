import { clickLayout } from '../../../model/clicks/click-records.ts';
import { type BulkInput, type Db, one, type Value } from '../../db/db.ts';
import { snakeCase } from '../../db/records.ts';
import type { Write } from '../../db/statements.ts';
import { areClicksRetained, releaseBatches } from './event-window.ts';
import { type ImportedChange, writeImported, writeLastHours } from './imported-clicks.ts';
import { insertWebhookClicks, type WebhookClickBatch } from './webhook-clicks.ts';

/** A row of `click_columns`: a segment's header (block 0), or one of its blocks. */
export interface ColumnsRow {
  readonly accountId: number;
  /** Days since the epoch, in UTC. */
  readonly day: number;
  readonly segment: number;
  readonly block: number;
  readonly clicks: number;
  readonly leastLink: number;
  readonly largestLink: number;
  readonly isSealed: boolean;
  readonly isEstimated: boolean;
  /**
   * The import that added the clicks; 0 for clicks that Linkfold itself counted; negative if a later import replaced
   * the clicks.
   */
  readonly source: number;
  readonly bytes: Uint8Array;
}

export interface RollupRow {
  readonly accountId: number;
  readonly day: number;
  readonly clicks: number;
  readonly isEstimated: boolean;
  readonly bytes: Uint8Array;
  /** The encoded number of clicks on each link. */
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

/** SQL condition on `day_records` that excludes pieces whose layout is newer than this version of the program. */
export const isKnownPiece = `layout <= ${clickLayout}`;

/** A row of `day_records`. */
export interface PieceRow extends PieceKey {
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array;
}

/** The changes that one step makes to move clicks into columns. */
export interface ColumnsChange {
  /** The state number of the columns when the step was computed. */
  readonly state: number;
  /** Ids of `click_batches` whose clicks are in `added`. */
  readonly batches: readonly number[];
  /** Pieces (and segments, in `removed`) that are deleted because `added` now contains their clicks. */
  readonly removedPieces: readonly PieceKey[];
  readonly pieces: readonly PieceRow[];
  readonly removed: readonly SegmentKey[];
  readonly added: readonly ColumnsRow[];
  readonly rollups: readonly RollupRow[];
  /** Set for clicks from an import. */
  readonly imported?: ImportedChange | undefined;
  /** Recalculated last hours with clicks: pairs of a link and an hour. */
  readonly lastHours?: readonly number[];
  /** Clicks to send to webhooks. */
  readonly webhookClicks?: readonly WebhookClickBatch[];
}

export const readState = "SELECT CAST(value AS BIGINT) AS state FROM meta WHERE key = 'click columns'";
const incrementState = "UPDATE meta SET value = ? WHERE key = 'click columns' AND value = ?";

export async function columnsState(db: Db): Promise<number> {
  return (await one<{ state: number }>(db, readState, [])).state;
}

type Kind = 'integer' | 'bytes';

/** The column types of each table, by field name in the row objects. */
const tables = {
  click_columns: {
    ...integers('accountId', 'day', 'segment', 'block', 'clicks', 'leastLink', 'largestLink'),
    ...integers('isSealed', 'isEstimated', 'source'),
    bytes: 'bytes',
  },
  day_records: { ...integers('accountId', 'day', 'piece', 'layout', 'clicks'), records: 'bytes' },
  click_rollups: {
    ...integers('accountId', 'day', 'clicks', 'isEstimated'),
    bytes: 'bytes',
    linkBytes: 'bytes',
  },
} as const;
type Table = keyof typeof tables;

function integers<N extends string>(...names: readonly N[]): Record<N, 'integer'> {
  return Object.fromEntries(names.map((name) => [name, 'integer'])) as Record<N, 'integer'>;
}

/** Returns the fields of rows as input for a bulk statement. */
function inputOf(rows: readonly object[], kinds: Readonly<Record<string, Kind>>): BulkInput<Value> {
  const names = Object.keys(kinds);
  return {
    columns: Object.fromEntries(names.map((name) => [snakeCase(name), kinds[name] as Kind])),
    values: (rows as readonly Record<string, Value | boolean>[]).flatMap((row) =>
      names.map((name): Value => {
        const value = row[name] ?? null;
        return typeof value === 'boolean' ? Number(value) : value;
      }),
    ),
  };
}

async function insertAll(db: Db, table: Table, rows: readonly object[]): Promise<void> {
  const input = inputOf(rows, tables[table]);
  const names = Object.keys(input.columns).join(', ');
  const into = `INSERT INTO ${table} (${names})`;
  const one = `${into} VALUES (${Object.keys(input.columns).fill('?').join(', ')})`;
  await db.bulk(input, (...row) => db.run(one, row), `${into} SELECT ${names} FROM input`);
}

const segmentKey = ['accountId', 'day', 'segment'] as const;
const pieceKey = ['accountId', 'day', 'piece'] as const;
const dayKey = ['accountId', 'day'] as const;

function deleteByKey(table: Table, key: readonly string[]): string {
  return `DELETE FROM ${table} WHERE ${key.map((name) => `${snakeCase(name)} = ?`).join(' AND ')}`;
}

/** Deletes the rows with the given keys. */
async function deleteAll<N extends string>(
  db: Db,
  table: Table,
  key: readonly N[],
  rows: readonly Readonly<Record<N, number>>[],
): Promise<void> {
  const input = inputOf(rows, integers(...key));
  const isSame = Object.keys(input.columns).map((name) => `t.${name} = g.${name}`);
  const one = deleteByKey(table, key);
  const all = `DELETE FROM ${table} t USING input g WHERE ${isSame.join(' AND ')}`;
  await db.bulk(input, (...values) => db.run(one, values), all);
}

/**
 * Applies a step completely or not at all. One transaction removes clicks from their batches and adds them to the
 * columns.
 * @returns false, without changes, when another process changed the columns after the step was computed
 */
export async function writeColumns(db: Db, change: ColumnsChange): Promise<boolean> {
  if (!(await advanceState(db, change.state))) return false;
  const { batches, removedPieces, pieces, removed, added, rollups } = change;
  const removal = (await areClicksRetained(db)) ? releaseBatches.retain : releaseBatches.delete;
  await db.bulk(
    { columns: integers('id'), values: batches },
    (id) => db.run(removal.one, [id]),
    removal.bulk,
  );
  await deleteAll(db, 'day_records', pieceKey, removedPieces);
  await insertAll(db, 'day_records', pieces);
  await deleteAll(db, 'click_columns', segmentKey, removed);
  await deleteAll(db, 'click_rollups', dayKey, [...removed, ...added.filter(({ block }) => block === 0)]);
  await insertAll(db, 'click_columns', added);
  await insertAll(db, 'click_rollups', rollups);
  if (change.imported !== undefined) await writeImported(db, change.imported);
  if (change.lastHours !== undefined) await writeLastHours(db, change.lastHours);
  if (change.webhookClicks !== undefined) await insertWebhookClicks(db, change.webhookClicks);
  return true;
}

/**
 * Increments the state number. Other processes that move clicks into columns then wait until this process commits.
 * @returns false if another process has already incremented the number
 */
async function advanceState(db: Db, state: number): Promise<boolean> {
  return (await db.run(incrementState, [String(state + 1), String(state)])) > 0;
}

/** A table of clicks by day; `number` is the number of a segment or piece. */
interface DayTable {
  /** Query with two parameters: day, and maximum number of rows. */
  readonly oldest: string;
  readonly remove: string;
}

const dayTables: readonly DayTable[] = [
  {
    oldest: `SELECT account_id, day, segment AS number, CASE WHEN source < 0 THEN 0 ELSE clicks END AS clicks
      FROM click_columns WHERE day < ? AND block = 0 ORDER BY day, account_id LIMIT ?`,
    remove: deleteByKey('click_columns', segmentKey),
  },
  {
    oldest: `SELECT account_id, day, piece AS number, clicks FROM day_records
      WHERE day < ? ORDER BY day, account_id LIMIT ?`,
    remove: deleteByKey('day_records', pieceKey),
  },
];
const deleteRollup = deleteByKey('click_rollups', dayKey);
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

export const pruneClicks: Write<'pruneClicks'> = async (db, day, max) => {
  await db.run(incrementStateAlways, []);
  for (const { oldest, remove } of dayTables) {
    const rows = await db.all<OldRow>(oldest, [day, max]);
    for (const row of rows) {
      await db.run(remove, [row.account_id, row.day, row.number]);
      await db.run(deleteRollup, [row.account_id, row.day]);
      await db.run(addPrunedClicks, [row.account_id, row.clicks]);
    }
    if (rows.length === max) return true;
  }
  return false;
};
