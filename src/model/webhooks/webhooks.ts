import type { AccountEvent, Fields } from '../history/events.ts';
import { publicEventTypes } from '../history/public-events.ts';
import { clickedType } from './clicks.ts';

/** Event types that endpoints can subscribe to: events in the log, and clicks, which are not in the log. */
export const webhookTypes = [...publicEventTypes, clickedType] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Type of a test event. It is sent regardless of subscriptions. */
export const testType = 'webhook.test';
/** Maximum endpoints of an account. */
export const webhookLimit = 100;

/** Filters of an endpoint. An event must match all of them; null matches any event. */
export interface WebhookFilter {
  readonly events: readonly WebhookType[];
  readonly folderIds: readonly string[] | null;
  readonly domainIds: readonly string[] | null;
  readonly tags: readonly string[] | null;
}

export interface WebhookSettings extends WebhookFilter {
  readonly url: string;
  readonly description: string | null;
  readonly disabled: boolean;
}

/** Why an endpoint is disabled: by its owner, after a 410 response, or after five days of failures. */
export const disabledReasons = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** An endpoint. Times are ms since the epoch. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly accountId: number;
  readonly disabledReason: DisabledReason | null;
  /** Null while deliveries succeed, and before the first delivery. */
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
  readonly createdAt: number;
  /**
   * The member or key that created it, with its name at the time; null for endpoints created before this was stored.
   */
  readonly createdBy: { readonly kind: 'person' | 'key'; readonly id: string; readonly name: string } | null;
  readonly updatedAt: number;
}

/** An endpoint that receives deliveries. */
export interface SubscribedWebhook extends Webhook {
  /** The position in the log after which it receives events. */
  readonly afterSeq: number;
}

/** An endpoint that replays undelivered events since a time. */
export interface Replay extends Webhook {
  /** The position in the log where it continues. */
  readonly after: number;
  readonly since: number;
}

/** Encrypted signing secrets: the current one and, for a day after a rotation, the previous one. */
export interface EncryptedSecrets {
  readonly secret: Uint8Array;
  readonly oldSecret: Uint8Array | null;
  /** ms since the epoch; 0 without a previous secret */
  readonly oldUntil: number;
}

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The result of an attempt. */
export interface Attempt {
  /** ms since the epoch */
  readonly at: number;
  readonly ms: number;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** The first 2,048 bytes of the response, or the error. */
  readonly answer: string;
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  readonly id: string;
  /** The `webhook-id` header. */
  readonly eventId: string;
  readonly type: string;
  /** The first {@link shownOfBody} characters. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly createdAt: number;
  readonly attempts: number;
  /** ms since the epoch; null for none */
  readonly nextAttemptAt: number | null;
  readonly last: Attempt | null;
}

/** Maximum characters of a body in lists. */
export const shownOfBody = 2_048;

/** A delivery to create. The event id is the same for all endpoints and attempts. */
export interface NewDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
}

/** An endpoint with a lease, which allows only one process at a time to send to it. */
export interface LeasedWebhook
  extends Pick<Webhook, 'id' | 'accountId' | 'url' | 'failingSince'>,
    EncryptedSecrets {
  /** Earliest time of the next click delivery, ms since the epoch. */
  readonly clicksDueAt: number;
}

export interface DueDelivery extends Pick<NewDelivery, 'eventId' | 'type' | 'body'> {
  readonly row: number;
  readonly attempts: number;
}

/** The result of a delivery attempt. */
export interface DeliveryResult {
  readonly webhookId: string;
  readonly deliveryRow: number;
  readonly attempt: Attempt;
  readonly isDelivered: boolean;
  /** Whether the endpoint is healthy and only asked to retry later. */
  readonly isBusy: boolean;
  /** Time of the next attempt; null for none. */
  readonly nextAttemptAt: number | null;
  /** Why to disable the endpoint; null to leave it enabled. */
  readonly disable: DisabledReason | null;
  /** For a delivery of clicks: earliest time of the endpoint's next one, ms since the epoch. */
  readonly clicksDueAt?: number | undefined;
}

/**
 * Returns true if an endpoint's subscription and filters match an event.
 * @param hosts hosts of the endpoint's domain filter, empty string for the shared domain; undefined for all
 */
export function matchesEvent(
  { events, folderIds, tags }: WebhookFilter,
  hosts: ReadonlySet<string> | undefined,
  type: WebhookType,
  { was, body }: Pick<AccountEvent, 'was' | 'body'>,
): boolean {
  if (!events.includes(type)) return false;
  if (!/^(?:link|destination)\./.test(type)) return true;
  // A link that leaves a folder also matches filters on that folder.
  const known: readonly Fields[] = [body ?? {}, { ...body, ...was }];
  const has = (field: string, isWanted: (value: string) => boolean): boolean =>
    known.some((fields) => [fields[field] ?? ''].flat().some((value) => isWanted(String(value))));
  return (
    (folderIds === null || has('folderId', (id) => folderIds.includes(id))) &&
    (hosts === undefined || has('host', (host) => hosts.has(host))) &&
    (tags === null || has('tags', (tag) => tags.includes(tag)))
  );
}
