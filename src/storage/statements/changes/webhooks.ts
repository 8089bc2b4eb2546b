import { hash } from 'node:crypto';
import type { Fields } from '../../../model/history/events.ts';
import type { Webhook } from '../../../model/webhooks/webhooks.ts';
import { sparseFields } from '../events/append.ts';
import { webhook } from '../webhooks/webhooks.ts';
import { changed, type NotedWrites, noted } from './changes.ts';

/** Of an address the host, and a digest by which another path is distinguished: the path may be all that it is proven by. */
function ofWebhook({ url, events, folderIds, domainIds, tags, description, disabled }: Webhook): Fields {
  const address = `${URL.parse(url)?.origin ?? ''}/… (${hash('sha256', url).slice(0, 8)})`;
  return { url: address, events, folderIds, domainIds, tags, description, disabled };
}

/** Writes of endpoints by their owners. */
export const ofWebhooks: NotedWrites = {
  createWebhook: noted<'createWebhook'>({
    told: ({ result }, accountId, { createdAt: at }) => ({
      accountId,
      at,
      name: 'webhook.created',
      targetId: result.id,
      body: sparseFields({ ...ofWebhook(result), disabled: result.disabled || null }),
    }),
  }),
  updateWebhook: noted<'updateWebhook', Webhook | undefined>({
    before: async (db, accountId, id) => webhook(db, accountId, id),
    told: ({ before, result }, accountId, id, _, at) =>
      changed(
        { accountId, at, targetId: id },
        'webhook.updated',
        before && ofWebhook(before),
        ofWebhook(result),
      ),
  }),
  rotateWebhook: noted<'rotateWebhook'>({
    told: (_, accountId, id, _secret, at) => ({ accountId, at, name: 'webhook.rotated', targetId: id }),
  }),
  deleteWebhook: noted<'deleteWebhook', Webhook | undefined>({
    before: async (db, accountId, id) => webhook(db, accountId, id),
    told: ({ before }, accountId, id) =>
      before && { accountId, name: 'webhook.deleted', targetId: id, body: sparseFields(ofWebhook(before)) },
  }),
};
