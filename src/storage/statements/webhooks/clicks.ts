import { clickedType, maxStoredClickDeliveries } from '../../../model/webhooks/clicks.ts';
import { idBytes } from '../../db/ids.ts';
import type { Row } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { deleteReceivedClicks } from '../clicks/webhook-clicks.ts';
import { insertDeliveries } from './deliveries.ts';
import { rows, webhookOf } from './webhooks.ts';

const nextWithClicks = `${rows} AS w WHERE w.disabled IS NULL AND w.clicks_after IS NOT NULL AND w.clicks_due_at <= ?
  AND EXISTS (SELECT 1 FROM webhook_clicks c WHERE c.account_id = w.account_id AND c.seq > w.clicks_after)
  AND NOT EXISTS (
    SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.type = '${clickedType}' AND d.due_at IS NOT NULL)
  ORDER BY w.clicks_due_at, w.id LIMIT 1`;

export const nextClicked: Read<'nextClicked'> = async (db, now) => {
  const row = await db.get<Row & Readonly<Record<'clicks_after' | 'clicks_had', number>>>(nextWithClicks, [
    now,
  ]);
  return row && { ...webhookOf(row), upTo: { after: row.clicks_after, had: row.clicks_had } };
};

const advanceCursor = `
  UPDATE webhooks SET clicks_after = ?, clicks_had = ?
  WHERE id = ? AND clicks_after = ? AND clicks_had = ? AND disabled IS NULL`;
const deleteDelivered = `
  DELETE FROM webhook_deliveries WHERE webhook_id = ? AND type = '${clickedType}' AND delivered = 1 AND due_at IS NULL
    AND delivery_row <= (
      SELECT delivery_row FROM webhook_deliveries WHERE webhook_id = ? AND type = '${clickedType}'
      ORDER BY delivery_row DESC LIMIT 1 OFFSET ${maxStoredClickDeliveries})`;

export const addClickDelivery: Write<'addClickDelivery'> = async (
  db,
  { id: webhookId, accountId, upTo: from },
  { after, had },
  delivery,
  now,
) => {
  const id = idBytes(webhookId);
  if ((await db.run(advanceCursor, [after, had, id, from.after, from.had])) === 0) return;
  if (delivery !== undefined) {
    await insertDeliveries(db, [{ webhookId, ...delivery }], now);
    await db.run(deleteDelivered, [id, id]);
  }
  await deleteReceivedClicks(db, accountId);
};

const postpone = 'UPDATE webhook_deliveries SET due_at = ? WHERE delivery_row = ?';

export const postponeDelivery: Write<'postponeDelivery'> = async (db, row, until) => {
  await db.run(postpone, [until, row]);
};

export const clickDeliveryWrites = { addClickDelivery, postponeDelivery };
