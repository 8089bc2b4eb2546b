import type { ActorKind, Author } from '../accounts/actors.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/**
 * Actions by target. Target and action form an event name, such as `link.created`. Event names are part of the API
 * contract, so the lists are append-only.
 */
export const accountActions = {
  link: [
    'created',
    'updated',
    'moved',
    'tagged',
    'code-changed',
    'deleted',
    'restored',
    'imported',
    'rolled-back',
  ],
  folder: ['created', 'updated', 'deleted', 'restored'],
  tag: ['created', 'renamed', 'merged', 'deleted'],
  'utm-template': ['created', 'updated', 'deleted'],
  share: ['created', 'revoked'],
  domain: ['created', 'updated', 'deleted', 'active', 'failing'],
  key: ['created', 'rotated', 'revoked'],
  session: ['created', 'ended', 'link-created'],
  branding: ['updated', 'deleted'],
  preferences: ['updated'],
  import: ['created', 'updated', 'undone', 'finished'],
  person: ['joined', 'updated', 'removed'],
  invitation: ['created', 'withdrawn'],
  passkey: ['created', 'renamed', 'deleted'],
  identity: ['connected', 'disconnected'],
  account: ['created', 'updated', 'suspended', 'resumed'],
  webhook: ['created', 'updated', 'rotated', 'deleted'],
  destination: ['failing', 'recovered'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Actions = typeof accountActions;
export type Subject = keyof Actions;
/**
 * Link events without an actor: the link expired, or its last allowed click was used. These events do not create a
 * revision.
 */
const automaticEvents = ['link.expired', 'link.exhausted'] as const;
export type EventName =
  | { [S in Subject]: `${S}.${Actions[S][number]}` }[Subject]
  | (typeof automaticEvents)[number];
/** The action part of a link event's name. */
export type LinkAction = Actions['link'][number];

export const eventKinds = Object.keys(accountActions) as readonly Subject[];
export const eventNames: readonly EventName[] = [
  ...Object.entries(accountActions).flatMap(([subject, actions]) =>
    actions.map((action) => `${subject}.${action}` as EventName),
  ),
  ...automaticEvents,
];

/** Field values by name, as stored in JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** The record of a change, stored in the same transaction as the change. Events are immutable. */
export interface AccountEvent {
  /** Position in the log, across all accounts. */
  readonly seq: number;
  readonly accountId: number;
  /** When the change was made, ms since the epoch. */
  readonly at: number;
  readonly name: EventName;
  readonly actor: { readonly kind: ActorKind } & Pick<Author, 'id' | 'name'>;
  readonly requestId: string | null;
  /** Id of the target. */
  readonly targetId: string | null;
  /** The link's revision after the event; 1 for a new link. Null for other targets. */
  readonly revision: number | null;
  /** When the link was created, ms since the epoch; null for other targets. */
  readonly linkCreatedAt: number | null;
  /** Values of changed fields before the event; null for created or deleted targets. */
  readonly was: Fields | null;
  /**
   * Field values after the event, by field name. A link's fields are those of `Link`. Empty values (null, 0, an empty
   * list) are omitted. Secrets are replaced by a placeholder.
   */
  readonly body: Fields | null;
}

/** A field's old and new values. */
export interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Returns an event's changes by field. For a created target, returns every field with null as the old value. For a
 * deleted target, returns no fields.
 */
export function changesOf({
  was,
  body,
  name,
}: Pick<AccountEvent, 'was' | 'body' | 'name'>): Readonly<Record<string, Change>> {
  const isRemoval = /\.(?:deleted|revoked|ended|withdrawn|removed|undone)$/.test(name);
  const before =
    was ?? (isRemoval ? {} : Object.fromEntries(Object.keys(body ?? {}).map((field) => [field, null])));
  return Object.fromEntries(
    Object.entries(before).map(([field, from]) => [field, { from, to: body?.[field] ?? null }]),
  );
}

/** Returns the display name of an event's target; null if the target has no name. */
export function targetName({ was, body }: Pick<AccountEvent, 'was' | 'body'>): string | null {
  const fields = { ...was, ...body };
  const name = ['code', 'name', 'host', 'email', 'url'].map((field) => fields[field]).find(Boolean);
  return typeof name === 'string' ? name : null;
}

/** A query for a page of events, newest first. */
export interface EventsQuery {
  readonly limit: number;
  /** Lists only events with lower sequence numbers. */
  readonly before?: number | undefined;
  readonly name?: EventName | undefined;
  readonly kind?: Subject | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
  /** Start of the time range, ms since the epoch, inclusive. */
  readonly from?: number | undefined;
  /** End of the time range, ms since the epoch, exclusive. */
  readonly to?: number | undefined;
}

/** A page of the event log, oldest first. */
export interface LogPage {
  readonly events: readonly AccountEvent[];
  /**
   * The log is complete up to this position. A reader continues after it, or after the last event on the page if
   * `hasMore` is true. Undefined while the position is unknown.
   */
  readonly head: number | undefined;
  readonly hasMore: boolean;
}

/** Retention of events for `GET /events/log` and webhooks, in days. */
export const logDays = 30;

export interface EventReads {
  /** Lists an account's events, newest first. */
  accountEvents(accountId: number, query: EventsQuery): MaybePromise<readonly AccountEvent[]>;
  /**
   * Lists a link's events, newest first, even if the link is deleted. Returns undefined if the account does not have
   * the link.
   * @param before lists only events with a lower revision
   */
  linkEvents(
    accountId: number,
    id: string,
    limit: number,
    before?: number,
  ): MaybePromise<readonly AccountEvent[] | undefined>;
  /**
   * Returns the event that created a link's revision, and the event after it, if they are stored. Returns no events for
   * another account's link.
   */
  revisionEvents(accountId: number, id: string, revision: number): MaybePromise<readonly AccountEvent[]>;
}

export interface EventFollowing {
  /**
   * Reads the event log of one account or of all accounts. Never skips an event: a page ends before the first position
   * at which a running transaction may still add an event (docs/decisions/events-and-webhooks.md).
   */
  followEvents(after: number, limit: number, accountId?: number): Promise<LogPage>;
}

export interface EventLogWrites {
  /**
   * Deletes some of the oldest events before a time.
   * @param before ms since the epoch
   * @param max maximum number of events
   * @returns true if more events may remain to be deleted
   */
  trimHistory(before: number, max: number): Promise<boolean>;
}
