import type { ActorKind, Author } from '../accounts/actors.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/** What can happen in an account, by what it happens to. Names are part of the contract; a list only grows. */
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
/** A link's end has come, or the last of its clicks was used: nobody changed it, so that it is no revision. */
const byItself = ['link.expired', 'link.exhausted'] as const;
export type EventName = { [S in Subject]: `${S}.${Actions[S][number]}` }[Subject] | (typeof byItself)[number];
/** What history calls a change of a link. */
export type LinkAction = Actions['link'][number];

export const eventNames: readonly EventName[] = [
  ...Object.entries(accountActions).flatMap(([subject, actions]) =>
    actions.map((action) => `${subject}.${action}` as EventName),
  ),
  ...byItself,
];

/** Fields by their names, as JSON keeps them. */
export type Fields = Readonly<Record<string, unknown>>;

/** One change, as it was noted in the transaction that made it. Rows are never changed. */
export interface AccountEvent {
  /** The order in which readers get them, of all accounts. */
  readonly seq: number;
  readonly accountId: number;
  /** ms since the epoch */
  readonly at: number;
  readonly name: EventName;
  readonly actor: { readonly kind: ActorKind } & Pick<Author, 'id' | 'name'>;
  readonly requestId: string | null;
  /** Of what it happened to. */
  readonly targetId: string | null;
  /** Of a link: how many changes it had then, its creation included. */
  readonly revision: number | null;
  /** When the link was made, ms since the epoch; null for what is none. */
  readonly linkCreatedAt: number | null;
  /** What the fields that changed were before; null for what was made or deleted. */
  readonly was: Fields | null;
  /**
   * What it was afterwards, without fields that say nothing (null, 0, an empty list); of a link in the words of `Link`. Of a
   * secret it says only that there is one.
   */
  readonly body: Fields | null;
}

/** What one field was and is. */
export interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** What an event changed, by field. Of what was made every field, from null. */
export function changesOf({
  was,
  body,
  name,
}: Pick<AccountEvent, 'was' | 'body' | 'name'>): Readonly<Record<string, Change>> {
  const isGone = /\.(?:deleted|revoked|ended|withdrawn|removed|undone)$/.test(name);
  const before =
    was ?? (isGone ? {} : Object.fromEntries(Object.keys(body ?? {}).map((field) => [field, null])));
  return Object.fromEntries(
    Object.entries(before).map(([field, from]) => [field, { from, to: body?.[field] ?? null }]),
  );
}

/** A page of what happened, the newest first. */
export interface EventsQuery {
  readonly limit: number;
  /** Only behind it: those with a lower number. */
  readonly before?: number | undefined;
  readonly name?: EventName | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
  /** ms since the epoch, itself included */
  readonly from?: number | undefined;
  /** ms since the epoch, itself not included */
  readonly to?: number | undefined;
}

/** What a reader that follows the log gets, the oldest first. */
export interface LogPage {
  readonly events: readonly AccountEvent[];
  /**
   * Up to which number nothing can appear any more: a reader that has had these events goes on behind it, or behind the last
   * of them where there are more. Undefined while that is not known.
   */
  readonly head: number | undefined;
  readonly hasMore: boolean;
}

/** For so long every event is kept for `GET /events/log` and for webhooks, days. */
export const logDays = 30;

export interface EventReads {
  /** What happened in an account, the newest first. */
  accountEvents(accountId: number, query: EventsQuery): MaybePromise<readonly AccountEvent[]>;
  /**
   * What happened to a link, live or deleted, the newest first; undefined when the account has no such link.
   * @param before only revisions below it
   */
  linkEvents(
    accountId: number,
    id: string,
    limit: number,
    before?: number,
  ): MaybePromise<readonly AccountEvent[] | undefined>;
  /** The event that made a revision of a link, and the one behind it, as far as they are kept; none for a link of another account. */
  revisionEvents(accountId: number, id: string, revision: number): MaybePromise<readonly AccountEvent[]>;
}

export interface EventFollowing {
  /**
   * Follows the log, of one account or of all. No event is passed over: the page ends where a running transaction may still
   * add one (decision 0090).
   */
  followEvents(after: number, limit: number, accountId?: number): Promise<LogPage>;
}

export interface EventLogWrites {
  /**
   * Removes events that are older than the given time, some of the oldest at a time.
   * @param before ms since the epoch
   * @returns whether there may be more
   */
  trimHistory(before: number, max: number): Promise<boolean>;
}
