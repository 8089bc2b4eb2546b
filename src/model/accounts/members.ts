import type { Context } from '../context.ts';
import { Failure, type Problem, problem, refused } from '../failures.ts';
import { idText, isId } from '../ids.ts';
import type { Actor } from './actors.ts';
import { digestOf, drawKey } from './keys.ts';
import type { Plan } from './plans.ts';
import { type Bounds, type BoundsWanted, boundsProblems } from './reach.ts';
import { mayGive, type Role } from './roles.ts';
import {
  couldBeSecret,
  createLogin,
  drawSecret,
  drawSession,
  requireFresh,
  type Session,
} from './sessions.ts';

/** A person in an account. Somebody who is in several accounts is a member of each, with nothing in common. */
export interface Member {
  readonly id: string;
  readonly accountId: number;
  /** The key with which the person acts. Nobody has what proves it. */
  readonly keyId: string;
  readonly name: string;
  /** As the invitation said, or a provider that verified it; null for none. */
  readonly email: string | null;
  readonly role: Role;
  readonly createdAt: number;
  /** Whether they are an operator of the installation, too. */
  readonly isOperator: boolean;
  /** What the person is bound to; undefined for nothing. */
  readonly bounds: Bounds | undefined;
  /** When the person did something last, up to a minute behind; null for never. */
  readonly lastSeenAt: number | null;
  /** Live keys that the person made. */
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

export interface NewMember {
  readonly id: string;
  readonly keyId: string;
  readonly digest: Uint8Array;
  readonly name: string;
  readonly createdAt: number;
}

export interface Invitation {
  readonly id: string;
  readonly accountId: number;
  readonly account: string;
  readonly accountSuspended: boolean;
  readonly role: Role;
  readonly plan: Plan;
  readonly email: string | null;
  /** What the person will be bound to; undefined for nothing. */
  readonly bounds: Bounds | undefined;
  /** The key that invites; null for the operator. */
  readonly inviter: string | null;
  /** What that is called, or the person is; null for the operator, or when it is gone. */
  readonly inviterName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type NewInvitation = Omit<Invitation, 'account' | 'accountSuspended' | 'inviterName'> & {
  readonly digest: Uint8Array;
};

/** What becomes of the keys of somebody who leaves. */
export const leftKeys = ['keep', 'revoke'] as const;
export type LeftKeys = (typeof leftKeys)[number];

/** How long an invitation lasts, ms. */
export const invitationLifetimeMs = 7 * 86_400_000;
/** Most invitations of an account that wait. */
export const maxInvitations = 100;

const prefix = 'lfi_';

export function memberNotFound(): Failure {
  return new Failure('MEMBER_NOT_FOUND');
}

export function invitationNotFound(): Failure {
  return new Failure('INVITATION_NOT_FOUND');
}

export function lastOwner(): Failure {
  return new Failure('LAST_OWNER');
}

/** Who asks: a key, and the session through which it does. */
type By = Pick<Actor, 'key' | 'session'>;

/** @throws Failure INSUFFICIENT_SCOPE when a key may not give the role, or take it away; REAUTHENTICATION_REQUIRED */
function requireRank(by: By, role: Role, now: number): void {
  const { key } = by;
  if (mayGive(key, role)) {
    if (role === 'owner') requireFresh(by, now);
    return;
  }
  const message =
    role === 'owner' && key.member !== undefined
      ? 'Only an owner may do this with an owner.'
      : `This needs all that the role ${role} may do.`;
  throw new Failure('INSUFFICIENT_SCOPE', message);
}

/** An address as nearly everybody has one: without quotation marks, and without what separates addresses in a letter. */
const emailShape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/;

/** What is wrong with an address for mail. What follows the `@` is all that is known of it without sending any. */
export function emailProblems(email: string | null | undefined): Problem[] {
  if (email == null || emailShape.test(email)) return [];
  return [problem('email', 'invalid_format', 'email must be an address such as ada@example.com.')];
}

/** What is wrong with what a person of a role is to be bound to: whoever manages the account has to see all of it. */
export function boundRoleProblems(role: Role | undefined, wanted: BoundsWanted): Problem[] {
  const isBound = wanted.domains != null || wanted.folders != null;
  const wrong: Problem[] =
    isBound && (role === 'owner' || role === 'admin')
      ? [
          problem(
            'role',
            'not_allowed',
            'role must be editor or viewer for a person who is bound to domains or folders.',
          ),
        ]
      : [];
  return [...wrong, ...boundsProblems(wanted)];
}

/**
 * Invites somebody. The secret is returned once and stored nowhere.
 * @param key that invites; undefined for the operator, who names account and plan
 * @throws Failure INSUFFICIENT_SCOPE when the key may not give the role, or expires; LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function invite(
  { writes, now, randomBytes }: Pick<Context, 'writes' | 'now' | 'randomBytes'>,
  from: By | { readonly accountId: number; readonly plan: Plan },
  {
    role,
    email = null,
    bounds,
  }: {
    readonly role: Role;
    readonly email?: string | null | undefined;
    readonly bounds?: Bounds | undefined;
  },
): Promise<{ token: string; invitation: Invitation }> {
  const key = 'key' in from ? from.key : undefined;
  if ('key' in from) requireRank(from, role, now());
  // A person stays when the key has ended: it would give more than it has.
  if (key !== undefined && key.expiresAt !== null)
    throw new Failure('INSUFFICIENT_SCOPE', 'A key that expires cannot invite people, who would stay.');
  const { accountId, plan } = 'key' in from ? from.key : from;
  const token = drawSecret(prefix, randomBytes);
  const invitation = await writes.createInvitation({
    id: idText(randomBytes(16)),
    digest: digestOf(token),
    accountId,
    role,
    plan,
    email,
    bounds,
    inviter: key?.id ?? null,
    createdAt: now(),
    expiresAt: now() + invitationLifetimeMs,
  });
  return { token, invitation };
}

/**
 * Finds the invitation of a token.
 * @throws Failure INVITATION_NOT_FOUND when it is unknown, used, withdrawn or too old, or who invites may not give the role any
 *   more
 */
export async function openInvitation(
  { storage, now }: Pick<Context, 'storage' | 'now'>,
  token: string,
): Promise<Invitation> {
  const found = couldBeSecret(prefix, token) ? await storage.findInvitation(digestOf(token)) : undefined;
  if (found === undefined || found.expiresAt <= now() || found.accountSuspended) throw invitationNotFound();
  const inviter = found.inviter === null ? undefined : await storage.findKey(found.inviter);
  const isGood =
    found.inviter === null ||
    (inviter !== undefined && inviter.revokedAt === null && mayGive(inviter, found.role));
  if (!isGood) throw invitationNotFound();
  return found;
}

/**
 * Makes the person whom an invitation is for, and begins their session. The invitation is used up by it.
 * @param agent as `startSession` has it
 * @throws Failure INVITATION_NOT_FOUND
 */
export async function acceptInvitation(
  context: Pick<Context, 'storage' | 'writes' | 'now' | 'randomBytes'>,
  { token, name, agent }: { readonly token: string; readonly name: string; readonly agent: string },
): Promise<{ token: string; session: Session }> {
  const { accountId } = await openInvitation(context, token);
  const { writes, now, randomBytes } = context;
  const createdAt = now();
  // Its secret is drawn and forgotten: no token is this key's.
  const drawn = drawKey(randomBytes);
  const member = {
    id: idText(randomBytes(16)),
    keyId: drawn.id,
    digest: digestOf(drawn.token),
    name,
    createdAt,
  };
  const { token: cookie, row } = drawSession({ accountId, keyId: drawn.id, agent, createdAt }, randomBytes);
  const key = await writes.acceptInvitation(digestOf(token), member, row);
  if (key === undefined) throw invitationNotFound();
  return { token: cookie, session: { id: row.id, key, agent, createdAt, lastSeenAt: createdAt } };
}

/** @throws Failure MEMBER_NOT_FOUND, also for a member of another account */
export async function getMember(
  { storage }: Pick<Context, 'storage'>,
  accountId: number,
  id: string,
): Promise<Member> {
  const found = isId(id) ? await storage.member(accountId, id.toLowerCase()) : undefined;
  if (found === undefined) throw memberNotFound();
  return found;
}

/**
 * Changes what a member is called, or may do. Sessions of somebody who may do less from now on end.
 * @throws Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED, LAST_OWNER
 */
export async function changeMember(
  context: Context,
  by: By,
  id: string,
  change: { readonly name?: string | undefined; readonly role?: Role | undefined },
): Promise<Member> {
  const { accountId } = by.key;
  const member = await getMember(context, accountId, id);
  requireRank(by, member.role, context.now());
  requireRank(by, change.role ?? member.role, context.now());
  return context.writes.updateMember(accountId, member.id, change);
}

/**
 * Removes a member, and ends all that they could do. What they made stays.
 * @param keys what becomes of the keys that they made
 * @throws Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED, LAST_OWNER, MEMBER_HAS_KEYS when it is not said what becomes of those
 * @returns the keys that they had made
 */
export async function removeMember(
  context: Context,
  by: By,
  id: string,
  keys: LeftKeys | undefined,
): Promise<Member['keys']> {
  const { key } = by;
  const member = await getMember(context, key.accountId, id);
  requireRank(by, member.role, context.now());
  const heir = key.member?.id ?? null;
  // Its keys would be bounded by nobody's role from then on.
  if (heir === member.id && keys === 'keep')
    throw refused([
      problem(
        'keys',
        'not_allowed',
        'keys may be kept only when somebody else removes the person, and has them then.',
      ),
    ]);
  return context.writes.deleteMember(key.accountId, member.id, { keys, heir }, context.now());
}

/**
 * Makes a link that signs a member in, once.
 * @throws Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
 */
export async function createMemberLogin(
  context: Context,
  by: By,
  id: string,
): Promise<{ token: string; expiresAt: number }> {
  const member = await getMember(context, by.key.accountId, id);
  requireRank(by, member.role, context.now());
  // Whoever manages one account must not get at all others by it.
  if (member.isOperator)
    throw new Failure(
      'INSUFFICIENT_SCOPE',
      'This person is an operator of the installation. Beside the server, linkfold login --person makes a link for them.',
    );
  return createLogin(context.writes, member.keyId, context.now(), context.randomBytes);
}
