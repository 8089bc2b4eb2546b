import { type ClickRecords, createRecordReader } from '../../../model/clicks/click-records.ts';
import type { Db, Value } from '../../db/db.ts';
import type { Read } from '../../db/statements.ts';

/** An account's clicks that are waiting to be sent to webhooks. */
export interface WebhookClickBatch extends ClickRecords {
  readonly accountId: number;
  /** When the clicks were inserted, in ms since the epoch. */
  readonly at: number;
}

const accountsWithClickWebhooks =
  'SELECT DISTINCT account_id FROM webhooks WHERE clicks_after IS NOT NULL AND disabled IS NULL';

/** Returns the accounts that have active webhooks subscribed to clicks. */
export async function clickListeners(db: Db): Promise<ReadonlySet<number>> {
  const found = await db.all<{ account_id: number }>(accountsWithClickWebhooks, []);
  return new Set(found.map(({ account_id }) => account_id));
}

export const hasClickSubscribers: Read<'hasClickSubscribers'> = async (db) =>
  (await db.get(`${accountsWithClickWebhooks} LIMIT 1`, [])) !== undefined;

/**
 * SQL expression for the highest sequence number of an account's clicks. Both parameters are the account id. The
 * expression also reads the number stored with the webhooks, in case all clicks were deleted.
 */
export const newestOfAccount = `(SELECT COALESCE(MAX(n), 0) FROM (
    SELECT MAX(seq) AS n FROM webhook_clicks WHERE account_id = ?
    UNION ALL SELECT MAX(clicks_after) FROM webhooks WHERE account_id = ?) AS numbers)`;
const insert = `
  INSERT INTO webhook_clicks (account_id, seq, at, layout, clicks, records)
  VALUES (?, ${newestOfAccount} + 1, ?, ?, ?, ?)`;

/**
 * Inserts clicks for webhooks, in the transaction that removes them from their batches. Only one transaction moves
 * clicks at a time, so numbers become visible in order.
 */
export async function insertWebhookClicks(db: Db, batches: readonly WebhookClickBatch[]): Promise<void> {
  for (const { accountId, at, layout, clicks, bytes } of batches)
    await db.run(insert, [accountId, accountId, accountId, at, layout, clicks, bytes]);
}

/** Splits records into parts of about `clicks` clicks each. */
export function* splitRecords(records: ClickRecords, clicks: number): Generator<ClickRecords> {
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

const clicksAfter = `
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
  return db.all<WebhookClickRow>(clicksAfter, [accountId, after]);
}

const deleteReceived = `
  DELETE FROM webhook_clicks WHERE account_id = ? AND seq <= (
    SELECT MIN(clicks_after) FROM webhooks WHERE account_id = ? AND clicks_after IS NOT NULL AND disabled IS NULL)`;

/** Deletes the clicks that all of the account's active webhooks have received. */
export async function deleteReceivedClicks(db: Db, accountId: number): Promise<void> {
  await db.run(deleteReceived, [accountId, accountId]);
}

const old = 'SELECT account_id, seq FROM webhook_clicks WHERE at < ? ORDER BY at LIMIT ?';
const remove = `DELETE FROM webhook_clicks WHERE (account_id, seq) IN (${old})`;

/** Deletes clicks older than `before` (ms since the epoch). @returns true if there may be more to delete */
export async function trimWebhookClicks(db: Db, before: number, max: number): Promise<boolean> {
  const values: Value[] = [before, max];
  return (await db.run(remove, values)) === max;
}

/** Query that returns a row when {@link trimWebhookClicks} has work to do. Its parameter is the time. */
export const hasWebhookClicksToTrim =
  'SELECT 1 AS found FROM (SELECT seq FROM webhook_clicks WHERE at < ? LIMIT 1) AS c';
