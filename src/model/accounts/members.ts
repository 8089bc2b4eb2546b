import type { Context } from '../context.ts';
import { Failure, type Problem, problem, refused } from '../failures.ts';
import { idText } from '../ids.ts';
import { personAuthor } from './actors.ts';
import {
  type By,
  grantedAuthTime,
  linkSessionStart,
  managesAccount,
  mayInvite,
  requireGrant,
  requireManage,
  requireRecentAuth,
} from './authority.ts';
import { type KeyRestrictions, type RequestedRestrictions, restrictionProblems } from './key-restrictions.ts';
import { digestOf, generateKey } from './keys.ts';
import type { Invitation, Member, MemberChange } from './member-fields.ts';
import type { Plan } from './plans.ts';
import type { Role } from './roles.ts';
import {
  couldBeSecret,
  createLogin,
  createSessionSecret,
  generateSecret,
  type Session,
  sessionOf,
} from './sessions.ts';

export interface NewMember {
  readonly id: string;
  readonly keyId: string;
  readonly digest: Uint8Array;
  readonly name: string;
  readonly createdAt: number;
}

export type NewInvitation = Omit<Invitation, 'account' | 'accountSuspended' | 'invitedBy'> & {
  readonly digest: Uint8Array;
};

/** Actions for a removed member's keys. */
export const memberKeyActions = ['keep', 'revoke'] as const;
export type MemberKeyAction = (typeof memberKeyActions)[number];

/** Lifetime of an invitation, in ms. */
export const invitationLifetimeMs = 7 * 86_400_000;
/** Maximum number of pending invitations per account. */
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

/** Matches common email addresses. Rejects quoted parts, and characters that separate addresses in a header. */
const emailShape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/;

/**
 * Folds an email address for comparison. Changes ASCII letters only, because `toLowerCase` would turn other characters,
 * such as the Kelvin sign, into ASCII letters.
 */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns the validation errors for an email address. Checks only its form, not whether the address exists. */
export function emailProblems(email: string | null | undefined): Problem[] {
  if (email == null || emailShape.test(email)) return [];
  return [problem('email', 'invalid_format', 'email must be a valid address, such as ada@example.com.')];
}

/** Returns the validation errors for a role with restrictions. Roles that manage the account cannot be restricted. */
export function restrictedRoleProblems(role: Role | undefined, wanted: RequestedRestrictions): Problem[] {
  const isRestricted = wanted.domains != null || wanted.folders != null;
  const wrong: Problem[] =
    isRestricted && managesAccount(role)
      ? [
          problem(
            'role',
            'not_allowed',
            'role must be editor or viewer for members restricted to domains or folders.',
          ),
        ]
      : [];
  return [...wrong, ...restrictionProblems(wanted)];
}

/**
 * Creates an invitation. The secret is returned once and never stored.
 * @param from the inviting key, or the account and plan if the operator invites
 * @throws Failure INSUFFICIENT_SCOPE when the key may not grant the role, or has an expiry; REAUTHENTICATION_REQUIRED,
 * LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
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
    readonly bounds?: KeyRestrictions | undefined;
  },
): Promise<{ token: string; invitation: Invitation }> {
  const key = 'key' in from ? from.key : undefined;
  if ('key' in from) {
    requireGrant(from.key, role);
    requireRecentAuth(from, now());
  }
  // A membership does not expire, so a key that expires would grant more permissions than it has.
  if (key !== undefined && key.expiresAt !== null)
    throw new Failure(
      'INSUFFICIENT_SCOPE',
      'A key that expires cannot invite members. Use a key without expiry.',
    );
  const { accountId, plan } = 'key' in from ? from.key : from;
  const token = generateSecret(prefix, randomBytes);
  const invitation = await writes.createInvitation({
    id: idText(randomBytes(16)),
    digest: digestOf(token),
    accountId,
    role,
    plan,
    email,
    bounds,
    inviter: key?.id ?? null,
    provedAt: 'key' in from ? grantedAuthTime(from) : null,
    createdAt: now(),
    expiresAt: now() + invitationLifetimeMs,
  });
  return { token, invitation };
}

/**
 * Finds the invitation for a token.
 * @throws Failure INVITATION_NOT_FOUND when the token is unknown, the invitation was used or withdrawn or has expired,
 * its account is suspended, or the inviter may no longer grant the role
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
 * Creates the invited member and starts their session.
 * @param agent see `startSession`
 * @param hasProvider whether an identity provider is configured; it can verify email addresses
 * @throws Failure INVITATION_NOT_FOUND; OIDC_ONLY when the invitation is for an email address, which the identity
 * provider must verify
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
      'This invitation is for an email address, which must be verified. Accept it through your single sign-on provider.',
    );
  const { member, secret, row, writes } = createMember(context, accountId, name, agent, provedAt);
  const key = await writes.acceptInvitation(digestOf(token), member, row);
  if (key === undefined) throw invitationNotFound();
  return { token: secret, session: sessionOf(row, key) };
}

/**
 * Generates a new member with their internal key and first session. Also returns storage write operations that record
 * the member as author.
 */
export function createMember(
  { storage, now, randomBytes }: Pick<Context, 'storage' | 'now' | 'randomBytes'>,
  accountId: number,
  name: string,
  agent: string,
  provedAt: number | null = null,
) {
  // Only the digest of the token is stored, so nobody can use this key as an API key.
  const { id: keyId, token } = generateKey(randomBytes);
  const createdAt = now();
  const member: NewMember = { id: idText(randomBytes(16)), keyId, digest: digestOf(token), name, createdAt };
  const session = createSessionSecret({ accountId, keyId, agent, createdAt, provedAt }, randomBytes);
  const writes = storage.writesBy(personAuthor(member.id, name, createdAt));
  return { member, secret: session.token, row: session.row, writes };
}

/** @throws Failure MEMBER_NOT_FOUND, also for a member of another account */
export async function getMember(
  { storage }: Pick<Context, 'storage'>,
  accountId: number,
  id: string,
): Promise<Member> {
  const found = await storage.member(accountId, id);
  if (found === undefined) throw memberNotFound();
  return found;
}

/**
 * Renames a member or changes their role. A role change ends the member's sessions. A promotion also removes their
 * sign-in links, and any passkeys and identities that somebody else may have added.
 * @throws Failure VALIDATION_ERROR when a restricted member would manage the account; MEMBER_NOT_FOUND,
 * INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED, LAST_OWNER
 */
export async function changeMember(
  context: Context,
  by: By,
  id: string,
  change: MemberChange,
): Promise<Member> {
  const { accountId } = by.key;
  const member = await getMember(context, accountId, id);
  requireManage(by, member, context.now());
  if (change.role !== undefined && change.role !== member.role) {
    requireGrant(by.key, change.role);
    requireRecentAuth(by, context.now());
  }
  return context.writes.updateMember(accountId, member.id, change);
}

/**
 * Removes a member and revokes all of their access. Invitations from the member are withdrawn; links and other records
 * created by the member remain.
 * @param keys what to do with the member's live keys
 * @param left returns the member's webhooks and the number of their pending invitations, for the error message
 * @throws Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED, LAST_OWNER; MEMBER_HAS_KEYS when the
 * member has live keys and `keys` is undefined
 * @returns the removed member, and the keys that the member created
 */
export async function removeMember(
  context: Context,
  by: By,
  id: string,
  keys: MemberKeyAction | undefined,
  left: (member: Member) => { readonly webhooks: readonly unknown[]; readonly invitations: number },
): Promise<{ member: Member; keys: Member['keys'] }> {
  const { key } = by;
  const member = await getMember(context, key.accountId, id);
  requireManage(by, member, context.now());
  const heir = key.member?.id ?? null;
  // Keys that are kept need a new owner, because a key is limited by its owner's role. The removed member cannot be
  // that owner.
  if (heir === member.id && keys === 'keep')
    throw refused([
      problem(
        'keys',
        'not_allowed',
        'keys must be "revoke" if you remove yourself. Only another member can remove you and keep your keys.',
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

/**
 * Returns the failure for removing a member with live keys when the request does not say what to do with these keys.
 * Lists the affected keys, webhooks and invitations.
 */
export function memberHasKeys(keys: readonly string[], webhooks: number, invitations: number): Failure {
  const names = keys.map((name) => `"${name}"`).join(', ');
  return new Failure(
    'MEMBER_HAS_KEYS',
    `This member has active keys. Send keys=keep to keep them in the account, or keys=revoke to revoke them. Active keys: ${names}. Webhooks that stay: ${webhooks}. Invitations that will be withdrawn: ${invitations}.`,
  );
}

/**
 * Creates a one-time sign-in link for a member.
 * @throws Failure MEMBER_NOT_FOUND, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
 */
export async function createMemberLogin(
  context: Context,
  by: By,
  id: string,
): Promise<{ token: string; expiresAt: number }> {
  const member = await getMember(context, by.key.accountId, id);
  requireManage(by, member, context.now());
  requireRecentAuth(by, context.now());
  // An operator can access all accounts; an admin of one account must not gain this access with a sign-in link.
  if (member.isOperator)
    throw new Failure(
      'INSUFFICIENT_SCOPE',
      'You cannot create a sign-in link for an operator of the installation. Run linkfold login --person on the server.',
    );
  return createLogin(
    context.writes,
    member.keyId,
    context.now(),
    context.randomBytes,
    linkSessionStart(by, member.id),
    member.role,
  );
}
