import { Failure, limitReached } from '../../../model/failures.ts';
import { clickedType } from '../../../model/webhooks/clicks.ts';
import { rotationMs } from '../../../model/webhooks/schedule.ts';
import type { NewWebhook } from '../../../model/webhooks/webhook-storage.ts';
import {
  type DisabledReason,
  type Replay,
  type SubscribedWebhook,
  type Webhook,
  type WebhookFilter,
  type WebhookSettings,
  webhookLimit,
} from '../../../model/webhooks/webhooks.ts';
import { type Db, one, type Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { json, plain, type Row, stored, uuid } from '../../db/records.ts';
import { newestOfAccount } from '../clicks/webhook-clicks.ts';
import { newestEvent } from '../events/read.ts';
import { accountById } from '../groups/link-counts.ts';

/** A webhook as it is stored. Its filter is one JSON column. */
export const storedWebhook = stored('', {
  id: uuid(),
  accountId: plain<number>(),
  url: plain<string>(),
  filter: json<WebhookFilter>(),
  description: plain<string | null>(),
  disabledReason: plain<DisabledReason | null>({ column: 'disabled' }),
  failingSince: plain<number | null>(),
  lastSuccessAt: plain<number | null>(),
  createdAt: plain<number>(),
  createdBy: json<Webhook['createdBy']>(),
  updatedAt: plain<number>(),
});
export const rows = `
  SELECT ${storedWebhook.columns}, after_seq, replay_after, replay_since, clicks_after, clicks_had FROM webhooks`;
const webhooksOfAccount = `${rows} WHERE account_id = ? ORDER BY created_at, id`;
const byId = `${rows} WHERE account_id = ? AND id = ?`;
const activeOfAccount = `${rows} WHERE disabled IS NULL AND account_id = ? ORDER BY created_at, id`;
const nextToReplay = `${rows} WHERE disabled IS NULL AND replay_after IS NOT NULL ORDER BY replay_after LIMIT 1`;
const anyActive = 'SELECT 1 AS found FROM webhooks WHERE disabled IS NULL LIMIT 1';

export function webhookOf(row: Row): Webhook {
  const { filter, disabledReason, ...webhook } = storedWebhook.of(row);
  return { ...webhook, ...filter, disabled: disabledReason !== null, disabledReason };
}

function filterOf({ events, folderIds, domainIds, tags }: WebhookFilter): string {
  return JSON.stringify({ events, folderIds, domainIds, tags });
}

export async function webhooks(db: Db, accountId: number): Promise<readonly Webhook[]> {
  return (await db.all<Row>(webhooksOfAccount, [accountId])).map(webhookOf);
}

export async function webhook(db: Db, accountId: number, id: string): Promise<Webhook | undefined> {
  const row = await db.get<Row>(byId, [accountId, idBytes(id)]);
  return row && webhookOf(row);
}

/** @throws Failure WEBHOOK_NOT_FOUND */
export async function requireWebhook(db: Db, accountId: number, id: string): Promise<Webhook> {
  const found = await webhook(db, accountId, id);
  if (found === undefined) throw new Failure('WEBHOOK_NOT_FOUND');
  return found;
}

export async function hasWebhooks(db: Db): Promise<boolean> {
  return (await db.get(anyActive, [])) !== undefined;
}

export async function subscribedWebhooks(
  db: Db,
  accountIds: readonly number[],
): Promise<readonly SubscribedWebhook[]> {
  const found = await Promise.all(accountIds.map((id) => db.all<Row>(activeOfAccount, [id])));
  return found.flat().map((row) => ({ ...webhookOf(row), afterSeq: Number(row['after_seq']) }));
}

export async function nextReplay(db: Db): Promise<Replay | undefined> {
  const row = await db.get<Row>(nextToReplay, []);
  return row && { ...webhookOf(row), after: Number(row['replay_after']), since: Number(row['replay_since']) };
}

const count = 'SELECT COUNT(*) AS webhooks FROM webhooks WHERE account_id = ?';
const insert = `
  INSERT INTO webhooks (id, account_id, url, filter, description, disabled, secret, after_seq, created_at, updated_at,
    created_by)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export async function createWebhook(db: Db, accountId: number, draft: NewWebhook): Promise<Webhook> {
  const { id, url, description, disabled, secret, createdAt, createdBy } = draft;
  await db.lockRows('no key update', accountById, [accountId]);
  const { webhooks: there } = await one<{ webhooks: number }>(db, count, [accountId]);
  if (there >= webhookLimit) throw limitReached('webhooks', webhookLimit);
  const values = [url, filterOf(draft), description, disabled ? 'owner' : null, secret];
  const author = createdBy ? JSON.stringify(createdBy) : null;
  await db.run(insert, [
    idBytes(id),
    accountId,
    ...values,
    await newestEvent(db),
    createdAt,
    createdAt,
    author,
  ]);
  await setClickSubscription(db, { id, accountId, events: draft.events }, false);
  return requireWebhook(db, accountId, id);
}

const update = `
  UPDATE webhooks SET url = ?, filter = ?, description = ?, disabled = ?, failing_since = ?,
    after_seq = COALESCE(?, after_seq), updated_at = ?
  WHERE account_id = ? AND id = ?`;
const enableClicks = `
  UPDATE webhooks SET clicks_after = ${newestOfAccount}, clicks_had = 0 WHERE id = ? AND (clicks_after IS NULL OR ? = 1)`;
const disableClicks = 'UPDATE webhooks SET clicks_after = NULL WHERE id = ? AND clicks_after IS NOT NULL';

/** Starts or stops the webhook's subscription to clicks. It receives clicks from now on. */
async function setClickSubscription(
  db: Db,
  { id, accountId, events }: Pick<Webhook, 'id' | 'accountId' | 'events'>,
  isReenabled: boolean,
): Promise<void> {
  if (!events.includes(clickedType)) await db.run(disableClicks, [idBytes(id)]);
  else await db.run(enableClicks, [accountId, accountId, idBytes(id), Number(isReenabled)]);
}

/** Changes a webhook. If it is enabled again, it receives only events from now on. */
export async function updateWebhook(
  db: Db,
  accountId: number,
  id: string,
  change: Partial<WebhookSettings>,
  now: number,
): Promise<Webhook> {
  await db.lockRows('no key update', byId, [accountId, idBytes(id)]);
  const before = await requireWebhook(db, accountId, id);
  const { url, description, disabled, ...filter } = { ...before, ...change };
  const isReenabled = before.disabled && !disabled;
  const state = disabled ? (before.disabledReason ?? 'owner') : null;
  const failingSince = isReenabled ? null : before.failingSince;
  const values: Value[] = [url, filterOf(filter), description, state, failingSince];
  const afterSeq = isReenabled ? await newestEvent(db) : null;
  await db.run(update, [...values, afterSeq, now, accountId, idBytes(id)]);
  await setClickSubscription(db, { id, accountId, events: filter.events }, isReenabled);
  return requireWebhook(db, accountId, id);
}

const rotate = `
  UPDATE webhooks SET old_secret = secret, old_until = ?, secret = ?, updated_at = ? WHERE account_id = ? AND id = ?`;

export async function rotateWebhook(
  db: Db,
  accountId: number,
  id: string,
  secret: Uint8Array,
  now: number,
): Promise<Webhook> {
  await db.run(rotate, [now + rotationMs, secret, now, accountId, idBytes(id)]);
  return requireWebhook(db, accountId, id);
}

const drop = 'DELETE FROM webhooks WHERE account_id = ? AND id = ?';

/** Deletes a webhook. Its deliveries may be many; they become unreachable and are deleted when they are old. */
export async function deleteWebhook(db: Db, accountId: number, id: string): Promise<void> {
  if ((await db.run(drop, [accountId, idBytes(id)])) === 0) throw new Failure('WEBHOOK_NOT_FOUND');
}
