import type { ApiKey } from './keys.ts';
import type { Plan } from './plans.ts';
import type { Reach } from './reach.ts';
import type { LoginLink, Session } from './sessions.ts';

/** What can make a change: a person, a key, the session of a key, a command of the operator, or the service by itself. */
export const actorKinds = ['person', 'key', 'session', 'operator', 'background'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** Who makes a change, as history and audit tell it: plain data that goes with a write into its transaction. */
export interface Author {
  readonly kind: ActorKind;
  /** Of the person, the key or the session; null for what has none. */
  readonly id: string | null;
  /** What people call it: the name of the person or of the key, the operator's user name; null for none. */
  readonly name: string | null;
  /** Of the request that asked for the change; null outside of requests. */
  readonly requestId: string | null;
  /** When the change was asked for, ms since the epoch. */
  readonly at: number;
  /** What its changes of links are called, where not by what they do. */
  readonly does?: 'imported' | undefined;
  /** The part of the links that its writes keep to; undefined for all. */
  readonly reach?: Reach | undefined;
}

/** What acts for an account in a request, and what it may do. Rules ask for what it may do, not for its kind. */
export interface Actor extends Pick<Author, 'kind'> {
  readonly id: string;
  readonly name: string;
  readonly accountId: number;
  readonly plan: Plan;
  readonly scopes: readonly string[];
  /** By which it acts: itself, or that of its session. */
  readonly key: ApiKey;
  /** When a browser acts. */
  readonly session?: Session | undefined;
  /** When a one-time link acts, which may begin a session and nothing else. */
  readonly loginLink?: LoginLink | undefined;
}

/** A key that acts, by itself or through something that can do no more than the key. */
export function actorOf(key: ApiKey, through: Pick<Actor, 'session' | 'loginLink'> = {}): Actor {
  const who = identityOf(key, through.session);
  const { name, accountId, plan, scopes } = key;
  return { ...who, name, accountId, plan, scopes, key, ...through };
}

/** A person is who they are, whichever of their browsers acts. */
function identityOf({ id, member }: ApiKey, session: Session | undefined): Pick<Actor, 'kind' | 'id'> {
  if (member?.isSelf) return { kind: 'person', id: member.id };
  return session === undefined ? { kind: 'key', id } : { kind: 'session', id: session.id };
}

/** Returns the author of what a person does who proves who they are by the request itself, such as signing in. */
export function personAs(id: string | null, name: string | null, at: number): Author {
  return { kind: 'person', id, name, requestId: null, at };
}

/** Returns who is shown as the author of what a key creates: a person by any of their browsers, or the key. */
export function creatorOf({ id, name, member }: ApiKey) {
  return member?.isSelf
    ? ({ kind: 'person', id: member.id, name: member.name } as const)
    : ({ kind: 'key', id, name } as const);
}

/**
 * Who is told to have made the changes of a request.
 * @param isOperating when it changes an account that is not theirs, which is told no id from another one
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
