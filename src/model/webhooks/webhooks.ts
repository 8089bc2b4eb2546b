import type { AccountEvent, Fields } from '../history/events.ts';
import { publicEventTypes } from '../history/public-events.ts';
import type { InputsOf, RecordFields, RecordOf } from '../record-fields.ts';
import { clickedType } from './clicks.ts';

/** Event types that endpoints can subscribe to: events in the log, and clicks, which are not in the log. */
export const webhookTypes = [...publicEventTypes, clickedType] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Type of a test event. Test events are sent regardless of subscriptions. */
export const testType = 'webhook.test';
/** Maximum number of endpoints per account. */
export const webhookLimit = 100;

/** Why an endpoint is disabled: by its owner, after a 410 response, or after five days of failures. */
export const disabledReasons = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Fields of an endpoint's filters. An event must match all filters; null matches any event. */
export const webhookFilterFields = {
  events: {
    kind: 'choices',
    choices: webhookTypes,
    example: ['link.created', 'link.updated'],
    input: {
      required: true,
      about:
        'Events to subscribe to. `link.clicked` sends up to 1,000 clicks in one request, at most one request every 5 s.',
      option: 'events',
      help: `events to send: ${webhookTypes.join(', ')}`,
      optionDefault: ['link.created', 'link.updated', 'link.deleted', 'link.restored'],
    },
  },
  folderIds: {
    kind: 'texts',
    nullable: true,
    input: {
      about: 'Only events for links in these folders; null for all.',
      max: 100,
      each: 64,
      option: 'folder',
      help: 'only links in these folders, by name or ID; empty for all',
      refersTo: 'folder',
    },
  },
  domainIds: {
    kind: 'texts',
    nullable: true,
    input: {
      about: 'Only events for links on these domains; null for all.',
      max: 100,
      each: 64,
      option: 'domain',
      help: 'only links on these domains, by host or ID; empty for all',
      refersTo: 'domain',
    },
  },
  tags: {
    kind: 'texts',
    nullable: true,
    input: {
      about: 'Only events for links with at least one of these tags; null for all.',
      max: 100,
      each: 50,
      option: 'tag',
      help: 'only links with one of these tags; empty for all',
    },
  },
} as const satisfies RecordFields;
export type WebhookFilter = RecordOf<typeof webhookFilterFields>;

/** Fields of a webhook endpoint. */
export const webhookFields = {
  id: { kind: 'id', about: 'Identifier of the webhook.', example: '0198c5a0-8888-7b3a-9c41-3f0f6f2f8a10' },
  accountId: { kind: 'number', isInternal: true },
  url: {
    kind: 'text',
    example: 'https://hooks.example.com/linkfold',
    input: {
      required: true,
      about:
        'http or https URL of your endpoint, which receives events by POST. Redirects are not followed. The endpoint must be on the public internet unless the operator allows private addresses.',
      min: 1,
      max: 2_048,
      option: 'url',
      value: 'url',
      help: 'URL that receives the events',
    },
  },
  ...webhookFilterFields,
  description: {
    kind: 'name',
    nullable: true,
    example: 'Inventory',
    input: { about: 'Optional note.', max: 255, option: 'description', help: 'description' },
  },
  disabled: {
    kind: 'flag',
    input: { only: 'update', about: 'Whether the webhook is disabled and receives no events.' },
  },
  disabledReason: {
    kind: 'choice',
    choices: disabledReasons,
    nullable: true,
    about:
      '`owner`: disabled by a member; `gone`: the endpoint returned 410; `failing`: no delivery succeeded for five days.',
  },
  failingSince: {
    kind: 'time',
    nullable: true,
    about: 'When deliveries started to fail; null if the last delivery succeeded.',
  },
  lastSuccessAt: {
    kind: 'time',
    nullable: true,
    about: 'When the last delivery succeeded; null if none has.',
  },
  createdAt: { kind: 'time', about: 'When the webhook was created.', example: '2027-03-01T09:00:00.000Z' },
  createdBy: {
    kind: 'record',
    nullable: true,
    fields: {
      kind: { kind: 'choice', choices: ['person', 'key'] },
      id: { kind: 'text', about: 'Identifier of the member, or the public part of the key.' },
      name: { kind: 'text', about: 'Name at the time of creation.' },
    },
    about: 'Who created the webhook; null for older webhooks.',
    example: { kind: 'person', id: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60', name: 'Ada Lovelace' },
  },
  updatedAt: {
    kind: 'time',
    about: 'When the webhook was last updated.',
    example: '2027-03-01T09:00:00.000Z',
  },
} as const satisfies RecordFields;
export type Webhook = RecordOf<typeof webhookFields>;
export type WebhookSettings = InputsOf<typeof webhookFields>;

/** An endpoint that receives deliveries. */
export interface SubscribedWebhook extends Webhook {
  /** The position in the log after which the endpoint receives events. */
  readonly afterSeq: number;
}

/** An endpoint to which undelivered events are sent again, starting at the time `since`. */
export interface Replay extends Webhook {
  /** The position in the log at which the replay continues. */
  readonly after: number;
  readonly since: number;
}

/** Encrypted signing secrets: the current secret and, for a day after a rotation, the previous secret. */
export interface EncryptedSecrets {
  readonly secret: Uint8Array;
  readonly oldSecret: Uint8Array | null;
  /** When the previous secret expires, ms since the epoch; 0 if there is no previous secret. */
  readonly oldUntil: number;
}

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Maximum length of a delivery's request body as shown in lists, in characters. */
export const shownOfBody = 2_048;

/** Fields of a delivery, which sends one event to one endpoint. */
export const deliveryFields = {
  id: { kind: 'id', about: 'Identifier of the delivery.', example: '0198c5a0-9999-7b3a-9c41-3f0f6f2f8a10' },
  eventId: { kind: 'text', about: 'Sent as `webhook-id`; the same for all retries.', example: 'evt_42' },
  type: { kind: 'text', about: 'Type of the event.', example: 'folder.created' },
  state: { kind: 'choice', choices: deliveryStates, example: 'delivered' },
  body: {
    kind: 'text',
    about: `The first ${shownOfBody.toLocaleString('en')} characters of the request body.`,
    example:
      '{"type":"folder.created","timestamp":"2027-03-01T09:00:00.000Z","data":{"id":"0197c4a2-7a83-7f3e-9b1d-2f4a6c8e0b7d","name":"Spring"}}',
  },
  createdAt: { kind: 'time', about: 'When the delivery was created.', example: '2027-03-01T09:00:00.000Z' },
  attempts: { kind: 'count', about: 'Number of attempts so far.', example: 1 },
  nextAttemptAt: {
    kind: 'time',
    nullable: true,
    about: 'When the next attempt is due; null if no attempt follows.',
  },
  lastAttempt: {
    kind: 'record',
    nullable: true,
    fields: {
      at: { kind: 'time', about: 'When the attempt started.' },
      ms: { kind: 'count', about: 'Duration in milliseconds.' },
      status: {
        kind: 'number',
        nullable: true,
        about: 'HTTP status of the response; null without a response.',
      },
      answer: {
        kind: 'text',
        about: 'The first 2,048 bytes of the response, or the reason why the endpoint did not respond.',
      },
    },
    example: { at: '2027-03-01T09:00:01.000Z', ms: 120, status: 204, answer: '' },
  },
} as const satisfies RecordFields;
export type Delivery = RecordOf<typeof deliveryFields>;
/** The result of an attempt. */
export type Attempt = NonNullable<Delivery['lastAttempt']>;

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
  /** Whether the endpoint works but asked Linkfold to retry later. */
  readonly isBusy: boolean;
  /** Time of the next attempt; null if there is none. */
  readonly nextAttemptAt: number | null;
  /** The reason to disable the endpoint; null to leave it enabled. */
  readonly disable: DisabledReason | null;
  /** Earliest time of the endpoint's next click delivery, ms since the epoch. Set for click deliveries. */
  readonly clicksDueAt?: number | undefined;
}

/**
 * Returns true if an endpoint's subscription and filters match an event.
 * @param hosts hosts of the endpoint's domain filter, empty string for the shared domain; undefined for all domains
 */
export function matchesEvent(
  { events, folderIds, tags }: WebhookFilter,
  hosts: ReadonlySet<string> | undefined,
  type: WebhookType,
  { was, body }: Pick<AccountEvent, 'was' | 'body'>,
): boolean {
  if (!events.includes(type)) return false;
  if (!/^(?:link|destination)\./.test(type)) return true;
  // Includes the old values, so that a link that leaves a folder also matches filters on that folder.
  const known: readonly Fields[] = [body ?? {}, { ...body, ...was }];
  const has = (field: string, isWanted: (value: string) => boolean): boolean =>
    known.some((fields) => [fields[field] ?? ''].flat().some((value) => isWanted(String(value))));
  return (
    (folderIds === null || has('folderId', (id) => folderIds.includes(id))) &&
    (hosts === undefined || has('host', (host) => hosts.has(host))) &&
    (tags === null || has('tags', (tag) => tags.includes(tag)))
  );
}
