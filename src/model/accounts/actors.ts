import type { ResolvedRestrictions } from './key-restrictions.ts';
import type { ApiKey } from './keys.ts';
import type { Plan } from './plans.ts';
import type { LoginLink, Session } from './sessions.ts';

/** Kinds of actors: a person, an API key, a key's browser session, an operator command, or a background job. */
export const actorKinds = ['person', 'key', 'session', 'operator', 'background'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The author of a change, as recorded in the history and the audit log in the same transaction as the change. */
export interface Author {
  readonly kind: ActorKind;
  /** Id of the person, key or session; null for other actors. */
  readonly id: string | null;
  /** Display name of the person or key, or the operator's user name; null if there is none. */
  readonly name: string | null;
  /** Id of the HTTP request; null outside of requests. */
  readonly requestId: string | null;
  /** When the change was requested, ms since the epoch. */
  readonly at: number;
  /** Action to record for changes to links, instead of the default action. */
  readonly does?: 'imported' | undefined;
  /** Restrictions of the key that makes the request; undefined if it has none. Writes to links outside them fail. */
  readonly restrictions?: ResolvedRestrictions | undefined;
}

/** The authenticated actor of a request and its permissions. Rules check permissions, not the kind of actor. */
export interface Actor extends Pick<Author, 'kind'> {
  readonly id: string;
  readonly name: string;
  readonly accountId: number;
  readonly plan: Plan;
  readonly scopes: readonly string[];
  /** The key that makes the request, or the key that the session belongs to. */
  readonly key: ApiKey;
  /** Set for browser sessions. */
  readonly session?: Session | undefined;
  /** Set for one-time sign-in links, which can only start a session. */
  readonly loginLink?: LoginLink | undefined;
}

/** Returns the actor for a key that was used directly, or through a session or sign-in link. */
export function actorOf(key: ApiKey, through: Pick<Actor, 'session' | 'loginLink'> = {}): Actor {
  const who = identityOf(key, through.session);
  const { name, accountId, plan, scopes } = key;
  return { ...who, name, accountId, plan, scopes, key, ...through };
}

/** Returns the kind and id of an actor. A person has the same id in all of their browser sessions. */
function identityOf({ id, member }: ApiKey, session: Session | undefined): Pick<Actor, 'kind' | 'id'> {
  if (member?.isSelf) return { kind: 'person', id: member.id };
  return session === undefined ? { kind: 'key', id } : { kind: 'session', id: session.id };
}

/** Returns the author of a request that authenticates a person, such as a sign-in. */
export function personAuthor(id: string | null, name: string | null, at: number): Author {
  return { kind: 'person', id, name, requestId: null, at };
}

/** Returns the creator to store with a new record: the person if the key is a member's internal key, else the key. */
export function creatorOf({ id, name, member }: ApiKey) {
  return member?.isSelf
    ? ({ kind: 'person', id: member.id, name: member.name } as const)
    : ({ kind: 'key', id, name } as const);
}

/**
 * Returns the author of a request's changes.
 * @param isOperating true for an operator's changes to another account. Members of that account must not see ids from
 * the operator's own account
 */
export function authorOf(
  { kind, id, name }: Actor,
  requestId: string,
  at: number,
  isOperating = false,
): Author {
  return isOperating
    ? { kind: 'operator', id: null, name, requestId, at }
    : { kind, id, name, requestId, at };
}
