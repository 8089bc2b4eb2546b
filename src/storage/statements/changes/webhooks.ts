import { hash } from 'node:crypto';
import type { Fields } from '../../../model/history/events.ts';
import { inputsIn } from '../../../model/record-fields.ts';
import { type Webhook, webhookFields } from '../../../model/webhooks/webhooks.ts';
import { sparseFields } from '../events/append.ts';
import { webhook } from '../webhooks/webhooks.ts';
import { changed, type EventRules } from './changes.ts';

/** Logs only the origin of the webhook's URL and a prefix of the URL's hash, because the path may be a secret. */
function loggedFields(webhook: Webhook): Fields {
  const { url } = webhook;
  const address = `${URL.parse(url)?.origin ?? ''}/… (${hash('sha256', url).slice(0, 8)})`;
  return { ...inputsIn(webhookFields, webhook), url: address };
}

/** Event rules for changes to webhooks by their owners. */
export const webhookRules: EventRules = {
  createWebhook:
    (_db, accountId, { createdAt: at }) =>
    (result) => {
      const body = sparseFields({ ...loggedFields(result), disabled: result.disabled || null });
      return { accountId, at, name: 'webhook.created', targetId: result.id, body };
    },
  updateWebhook: async (db, accountId, targetId, _, at) => {
    const before = await webhook(db, accountId, targetId);
    return (after) =>
      before &&
      changed({ accountId, at, targetId }, 'webhook.updated', loggedFields(before), loggedFields(after));
  },
  rotateWebhook: (_db, accountId, targetId, _secret, at) => () => {
    return { accountId, at, name: 'webhook.rotated', targetId };
  },
  deleteWebhook: async (db, accountId, targetId) => {
    const before = await webhook(db, accountId, targetId);
    return () =>
      before && { accountId, name: 'webhook.deleted', targetId, body: sparseFields(loggedFields(before)) };
  },
};
