import type { Context } from '../context.ts';
import { Failure, type Problem, problem, refused } from '../failures.ts';
import { idText, isId } from '../ids.ts';
import { personAs } from './actors.ts';
import {
  type By,
  managesAccount,
  mayInvite,
  proofGivenBy,
  requireFresh,
  requireGrant,
  requireManage,
  startByLink,
} from './authority.ts';
import { digestOf, drawKey } from './keys.ts';
import type { Plan } from './plans.ts';
import { type Bounds, type BoundsWanted, boundsProblems } from './reach.ts';
import type { Role } from './roles.ts';
import { couldBeSecret, createLogin, drawSecret, drawSession, type Session, sessionOf } from './sessions.ts';

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
  /** When its maker proved who they are, as the session of whoever accepts it has it: `Session.provedAt`. */
  readonly provedAt: number | null;
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

/** An address as nearly everybody has one: without quotation marks, and without what separates addresses in a letter. */
const emailShape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/;

/** Folds an email address for comparison: ASCII only, since other letters such as the Kelvin sign would become ASCII ones. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What is wrong with an address for mail. What follows the `@` is all that is known of it without sending any. */
export function emailProblems(email: string | null | undefined): Problem[] {
  if (email == null || emailShape.test(email)) return [];
  return [problem('email', 'invalid_format', 'email must be an address such as ada@example.com.')];
}

/** What is wrong with what a person of a role is to be bound to: whoever manages the account has to see all of it. */
export function boundRoleProblems(role: Role | undefined, wanted: BoundsWanted): Problem[] {
  const isBound = wanted.domains != null || wanted.folders != null;
  const wrong: Problem[] =
    isBound && managesAccount(role)
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
  if ('key' in from) {
    requireGrant(from.key, role);
    requireFresh(from, now());
  }
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
    provedAt: 'key' in from ? proofGivenBy(from) : null,
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
  if (found.inviter !== null && !mayInvite(inviter, found.role, now())) throw invitationNotFound();
  return found;
}

/**
 * Makes the person whom an invitation is for, and begins their session. The invitation is used up by it.
 * @param agent as `startSession` has it
 * @param hasProvider whether people can sign in at an identity provider: it alone can tell whose an email address is
 * @throws Failure INVITATION_NOT_FOUND; OIDC_ONLY for an invitation that only a verified email address can accept
 */
export async function acceptInvitation(
  context: Pick<Context, 'storage' | 'now' | 'randomBytes'>,
  { token, name, agent }: { readonly token: string; readonly name: string; readonly agent: string },
  hasProvider: boolean,
): Promise<{ token: string; session: Session }> {
  const { accountId, email, provedAt } = await openInvitation(context, token);
  if (hasProvider && email !== null)
    throw new Failure(
      'OIDC_ONLY',
      'This invitation is for an email address. Accept it through your identity provider, which verifies that address.',
    );
  const { storage, now, randomBytes } = context;
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
  const { token: cookie, row } = drawSession(
    { accountId, keyId: drawn.id, agent, createdAt, provedAt },
    randomBytes,
  );
  const writes = storage.writesBy(personAs(member.id, name, createdAt));
  const key = await writes.acceptInvitation(digestOf(token), member, row);
  if (key === undefined) throw invitationNotFound();
  return { token: cookie, session: sessionOf(row, key) };
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
 * Changes what a member is called, or may do. Sessions of somebody whose role changes end; with a rise also sign-in links, and
 * passkeys and identities that somebody else may have added.
 * @throws VALIDATION_ERROR when somebody who is bound would manage the account,
 *    Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED, LAST_OWNER
 */
export async function changeMember(
  context: Context,
  by: By,
  id: string,
  change: { readonly name?: string | undefined; readonly role?: Role | undefined },
): Promise<Member> {
  const { accountId } = by.key;
  const member = await getMember(context, accountId, id);
  requireManage(by, member, context.now());
  if (change.role !== undefined && change.role !== member.role) {
    requireGrant(by.key, change.role);
    requireFresh(by, context.now());
  }
  return context.writes.updateMember(accountId, member.id, change);
}

/**
 * Removes a member, and ends all that they could do. What they made stays.
 * @param keys what becomes of the keys that they made
 * @param left tells what else they leave behind
 * @throws Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED, LAST_OWNER, MEMBER_HAS_KEYS when it is not said what becomes of those
 * @returns who they were, and the keys that they had made
 */
export async function removeMember(
  context: Context,
  by: By,
  id: string,
  keys: LeftKeys | undefined,
  left: (member: Member) => { readonly webhooks: readonly unknown[]; readonly invitations: number },
): Promise<{ member: Member; keys: Member['keys'] }> {
  const { key } = by;
  const member = await getMember(context, key.accountId, id);
  requireManage(by, member, context.now());
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
  try {
    const removed = await context.writes.deleteMember(
      key.accountId,
      member.id,
      { keys, heir },
      context.now(),
    );
    return { member, keys: removed };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'MEMBER_HAS_KEYS')) throw error;
    const { webhooks, invitations } = left(member);
    throw memberHasKeys(
      member.keys.map(({ name }) => name),
      webhooks.length,
      invitations,
    );
  }
}

/** Refuses to remove a member with live keys before somebody decides about them, and lists what the member leaves. */
export function memberHasKeys(keys: readonly string[], webhooks: number, invitations: number): Failure {
  const names = keys.map((name) => `"${name}"`).join(', ');
  return new Failure(
    'MEMBER_HAS_KEYS',
    `This person has live keys. Send keys=keep to take them over, or keys=revoke to revoke them. Live keys: ${names}. Webhooks that stay: ${webhooks}. Invitations that end: ${invitations}.`,
  );
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
  requireManage(by, member, context.now());
  requireFresh(by, context.now());
  // Whoever manages one account must not get at all others by it.
  if (member.isOperator)
    throw new Failure(
      'INSUFFICIENT_SCOPE',
      'This person is an operator of the installation. Beside the server, linkfold login --person makes a link for them.',
    );
  return createLogin(
    context.writes,
    member.keyId,
    context.now(),
    context.randomBytes,
    startByLink(by, member.id),
    member.role,
  );
}
