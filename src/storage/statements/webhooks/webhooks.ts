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

/** A webhook as it is stored. Its filter is one column. */
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
const ofAccount = `${rows} WHERE account_id = ? ORDER BY created_at, id`;
const byId = `${rows} WHERE account_id = ? AND id = ?`;
const listening = `${rows} WHERE disabled IS NULL AND account_id = ? ORDER BY created_at, id`;
const replaying = `${rows} WHERE disabled IS NULL AND replay_after IS NOT NULL ORDER BY replay_after LIMIT 1`;
const any = 'SELECT 1 AS found FROM webhooks WHERE disabled IS NULL LIMIT 1';

export function webhookOf(row: Row): Webhook {
  const { filter, disabledReason, ...webhook } = storedWebhook.of(row);
  return { ...webhook, ...filter, disabled: disabledReason !== null, disabledReason };
}

function filterOf({ events, folderIds, domainIds, tags }: WebhookFilter): string {
  return JSON.stringify({ events, folderIds, domainIds, tags });
}

export async function webhooks(db: Db, accountId: number): Promise<readonly Webhook[]> {
  return (await db.all<Row>(ofAccount, [accountId])).map(webhookOf);
}

export async function webhook(db: Db, accountId: number, id: string): Promise<Webhook | undefined> {
  const row = await db.get<Row>(byId, [accountId, idBytes(id)]);
  return row && webhookOf(row);
}

/** @throws Failure WEBHOOK_NOT_FOUND */
export async function knownWebhook(db: Db, accountId: number, id: string): Promise<Webhook> {
  const found = await webhook(db, accountId, id);
  if (found === undefined) throw new Failure('WEBHOOK_NOT_FOUND');
  return found;
}

export async function hasWebhooks(db: Db): Promise<boolean> {
  return (await db.get(any, [])) !== undefined;
}

export async function subscribedWebhooks(
  db: Db,
  accountIds: readonly number[],
): Promise<readonly SubscribedWebhook[]> {
  const found = await Promise.all(accountIds.map((id) => db.all<Row>(listening, [id])));
  return found.flat().map((row) => ({ ...webhookOf(row), afterSeq: Number(row['after_seq']) }));
}

export async function nextReplay(db: Db): Promise<Replay | undefined> {
  const row = await db.get<Row>(replaying, []);
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
  await setClicks(db, { id, accountId, events: draft.events }, false);
  return knownWebhook(db, accountId, id);
}

const update = `
  UPDATE webhooks SET url = ?, filter = ?, description = ?, disabled = ?, failing_since = ?,
    after_seq = COALESCE(?, after_seq), updated_at = ?
  WHERE account_id = ? AND id = ?`;
const enableClicks = `
  UPDATE webhooks SET clicks_after = ${newestOfAccount}, clicks_had = 0 WHERE id = ? AND (clicks_after IS NULL OR ? = 1)`;
const disableClicks = 'UPDATE webhooks SET clicks_after = NULL WHERE id = ? AND clicks_after IS NOT NULL';

/** Where it begins to be told of clicks, if it is: with those from now on. */
async function setClicks(
  db: Db,
  { id, accountId, events }: Pick<Webhook, 'id' | 'accountId' | 'events'>,
  isBack: boolean,
): Promise<void> {
  if (!events.includes(clickedType)) await db.run(disableClicks, [idBytes(id)]);
  else await db.run(enableClicks, [accountId, accountId, idBytes(id), Number(isBack)]);
}

/** One that is switched on again begins again, with what happens from then on. */
export async function updateWebhook(
  db: Db,
  accountId: number,
  id: string,
  change: Partial<WebhookSettings>,
  now: number,
): Promise<Webhook> {
  await db.lockRows('no key update', byId, [accountId, idBytes(id)]);
  const before = await knownWebhook(db, accountId, id);
  const { url, description, disabled, ...filter } = { ...before, ...change };
  const isBack = before.disabled && !disabled;
  const state = disabled ? (before.disabledReason ?? 'owner') : null;
  const failingSince = isBack ? null : before.failingSince;
  const values: Value[] = [url, filterOf(filter), description, state, failingSince];
  const afterSeq = isBack ? await newestEvent(db) : null;
  await db.run(update, [...values, afterSeq, now, accountId, idBytes(id)]);
  await setClicks(db, { id, accountId, events: filter.events }, isBack);
  return knownWebhook(db, accountId, id);
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
  return knownWebhook(db, accountId, id);
}

const drop = 'DELETE FROM webhooks WHERE account_id = ? AND id = ?';

/** Its deliveries may be many: nothing leads to them any more, and they go when they are old. */
export async function deleteWebhook(db: Db, accountId: number, id: string): Promise<void> {
  if ((await db.run(drop, [accountId, idBytes(id)])) === 0) throw new Failure('WEBHOOK_NOT_FOUND');
}
