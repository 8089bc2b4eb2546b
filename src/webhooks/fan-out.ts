import type { DomainReads } from '../model/domains/domain-storage.ts';
import { sharedDomainId } from '../model/domains/domains.ts';
import type { AccountEvent, EventFollowing } from '../model/history/events.ts';
import { publicEventType } from '../model/history/public-events.ts';
import type { WebhookReads, WebhookWrites } from '../model/webhooks/webhook-storage.ts';
import { matchesEvent, type NewDelivery, type Webhook } from '../model/webhooks/webhooks.ts';

export interface FanOutOptions {
  readonly storage: EventFollowing &
    Pick<DomainReads, 'domains'> &
    Pick<WebhookReads, 'webhookPosition' | 'subscribedWebhooks' | 'nextReplay'> &
    Pick<WebhookWrites, 'addDeliveries' | 'replayDeliveries'>;
  /** Returns an event's payload; undefined for types that webhooks do not receive. */
  readonly bodyOf: (event: AccountEvent) => string | undefined;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

const maxPerPage = 500;

/**
 * Creates deliveries for events after the last event that any process has handled. An event that is not visible yet,
 * because an earlier transaction is still running, is not skipped: a later call reads it.
 * @returns true if there may be more events
 */
export async function fanOut(options: FanOutOptions): Promise<boolean> {
  const { storage, now } = options;
  const from = await storage.webhookPosition();
  const { events, head, hasMore } = await storage.followEvents(from, maxPerPage);
  const to = events.at(-1)?.seq ?? head ?? from;
  if (to <= from) return false;
  const accounts = new Set(events.map(({ accountId }) => accountId));
  const webhooks = accounts.size === 0 ? [] : await storage.subscribedWebhooks([...accounts]);
  const added: NewDelivery[] = [];
  if (webhooks.length > 0) {
    const wanted = await Promise.all(
      webhooks.map(async (webhook) => ({ ...webhook, wants: await eventFilter(options, webhook) })),
    );
    const byAccount = Map.groupBy(wanted, ({ accountId }) => accountId);
    for (const event of events) {
      const subscribed = (byAccount.get(event.accountId) ?? []).filter(
        ({ afterSeq, wants }) => event.seq > afterSeq && wants(event),
      );
      added.push(...deliveriesOf(options, event, subscribed));
    }
  }
  await storage.addDeliveries(from, to, added, now());
  return hasMore;
}

/** Creates the missing deliveries for a webhook whose events are replayed. @returns true if there may be more events */
export async function replay(options: FanOutOptions): Promise<boolean> {
  const { storage, now } = options;
  const webhook = await storage.nextReplay();
  if (webhook === undefined) return false;
  const { id, accountId, after, since } = webhook;
  const { events, hasMore } = await storage.followEvents(after, maxPerPage, accountId);
  const wants = await eventFilter(options, webhook);
  const added = events
    .filter((event) => event.at >= since && wants(event))
    .flatMap((event) => deliveriesOf(options, event, [webhook]));
  // The replay ends with the last page, because `fanOut` delivers all later events.
  await storage.replayDeliveries(id, after, hasMore ? (events.at(-1)?.seq ?? null) : null, added, now());
  return true;
}

/** Returns a function that checks whether a webhook receives an event. */
async function eventFilter(
  { storage }: FanOutOptions,
  webhook: Webhook,
): Promise<(event: AccountEvent) => boolean> {
  const { accountId, domainIds } = webhook;
  const domains = domainIds === null ? [] : await storage.domains(accountId);
  const hosts = [
    ...domains.filter(({ id }) => domainIds?.includes(id)).map(({ host }) => host),
    ...(domainIds?.includes(sharedDomainId) ? [''] : []),
  ];
  const bound = domainIds === null ? undefined : new Set(hosts);
  return (event) => {
    const type = publicEventType(event.name);
    return type !== undefined && matchesEvent(webhook, bound, type, event);
  };
}

function deliveriesOf(
  { bodyOf }: FanOutOptions,
  event: AccountEvent,
  subscribed: readonly Pick<Webhook, 'id'>[],
): NewDelivery[] {
  const type = publicEventType(event.name);
  const body = subscribed.length === 0 ? undefined : bodyOf(event);
  if (type === undefined || body === undefined) return [];
  return subscribed.map(({ id }) => ({ webhookId: id, eventId: `evt_${event.seq}`, type, body }));
}
