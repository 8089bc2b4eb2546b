import { mayTakeSlot } from '../../../model/fair-share.ts';
import { idText } from '../../../model/ids.ts';
import { maxConcurrentEndpoints } from '../../../model/webhooks/schedule.ts';
import type { DueDelivery, LeasedWebhook } from '../../../model/webhooks/webhooks.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read, Write } from '../../db/statements.ts';

const isDue = 'EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.due_at <= ?)';
const isFree = `w.disabled IS NULL AND w.leased_until <= ? AND ${isDue}`;
const anyDue = `SELECT 1 AS found FROM webhooks w WHERE ${isFree} LIMIT 1`;

export const hasDueDeliveries: Read<'hasDueDeliveries'> = async (db, now) =>
  (await db.get(anyDue, [now, now])) !== undefined;

const freeWebhooks = `
  SELECT id, account_id AS "accountId", url, failing_since AS "failingSince", clicks_due_at AS "clicksDueAt",
    secret, old_secret AS "oldSecret", old_until AS "oldUntil" FROM (
    SELECT w.*, ROW_NUMBER() OVER (
      PARTITION BY w.account_id ORDER BY CASE WHEN w.failing_since IS NULL THEN 0 ELSE 1 END, RANDOM()) AS place
    FROM webhooks w WHERE ${isFree}) AS waiting
  ORDER BY place, RANDOM() LIMIT ${2 * maxConcurrentEndpoints}`;
const lease = 'UPDATE webhooks SET leased_until = ? WHERE id = ? AND leased_until <= ?';

type LeaseRow = Omit<LeasedWebhook, 'id'> & { readonly id: Uint8Array };

export const leaseWebhooks: Write<'leaseWebhooks'> = async (db, now, until, held) => {
  const leased: LeasedWebhook[] = [];
  const taken = [...held];
  for (const row of await db.all<LeaseRow>(freeWebhooks, [now, now])) {
    const ofAccount = taken.filter((accountId) => accountId === row.accountId).length;
    if (!mayTakeSlot(ofAccount, maxConcurrentEndpoints - taken.length)) continue;
    if ((await db.run(lease, [until, row.id, now])) === 0) continue;
    taken.push(row.accountId);
    leased.push({ ...row, id: idText(row.id) });
  }
  return leased;
};

const setLease = 'UPDATE webhooks SET leased_until = ? WHERE id = ?';

export const extendLease: Write<'extendLease'> = async (db, webhookId, until) => {
  await db.run(setLease, [until, idBytes(webhookId)]);
};

const dueDeliveriesOfWebhook = `
  SELECT delivery_row AS row, event_id AS "eventId", type, body, attempts FROM webhook_deliveries
  WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, delivery_row LIMIT ?`;

export const dueDeliveries: Read<'dueDeliveries'> = async (db, webhookId, now, limit) =>
  db.all<DueDelivery>(dueDeliveriesOfWebhook, [idBytes(webhookId), now, limit]);

const updateDelivery = `
  UPDATE webhook_deliveries SET due_at = ?, attempts = attempts + 1, delivered = ?, last_at = ?, last_ms = ?,
    last_status = ?, last_answer = ?
  WHERE delivery_row = ?`;
const scheduleClicks = 'UPDATE webhooks SET clicks_due_at = ? WHERE id = ?';
const recordSuccess = 'UPDATE webhooks SET failing_since = NULL, last_success_at = ? WHERE id = ?';
const recordFailure = `
  UPDATE webhooks SET failing_since = COALESCE(failing_since, ?), disabled = COALESCE(disabled, ?) WHERE id = ?`;

export const saveDeliveryResult: Write<'saveDeliveryResult'> = async (db, result) => {
  const { webhookId, deliveryRow, attempt, isDelivered, isBusy, nextAttemptAt, disable, clicksDueAt } =
    result;
  const { at, ms, status, answer } = attempt;
  const dueAt = isDelivered ? null : nextAttemptAt;
  await db.run(updateDelivery, [dueAt, Number(isDelivered), at, ms, status, answer, deliveryRow]);
  if (clicksDueAt !== undefined) await db.run(scheduleClicks, [clicksDueAt, idBytes(webhookId)]);
  if (isDelivered) await db.run(recordSuccess, [at, idBytes(webhookId)]);
  else if (!isBusy) await db.run(recordFailure, [at, disable, idBytes(webhookId)]);
};

export const sendingReads = { hasDueDeliveries, dueDeliveries };

export const sendingWrites = { leaseWebhooks, extendLease, saveDeliveryResult };
