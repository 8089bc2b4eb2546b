import { randomUUIDv7 } from 'node:crypto';
import { Failure } from '../../../model/failures.ts';
import { logDays } from '../../../model/history/events.ts';
import { idText } from '../../../model/ids.ts';
import { pendingClickDays } from '../../../model/webhooks/clicks.ts';
import {
  type Delivery,
  type DeliveryState,
  deliveryFields,
  type NewDelivery,
  shownOfBody,
} from '../../../model/webhooks/webhooks.ts';
import { type Db, one, type Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { plain, type Row, stored, storedFields } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { hasWebhookClicksToTrim, trimWebhookClicks } from '../clicks/webhook-clicks.ts';
import { requireWebhook } from './webhooks.ts';

const { lastAttempt: _, ...ownColumns } = storedFields(deliveryFields);
const storedDelivery = stored('d', {
  ...ownColumns,
  body: plain<string>({ from: `substr(d.body, 1, ${shownOfBody})` }),
  nextAttemptAt: plain<number | null>({ column: 'due_at' }),
  state: plain<DeliveryState>({
    from: "CASE WHEN d.delivered = 1 THEN 'delivered' WHEN d.due_at IS NULL THEN 'failed' ELSE 'waiting' END",
  }),
  at: plain<number | null>({ column: 'last_at' }),
  ms: plain<number | null>({ column: 'last_ms' }),
  status: plain<number | null>({ column: 'last_status' }),
  answer: plain<string | null>({ column: 'last_answer' }),
});
const selectDeliveries = `
  SELECT ${storedDelivery.columns} FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id`;
const rowById = 'SELECT delivery_row FROM webhook_deliveries WHERE id = ? AND webhook_id = ?';
const deliveriesOfWebhook = `
  ${selectDeliveries} WHERE w.account_id = ? AND w.id = ? AND d.delivery_row < ? ORDER BY d.delivery_row DESC LIMIT ?`;
const byId = `${selectDeliveries} WHERE w.account_id = ? AND w.id = ? AND d.id = ?`;

function deliveryOf(row: Row): Delivery {
  const { at, ms, status, answer, ...delivery } = storedDelivery.of(row);
  return { ...delivery, lastAttempt: at === null ? null : { at, ms: ms ?? 0, status, answer: answer ?? '' } };
}

export const deliveries: Read<'deliveries'> = async (db, accountId, webhookId, limit, before) => {
  const id = idBytes(webhookId);
  const place =
    before === undefined
      ? Number.MAX_SAFE_INTEGER
      : ((await db.get<{ delivery_row: number }>(rowById, [idBytes(before), id]))?.delivery_row ?? 0);
  return (await db.all<Row>(deliveriesOfWebhook, [accountId, id, place, limit])).map(deliveryOf);
};

async function requireDelivery(db: Db, accountId: number, webhookId: string, id: string): Promise<Delivery> {
  const row = await db.get<Row>(byId, [accountId, idBytes(webhookId), idBytes(id)]);
  if (row === undefined) throw new Failure('DELIVERY_NOT_FOUND');
  return deliveryOf(row);
}

// The position does not advance while no webhook is active. Reading then starts at the position where the first active
// webhook was enabled.
const position = `
  SELECT MAX(seq) AS seq FROM (
    SELECT seq FROM webhook_position WHERE id = 1
    UNION ALL SELECT MIN(after_seq) FROM webhooks WHERE disabled IS NULL) places`;
const advancePosition = `
  INSERT INTO webhook_position (id, seq) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq WHERE webhook_position.seq <= ?`;

export const webhookPosition: Read<'webhookPosition'> = async (db) =>
  (await db.get<{ seq: number | null }>(position, []))?.seq ?? 0;

/**
 * Updates the position and inserts the deliveries in one transaction, so that only one of several processes that
 * read the same events creates their deliveries.
 */
export const addDeliveries: Write<'addDeliveries'> = async (db, from, to, added, now) => {
  if ((await db.run(advancePosition, [to, from])) > 0) await insertDeliveries(db, added, now);
};

const columns = {
  id: 'bytes',
  webhook_id: 'bytes',
  event_id: 'text',
  type: 'text',
  body: 'text',
  created_at: 'integer',
  due_at: 'integer',
} as const;
const names = Object.keys(columns).join(', ');
const insert = `
  INSERT INTO webhook_deliveries (${names}) VALUES (${Object.keys(columns).fill('?').join(', ')})
  ON CONFLICT (webhook_id, event_id) DO NOTHING`;
const insertAll = `
  INSERT INTO webhook_deliveries (${names}) SELECT ${names} FROM input ON CONFLICT (webhook_id, event_id) DO NOTHING`;

/**
 * Inserts deliveries in the given order, which is also the order in which they are sent. Each event is inserted only
 * once per webhook.
 */
export async function insertDeliveries(db: Db, added: readonly NewDelivery[], now: number): Promise<void> {
  if (added.length === 0) return;
  const values = added.flatMap(({ webhookId, eventId, type, body }): Value[] => [
    idBytes(randomUUIDv7()),
    idBytes(webhookId),
    eventId,
    type,
    body,
    now,
    now,
  ]);
  await db.bulk<Value>({ columns, values }, (...row) => db.run(insert, row), insertAll);
}

const advanceReplay = 'UPDATE webhooks SET replay_after = ? WHERE id = ? AND replay_after = ?';

export const replayDeliveries: Write<'replayDeliveries'> = async (db, webhookId, from, to, added, now) => {
  if ((await db.run(advanceReplay, [to, idBytes(webhookId), from])) > 0)
    await insertDeliveries(db, added, now);
};

const byEvent = 'SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?';

export const addDelivery: Write<'addDelivery'> = async (db, accountId, delivery, now) => {
  const { webhookId, eventId } = delivery;
  await requireWebhook(db, accountId, webhookId);
  await insertDeliveries(db, [delivery], now);
  const { id } = await one<{ id: Uint8Array }>(db, byEvent, [idBytes(webhookId), eventId]);
  return requireDelivery(db, accountId, webhookId, idText(id));
};

const resetDelivery = 'UPDATE webhook_deliveries SET due_at = ?, attempts = 0, delivered = 0 WHERE id = ?';

export const resendDelivery: Write<'resendDelivery'> = async (db, accountId, webhookId, id, now) => {
  await requireWebhook(db, accountId, webhookId);
  await requireDelivery(db, accountId, webhookId, id);
  await db.run(resetDelivery, [now, idBytes(id)]);
  return requireDelivery(db, accountId, webhookId, id);
};

const resetDeliveriesSince = `
  UPDATE webhook_deliveries SET due_at = ?, attempts = 0, delivered = 0
  WHERE webhook_id = ? AND delivered <= ? AND created_at >= ?`;
const oldestAfter = 'SELECT seq, at FROM events WHERE seq > ? ORDER BY seq LIMIT 1';
const newest = 'SELECT COALESCE(MAX(seq), 0) AS seq FROM events';
const beginReplay = 'UPDATE webhooks SET replay_after = ?, replay_since = ? WHERE id = ?';
/** Maximum time in ms between an event's timestamp and the moment when it is written and numbered. */
const skewMs = 60_000;

/**
 * Returns a sequence number that is lower than those of all events at or after `since`. Uses a binary search, because
 * an index by time would slow down every change.
 */
async function findSeqBefore(db: Db, since: number): Promise<number> {
  let low = 0;
  let high = (await one<{ seq: number }>(db, newest, [])).seq;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await db.get<{ seq: number; at: number }>(oldestAfter, [middle]);
    if (found !== undefined && found.at < since - skewMs) low = Math.max(found.seq, middle + 1);
    else high = middle;
  }
  return low;
}

export const replayWebhook: Write<'replayWebhook'> = async (
  db,
  accountId,
  webhookId,
  { since, all },
  now,
) => {
  await requireWebhook(db, accountId, webhookId);
  const id = idBytes(webhookId);
  await db.run(beginReplay, [await findSeqBefore(db, since), since, id]);
  return db.run(resetDeliveriesSince, [now, id, all ? 1 : 0, since]);
};

const trim = `
  DELETE FROM webhook_deliveries WHERE delivery_row IN (
    SELECT delivery_row FROM (SELECT delivery_row, created_at FROM webhook_deliveries ORDER BY delivery_row LIMIT ?) AS oldest
    WHERE created_at < ?)`;

/** Deletes old deliveries. Scans them in row number order, which is chronological. */
export const trimDeliveries: Write<'trimDeliveries'> = async (db, before, max) => {
  const isMore = (await db.run(trim, [max, before])) === max;
  return (await trimWebhookClicks(db, clickCutOff(before), max)) || isMore;
};

/** Returns the cutoff for clicks queued for webhooks (older ones are deleted), given the cutoff for deliveries. */
function clickCutOff(before: number): number {
  return before + (logDays - pendingClickDays) * msPerDay;
}

const msPerDay = 86_400_000;

/**
 * Query that returns a row when {@link trimDeliveries} has work to do. Its parameters are the result of {@link
 * trimmedBefore}.
 */
export const hasDeliveriesToTrim = `
  SELECT 1 AS found FROM (SELECT created_at FROM webhook_deliveries ORDER BY delivery_row LIMIT 1) AS oldest
  WHERE created_at < ? UNION ALL ${hasWebhookClicksToTrim}`;

/** Returns the parameters of {@link hasDeliveriesToTrim}. */
export function trimmedBefore(before: number): readonly number[] {
  return [before, clickCutOff(before)];
}

export const deliveryReads = { deliveries, webhookPosition };

export const deliveryWrites = {
  addDeliveries,
  replayDeliveries,
  addDelivery,
  resendDelivery,
  replayWebhook,
  trimDeliveries,
};
