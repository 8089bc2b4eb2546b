import type { webhookEndpoints } from '../contract/accounts/webhooks.ts';
import { apiPrefix } from '../contract/endpoint.ts';
import { creatorOf } from '../model/accounts/actors.ts';
import { Failure, type Problem, problem } from '../model/failures.ts';
import { type AccountEvent, logDays } from '../model/history/events.ts';
import { isId } from '../model/ids.ts';
import { isProblem, readDestination } from '../model/links/destinations/destinations.ts';
import { apiRecord, defaultsOf } from '../model/record-fields.ts';
import { formatTimestamp, parseTimestamp } from '../model/timestamps.ts';
import { clickedType, type WebhookClick } from '../model/webhooks/clicks.ts';
import { generateSigningSecret } from '../model/webhooks/signing.ts';
import {
  type Delivery,
  deliveryFields,
  testType,
  type Webhook,
  webhookFields,
} from '../model/webhooks/webhooks.ts';
import { type EventContext, loggedEvent } from './audit.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { createPaging, cutPage } from './request/paging.ts';

function shown(webhook: Webhook) {
  return apiRecord(webhookFields, webhook);
}

function shownDelivery(delivery: Delivery) {
  return apiRecord(deliveryFields, delivery);
}

/** Maximum size of an event's payload in bytes. */
const maxEventBytes = 20_000;

/** Returns an event's webhook payload; undefined for types that webhooks do not receive. */
export function bodyOf(context: EventContext, event: AccountEvent): string | undefined {
  const { id: _, ...logged } = loggedEvent(context, event) ?? {};
  if (!('type' in logged)) return undefined;
  const whole = JSON.stringify(logged);
  if (Buffer.byteLength(whole) <= maxEventBytes) return whole;
  const { changes: _changes, ...data } = logged.data as Record<string, unknown>;
  const without = JSON.stringify({ ...logged, data });
  if (Buffer.byteLength(without) <= maxEventBytes) return without;
  const { id, shortCode, shortUrl, revision } = data;
  return JSON.stringify({ ...logged, data: { id, shortCode, shortUrl, revision } });
}

/**
 * Returns a click as JSON for webhooks. The format is the same as in the event stream, but without `type` and without
 * empty values.
 */
export function clickText({ linkId, code: shortCode, folderId, at, click }: WebhookClick): string {
  const known = Object.fromEntries(Object.entries(click).filter(([, word]) => word !== ''));
  return JSON.stringify({ linkId, shortCode, folderId, time: formatTimestamp(at), ...known });
}

/** Returns the payload for a batch of clicks. @param clicks serialized clicks */
export function clickedBody(clicks: readonly string[], now: number): string {
  const head = JSON.stringify({ type: clickedType, timestamp: formatTimestamp(now) });
  return `${head.slice(0, -1)},"data":{"clicks":[${clicks.join(',')}]}}`;
}

/** Destination rules that allow any host. Each delivery checks whether the host's network is allowed. */
const anyTarget = {
  maxLength: 2_048,
  ownHosts: new Set<string>(),
  blockedHosts: [],
  blockPrivate: false,
  isListed: () => false,
};

function urlProblems(url: string | undefined): Problem[] {
  const read = url === undefined ? undefined : readDestination(url, anyTarget);
  return read !== undefined && isProblem(read) ? [read] : [];
}

/** Returns the settings from the body. The URL is normalized to the form that deliveries use. */
function settingsIn<S extends { readonly url?: string }>(sent: S): S {
  return sent.url === undefined ? sent : { ...sent, url: new URL(sent.url).href };
}

/** Generates a signing secret. Returns it in plain text for the owner, and encrypted for storage. */
function newSecret({ randomBytes, encrypt }: ApiContext, id: string) {
  const secret = generateSigningSecret(randomBytes);
  return { secret, encrypted: encrypt(secret, id) };
}

const defaultLimit = 20;
const dayMs = 86_400_000;

const paging = createPaging(
  (id) => (typeof id === 'string' && isId(id) ? id : undefined),
  'belongs to another webhook. Omit it to get the first page.',
);

export const webhookHandlers: Handlers<typeof webhookEndpoints> = {
  listWebhooks: {
    async run({ context, key }) {
      return { success: true, data: (await context.storage.webhooks(key.accountId)).map(shown) };
    },
  },

  createWebhook: {
    rules: ({ body }) => urlProblems(body.url),
    async run({ context, key, body }) {
      const { id, createdAt } = context.stamp();
      const { secret, encrypted } = newSecret(context, id);
      const made = await context.writes.createWebhook(key.accountId, {
        ...defaultsOf(webhookFields),
        ...settingsIn(body),
        id,
        createdAt,
        createdBy: creatorOf(key),
        secret: encrypted,
      });
      return { success: true, data: { ...shown(made), secret } };
    },
    location: (body) => `${apiPrefix}/webhooks/${body.data.id}`,
  },

  getWebhook: {
    async run({ context, key, params }) {
      const found = await context.storage.webhook(key.accountId, params.id);
      if (found === undefined) throw new Failure('WEBHOOK_NOT_FOUND');
      return { success: true, data: shown(found) };
    },
  },

  updateWebhook: {
    rules: ({ body }) => urlProblems(body.url),
    async run({ context, key, params, body }) {
      const change = settingsIn(body);
      const changed = await context.writes.updateWebhook(key.accountId, params.id, change, context.now());
      return { success: true, data: shown(changed) };
    },
  },

  deleteWebhook: {
    async run({ context, key, params }) {
      await context.writes.deleteWebhook(key.accountId, params.id);
    },
  },

  rotateWebhook: {
    async run({ context, key, params }) {
      const id = params.id;
      const { secret, encrypted } = newSecret(context, id);
      const rotated = await context.writes.rotateWebhook(key.accountId, id, encrypted, context.now());
      return { success: true, data: { ...shown(rotated), secret } };
    },
  },

  testWebhook: {
    async run({ context, key, params }) {
      const webhookId = params.id;
      const now = context.now();
      const body = { type: testType, timestamp: formatTimestamp(now), data: { webhookId } };
      const eventId = `evt_test_${context.stamp().id}`;
      const delivery = { webhookId, eventId, type: testType, body: JSON.stringify(body) };
      const made = await context.writes.addDelivery(key.accountId, delivery, now);
      return { success: true, data: shownDelivery(made) };
    },
    location: (_, { params }) => `${apiPrefix}/webhooks/${params.id}/deliveries`,
  },

  listDeliveries: {
    rules: ({ key, params, query }) => paging.problems([key.accountId, params.id], query.cursor),
    async run({ context, key, params, query: { limit = defaultLimit, cursor } }) {
      const id = params.id;
      const list = [key.accountId, params.id];
      if ((await context.storage.webhook(key.accountId, id)) === undefined)
        throw new Failure('WEBHOOK_NOT_FOUND');
      const before = paging.after(list, cursor);
      const found = await context.storage.deliveries(key.accountId, id, limit + 1, before);
      const { page, pagination } = cutPage(list, found, limit, ({ id }) => id);
      return { success: true, data: page.map(shownDelivery), pagination };
    },
  },

  resendDelivery: {
    async run({ context, key, params }) {
      const { accountId } = key;
      const again = await context.writes.resendDelivery(accountId, params.id, params.delivery, context.now());
      return { success: true, data: shownDelivery(again) };
    },
  },

  replayWebhook: {
    rules({ body }) {
      if (body.since === undefined || parseTimestamp(body.since) !== undefined) return [];
      return [problem('since', 'invalid_format', 'since must be a valid calendar date.')];
    },
    async run({ context, key, params, body }) {
      const kept = context.now() - logDays * dayMs;
      const since = Math.max(parseTimestamp(body.since) ?? kept, kept);
      const { all = false } = body;
      const asked = { since, all };
      const again = await context.writes.replayWebhook(key.accountId, params.id, asked, context.now());
      return { success: true, data: { since: formatTimestamp(since), deliveries: again } };
    },
  },
};
