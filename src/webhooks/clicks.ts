import type { DomainReads } from '../model/domains/domain-storage.ts';
import { sharedDomainId } from '../model/domains/domains.ts';
import {
  type ClickedFollowing,
  type ClickedReads,
  type ClickedWebhook,
  type ClickedWrites,
  clickedType,
  clickIntervalMs,
  maxClickBodyBytes,
  maxClicksPerRequest,
  type WebhookClick,
} from '../model/webhooks/clicks.ts';
import { matchesEvent } from '../model/webhooks/webhooks.ts';

export interface ClickDeliveryOptions {
  readonly storage: ClickedFollowing &
    Pick<ClickedReads, 'hasClickSubscribers' | 'nextClicked'> &
    Pick<ClickedWrites, 'addClickDelivery'> &
    Pick<DomainReads, 'domains'> &
    ClicksComing;
  /** Returns the payload for a delivery with the given serialized clicks. */
  readonly clickedBody: (clicks: readonly string[], now: number) => string;
  readonly clickText: (click: WebhookClick) => string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Storage functions that fold recent clicks. Webhooks receive only folded clicks. */
interface ClicksComing {
  hasWork(work: 'foldClicks', now: number): boolean | Promise<boolean>;
  acquireLease(name: string, at: number, everyMs: number): Promise<boolean>;
  foldClicks(now: number): Promise<boolean>;
}

/** Estimated size in bytes of the payload without clicks. */
const head = 200;

/**
 * Creates a delivery for a webhook that has no pending delivery. The delivery contains all clicks since the previous
 * delivery.
 * @returns true if there may be more clicks to deliver
 */
export async function createClickDelivery(options: ClickDeliveryOptions): Promise<boolean> {
  const { storage, clickText, clickedBody, now } = options;
  if (!(await storage.hasClickSubscribers())) return false;
  // Folds clicks sooner than statistics require, because webhooks receive only folded clicks.
  if (
    (await storage.hasWork('foldClicks', now())) &&
    (await storage.acquireLease('addClickDelivery', now(), clickIntervalMs))
  )
    await storage.foldClicks(now());
  const webhook = await storage.nextClicked(now());
  if (webhook === undefined) return false;
  const wants = await clickFilter(options, webhook);
  const found = await storage.pendingClicks(
    webhook.accountId,
    webhook.upTo,
    maxClicksPerRequest,
    webhook.tags !== null,
  );
  const texts: string[] = [];
  let bytes = head;
  let { upTo } = webhook;
  for (const click of found.clicks) {
    const text = wants(click) ? clickText(click) : undefined;
    bytes += text === undefined ? 0 : Buffer.byteLength(text) + 1;
    if (bytes >= maxClickBodyBytes) break;
    if (text !== undefined) texts.push(text);
    ({ upTo } = click);
  }
  const { after, had } = webhook.upTo;
  const eventId = `evt_clicks_${webhook.id}_${after}_${had}`;
  const delivery =
    texts.length === 0 ? undefined : { eventId, type: clickedType, body: clickedBody(texts, now()) };
  await storage.addClickDelivery(webhook, bytes < maxClickBodyBytes ? found.upTo : upTo, delivery, now());
  return true;
}

/** Returns a function that checks whether a webhook receives a click. */
async function clickFilter(
  { storage }: ClickDeliveryOptions,
  webhook: ClickedWebhook,
): Promise<(click: WebhookClick) => boolean> {
  const { accountId, domainIds } = webhook;
  const domains = domainIds === null ? [] : await storage.domains(accountId);
  const spaces = domains.filter(({ id }) => domainIds?.includes(id)).map(({ space }) => space);
  if (domainIds?.includes(sharedDomainId)) spaces.push('');
  const bound = domainIds === null ? undefined : new Set(spaces);
  return ({ folderId, space, tags }) =>
    matchesEvent(webhook, bound, clickedType, {
      was: null,
      body: { folderId, host: space, tags: [...tags] },
    });
}
