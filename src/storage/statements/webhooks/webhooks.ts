import { Failure, limitReached } from '../../../model/failures.ts';
import { inputsIn } from '../../../model/record-fields.ts';
import { clickedType } from '../../../model/webhooks/clicks.ts';
import { rotationMs } from '../../../model/webhooks/schedule.ts';
import {
  type DisabledReason,
  type Webhook,
  type WebhookFilter,
  webhookFields,
  webhookFilterFields,
  webhookLimit,
} from '../../../model/webhooks/webhooks.ts';
import { type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import {
  insertRow,
  isSet,
  jsonParts,
  plain,
  type Row,
  stored,
  storedFields,
  updateRows,
} from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { newestOfAccount } from '../clicks/webhook-clicks.ts';
import { newestEvent } from '../events/read.ts';
import { lockAccount } from '../groups/link-counts.ts';

/** How a webhook is stored. Its filter is in one JSON column. */
const storedWebhook = stored('', {
  ...storedFields(webhookFields),
  ...jsonParts('filter', webhookFilterFields),
  disabled: isSet({ column: 'disabled' }),
  disabledReason: plain<DisabledReason | null>({ column: 'disabled' }),
});
export const webhookOf = storedWebhook.of;
export const rows = `
  SELECT ${storedWebhook.columns}, after_seq, replay_after, replay_since, clicks_after, clicks_had FROM webhooks`;
const webhooksOfAccount = `${rows} WHERE account_id = ? ORDER BY created_at, id`;
const byId = `${rows} WHERE account_id = ? AND id = ?`;
const activeOfAccount = `${rows} WHERE disabled IS NULL AND account_id = ? ORDER BY created_at, id`;
const nextToReplay = `${rows} WHERE disabled IS NULL AND replay_after IS NOT NULL ORDER BY replay_after LIMIT 1`;
const anyActive = 'SELECT 1 AS found FROM webhooks WHERE disabled IS NULL LIMIT 1';

function filterOf(webhook: WebhookFilter): string {
  return JSON.stringify(inputsIn(webhookFilterFields, webhook));
}

export const webhooks: Read<'webhooks'> = async (db, accountId) =>
  (await db.all<Row>(webhooksOfAccount, [accountId])).map(webhookOf);

export const webhook: Read<'webhook'> = async (db, accountId, id) => {
  const row = await db.get<Row>(byId, [accountId, idBytes(id)]);
  return row && webhookOf(row);
};

/** @throws Failure WEBHOOK_NOT_FOUND */
export async function requireWebhook(db: Db, accountId: number, id: string): Promise<Webhook> {
  const found = await webhook(db, accountId, id);
  if (found === undefined) throw new Failure('WEBHOOK_NOT_FOUND');
  return found;
}

export const hasWebhooks: Read<'hasWebhooks'> = async (db) => (await db.get(anyActive, [])) !== undefined;

export const subscribedWebhooks: Read<'subscribedWebhooks'> = async (db, accountIds) => {
  const found = await Promise.all(accountIds.map((id) => db.all<Row>(activeOfAccount, [id])));
  return found.flat().map((row) => ({ ...webhookOf(row), afterSeq: Number(row['after_seq']) }));
};

export const nextReplay: Read<'nextReplay'> = async (db) => {
  const row = await db.get<Row>(nextToReplay, []);
  return row && { ...webhookOf(row), after: Number(row['replay_after']), since: Number(row['replay_since']) };
};

const count = 'SELECT COUNT(*) AS webhooks FROM webhooks WHERE account_id = ?';

export const createWebhook: Write<'createWebhook'> = async (db, accountId, draft) => {
  const { id, disabled, secret, createdAt: updatedAt } = draft;
  await lockAccount(db, accountId);
  const { webhooks: there } = await one<{ webhooks: number }>(db, count, [accountId]);
  if (there >= webhookLimit) throw limitReached('webhooks', webhookLimit);
  await insertRow(db, 'webhooks', {
    ...storedWebhook.values({ ...draft, accountId, updatedAt }),
    filter: filterOf(draft),
    disabled: disabled ? 'owner' : null,
    secret,
    after_seq: await newestEvent(db),
  });
  await setClickSubscription(db, { id, accountId, events: draft.events }, false);
  return requireWebhook(db, accountId, id);
};

const enableClicks = `
  UPDATE webhooks SET clicks_after = ${newestOfAccount}, clicks_had = 0 WHERE id = ? AND (clicks_after IS NULL OR ? = 1)`;
const disableClicks = 'UPDATE webhooks SET clicks_after = NULL WHERE id = ? AND clicks_after IS NOT NULL';

/**
 * Starts or stops the webhook's subscription to clicks. A webhook that starts its subscription receives only new
 * clicks.
 */
async function setClickSubscription(
  db: Db,
  { id, accountId, events }: Pick<Webhook, 'id' | 'accountId' | 'events'>,
  isReenabled: boolean,
): Promise<void> {
  if (!events.includes(clickedType)) await db.run(disableClicks, [idBytes(id)]);
  else await db.run(enableClicks, [accountId, accountId, idBytes(id), Number(isReenabled)]);
}

/** Updates a webhook. A webhook that is enabled again receives only new events. */
export const updateWebhook: Write<'updateWebhook'> = async (db, accountId, id, change, now) => {
  await db.lockRows('no key update', byId, [accountId, idBytes(id)]);
  const before = await requireWebhook(db, accountId, id);
  const settings = { ...before, ...change };
  const isReenabled = before.disabled && !settings.disabled;
  const values = {
    ...storedWebhook.values({ ...inputsIn(webhookFields, settings), updatedAt: now }),
    filter: filterOf(settings),
    disabled: settings.disabled ? (before.disabledReason ?? 'owner') : null,
    ...(isReenabled && { failing_since: null, after_seq: await newestEvent(db) }),
  };
  await updateRows(db, 'webhooks', values, 'account_id = ? AND id = ?', [accountId, idBytes(id)]);
  await setClickSubscription(db, { id, accountId, events: settings.events }, isReenabled);
  return requireWebhook(db, accountId, id);
};

const rotate = `
  UPDATE webhooks SET old_secret = secret, old_until = ?, secret = ?, updated_at = ? WHERE account_id = ? AND id = ?`;

export const rotateWebhook: Write<'rotateWebhook'> = async (db, accountId, id, secret, now) => {
  await db.run(rotate, [now + rotationMs, secret, now, accountId, idBytes(id)]);
  return requireWebhook(db, accountId, id);
};

const drop = 'DELETE FROM webhooks WHERE account_id = ? AND id = ?';

/**
 * Deletes only the webhook itself, because it may have many deliveries. Its deliveries can no longer be accessed, and
 * are deleted when they are old enough.
 */
export const deleteWebhook: Write<'deleteWebhook'> = async (db, accountId, id) => {
  if ((await db.run(drop, [accountId, idBytes(id)])) === 0) throw new Failure('WEBHOOK_NOT_FOUND');
};

export const webhookReads = { webhooks, webhook, hasWebhooks, subscribedWebhooks, nextReplay };

export const webhookWrites = { createWebhook, updateWebhook, rotateWebhook, deleteWebhook };
