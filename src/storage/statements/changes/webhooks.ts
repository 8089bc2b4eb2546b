import { hash } from 'node:crypto';
import type { Fields } from '../../../model/history/events.ts';
import { inputsIn } from '../../../model/record-fields.ts';
import { type Webhook, webhookFields } from '../../../model/webhooks/webhooks.ts';
import { sparseFields } from '../events/append.ts';
import { webhook } from '../webhooks/webhooks.ts';
import { changed, type EventRules, eventRule } from './changes.ts';

/** Logs the origin of a URL and a hash prefix of the whole URL, because its path may be a secret. */
function loggedFields(webhook: Webhook): Fields {
  const { url } = webhook;
  const address = `${URL.parse(url)?.origin ?? ''}/… (${hash('sha256', url).slice(0, 8)})`;
  return { ...inputsIn(webhookFields, webhook), url: address };
}

/** Event rules for changes of webhooks by their owners. */
export const webhookRules: EventRules = {
  createWebhook: eventRule<'createWebhook'>({
    createEvent: ({ result }, accountId, { createdAt: at }) => ({
      accountId,
      at,
      name: 'webhook.created',
      targetId: result.id,
      body: sparseFields({ ...loggedFields(result), disabled: result.disabled || null }),
    }),
  }),
  updateWebhook: eventRule<'updateWebhook', Webhook | undefined>({
    before: async (db, accountId, id) => webhook(db, accountId, id),
    createEvent: ({ before, result }, accountId, id, _, at) =>
      changed(
        { accountId, at, targetId: id },
        'webhook.updated',
        before && loggedFields(before),
        loggedFields(result),
      ),
  }),
  rotateWebhook: eventRule<'rotateWebhook'>({
    createEvent: (_, accountId, id, _secret, at) => ({
      accountId,
      at,
      name: 'webhook.rotated',
      targetId: id,
    }),
  }),
  deleteWebhook: eventRule<'deleteWebhook', Webhook | undefined>({
    before: async (db, accountId, id) => webhook(db, accountId, id),
    createEvent: ({ before }, accountId, id) =>
      before && {
        accountId,
        name: 'webhook.deleted',
        targetId: id,
        body: sparseFields(loggedFields(before)),
      },
  }),
};
