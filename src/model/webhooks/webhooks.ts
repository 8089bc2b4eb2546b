import type { AccountEvent, Fields } from '../history/events.ts';
import { toldTypes } from '../history/told.ts';
import { clickedType } from './clicks.ts';

/** What endpoints can be told of: what happens, and clicks, which no log of events has. */
export const hookTypes = [...toldTypes, clickedType] as const;
export type HookType = (typeof hookTypes)[number];

/** What is sent to try an endpoint, whatever it is told of. */
export const testType = 'webhook.test';
/** Most endpoints of an account. */
export const webhookLimit = 100;

/** Which events an endpoint is told of: all that are given must hold; null for any. */
export interface WebhookFilter {
  readonly events: readonly HookType[];
  readonly folderIds: readonly string[] | null;
  readonly domainIds: readonly string[] | null;
  readonly tags: readonly string[] | null;
}

export interface WebhookSettings extends WebhookFilter {
  readonly url: string;
  readonly description: string | null;
  readonly disabled: boolean;
}

/** Why an endpoint is off: its owner wanted it, it said so by 410, or nothing arrived for five days. */
export const disabledReasons = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** An endpoint. Times are ms since the epoch. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly accountId: number;
  readonly disabledReason: DisabledReason | null;
  /** Null while all goes well, and before the first request. */
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
  readonly createdAt: number;
  /** The person or the key that created it, as they were called then; null for one from before this was kept. */
  readonly createdBy: { readonly kind: 'person' | 'key'; readonly id: string; readonly name: string } | null;
  readonly updatedAt: number;
}

/** An endpoint that events become deliveries for. */
export interface ListeningWebhook extends Webhook {
  /** The number of the log behind which it is told of events. */
  readonly afterSeq: number;
}

/** An endpoint that is told again of what happened since a time, as far as it was not. */
export interface Replay extends Webhook {
  /** The number of the log behind which it goes on. */
  readonly after: number;
  readonly since: number;
}

/** What signs, sealed: the secret, and the one before for a day. */
export interface SealedSecrets {
  readonly secret: Uint8Array;
  readonly oldSecret: Uint8Array | null;
  /** ms since the epoch; 0 without an old one */
  readonly oldUntil: number;
}

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** How an attempt ended. */
export interface Attempt {
  /** ms since the epoch */
  readonly at: number;
  readonly ms: number;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** The first 2,048 bytes of the answer, or why there was none. */
  readonly answer: string;
}

/** One event for one endpoint. */
export interface Delivery {
  readonly id: string;
  /** What receivers get as `webhook-id`. */
  readonly eventId: string;
  readonly type: string;
  /** The first {@link shownOfBody} characters. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly createdAt: number;
  readonly attempts: number;
  /** ms since the epoch; null when there will be none */
  readonly nextAttemptAt: number | null;
  readonly last: Attempt | null;
}

/** How much lists show of a body, in characters. */
export const shownOfBody = 2_048;

/** Something to be told to one endpoint. The id of the event is the same for every endpoint and every attempt. */
export interface NewDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
}

/** An endpoint that a process sends to, alone, until its lease ends. */
export interface LeasedWebhook
  extends Pick<Webhook, 'id' | 'accountId' | 'url' | 'failingSince'>,
    SealedSecrets {
  /** Before that it gets no clicks, ms since the epoch. */
  readonly clicksDueAt: number;
}

export interface DueDelivery extends Pick<NewDelivery, 'eventId' | 'type' | 'body'> {
  readonly row: number;
  readonly attempts: number;
}

/** What became of an attempt. */
export interface Settled {
  readonly webhookId: string;
  readonly deliveryRow: number;
  readonly attempt: Attempt;
  readonly isDelivered: boolean;
  /** Whether the endpoint is well, and only wants to be asked later. */
  readonly isBusy: boolean;
  /** When it is tried again; null for never. */
  readonly nextAttemptAt: number | null;
  /** Why the endpoint is switched off; null when it is not. */
  readonly disable: DisabledReason | null;
  /** Of a request with clicks: before that the endpoint gets no other one, ms since the epoch. */
  readonly clicksDueAt?: number | undefined;
}

/**
 * Whether an endpoint is told of an event.
 * @param hosts of the domains that it is bound to, empty for the shared one; undefined for any
 */
export function listensTo(
  { events, folderIds, tags }: WebhookFilter,
  hosts: ReadonlySet<string> | undefined,
  type: HookType,
  { was, body }: Pick<AccountEvent, 'was' | 'body'>,
): boolean {
  if (!events.includes(type)) return false;
  if (!/^(?:link|destination)\./.test(type)) return true;
  // A link that leaves a folder is told to those who watch the folder, too.
  const known: readonly Fields[] = [body ?? {}, { ...body, ...was }];
  const has = (field: string, isWanted: (value: string) => boolean): boolean =>
    known.some((fields) => [fields[field] ?? ''].flat().some((value) => isWanted(String(value))));
  return (
    (folderIds === null || has('folderId', (id) => folderIds.includes(id))) &&
    (hosts === undefined || has('host', (host) => hosts.has(host))) &&
    (tags === null || has('tags', (tag) => tags.includes(tag)))
  );
}
