import { type ClickRecords, createRecordReader } from '../../../model/clicks/click-records.ts';
import type { Db, Value } from '../../db/db.ts';

/** Clicks of an account that its endpoints are to be told of. */
export interface WebhookClickBatch extends ClickRecords {
  readonly accountId: number;
  /** When they were put there, ms since the epoch. */
  readonly at: number;
}

const listeners =
  'SELECT DISTINCT account_id FROM webhooks WHERE clicks_after IS NOT NULL AND disabled IS NULL';

/** Accounts whose endpoints are told of clicks. */
export async function clickListeners(db: Db): Promise<ReadonlySet<number>> {
  const found = await db.all<{ account_id: number }>(listeners, []);
  return new Set(found.map(({ account_id }) => account_id));
}

export async function hasClickSubscribers(db: Db): Promise<boolean> {
  return (await db.get(`${listeners} LIMIT 1`, [])) !== undefined;
}

/** An expression: the newest number of an account's clicks, given the account twice. Endpoints remember it when none is there any more. */
export const newestOfAccount = `(SELECT COALESCE(MAX(n), 0) FROM (
    SELECT MAX(seq) AS n FROM webhook_clicks WHERE account_id = ?
    UNION ALL SELECT MAX(clicks_after) FROM webhooks WHERE account_id = ?) AS numbers)`;
const insert = `
  INSERT INTO webhook_clicks (account_id, seq, at, layout, clicks, records)
  VALUES (?, ${newestOfAccount} + 1, ?, ?, ?, ?)`;

/**
 * Puts clicks there, in the transaction in which they leave their batches. Only one of these runs at a time, so that numbers
 * appear in their order.
 */
export async function insertWebhookClicks(db: Db, told: readonly WebhookClickBatch[]): Promise<void> {
  for (const { accountId, at, layout, clicks, bytes } of told)
    await db.run(insert, [accountId, accountId, accountId, at, layout, clicks, bytes]);
}

/** Parts of records, each of about so many clicks. */
export function* partsOf(records: ClickRecords, clicks: number): Generator<ClickRecords> {
  const reader = createRecordReader(records);
  let start = 0;
  let sum = 0;
  while (reader.next()) {
    sum += reader.count;
    const { end } = reader;
    if (sum < clicks && end < records.bytes.length) continue;
    yield { layout: records.layout, clicks: sum, bytes: records.bytes.slice(start, end) };
    start = end;
    sum = 0;
  }
}

const behind = `
  SELECT seq, layout, clicks, records FROM webhook_clicks WHERE account_id = ? AND seq > ? ORDER BY seq LIMIT 16`;

export interface WebhookClickRow {
  readonly seq: number;
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array<ArrayBuffer>;
}

export async function webhookClickRows(
  db: Db,
  accountId: number,
  after: number,
): Promise<readonly WebhookClickRow[]> {
  return db.all<WebhookClickRow>(behind, [accountId, after]);
}

const forget = `
  DELETE FROM webhook_clicks WHERE account_id = ? AND seq <= (
    SELECT MIN(clicks_after) FROM webhooks WHERE account_id = ? AND clicks_after IS NOT NULL AND disabled IS NULL)`;

/** Removes what every endpoint of the account that is on has been told of. */
export async function forgetToldClicks(db: Db, accountId: number): Promise<void> {
  await db.run(forget, [accountId, accountId]);
}

const old = 'SELECT account_id, seq FROM webhook_clicks WHERE at < ? ORDER BY at LIMIT ?';
const remove = `DELETE FROM webhook_clicks WHERE (account_id, seq) IN (${old})`;

/** @param before ms since the epoch @returns whether there may be more */
export async function trimToldClicks(db: Db, before: number, max: number): Promise<boolean> {
  const values: Value[] = [before, max];
  return (await db.run(remove, values)) === max;
}

/** Whether {@link trimToldClicks} would find anything; its parameter is the time. */
export const hasToldClicksToTrim =
  'SELECT 1 AS found FROM (SELECT seq FROM webhook_clicks WHERE at < ? LIMIT 1) AS c';
