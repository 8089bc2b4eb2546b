import { Failure } from '../failures.ts';
import type { Actor } from './actors.ts';
import { restrictedScopes } from './key-restrictions.ts';
import { type ApiKey, type Scope, scopeMissing, scopes } from './keys.ts';
import type { Member } from './member-fields.ts';
import { plans } from './plans.ts';
import { type Role, roles } from './roles.ts';
import type { Session } from './sessions.ts';

// Permission checks. A credential has the scopes that were granted to it, limited by its member's current role. Only
// this file compares roles and scopes; docs/team.md shows the rules as a table.

type Authority = Pick<ApiKey, 'scopes' | 'member' | 'ceiling'>;
/** The requester: a key, and the session if the key is used through one. */
export type By = Pick<Actor, 'key' | 'session'>;

/**
 * How long after authentication a session may perform sensitive actions, in ms. The message of
 * REAUTHENTICATION_REQUIRED states this time.
 */
export const recentAuthMs = 15 * 60_000;

const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  admin: scopes,
  editor: restrictedScopes,
  viewer: ['links:read', 'analytics:read'],
};

/** Returns a role's scopes. Admins have the same scopes as owners, but cannot manage owners. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesOf[role];
}

/** Returns the lower of two roles; undefined means no limit. */
export function lowerRole(one: Role | undefined, other: Role | undefined): Role | undefined {
  return roles.findLast((role) => role === one || role === other);
}

/** Returns the role that currently limits a key; undefined if no role limits it. */
export function roleOf({ ceiling, member }: Pick<ApiKey, 'ceiling' | 'member'>): Role | undefined {
  return lowerRole(ceiling, member?.role);
}

/** Filters scopes to those that a role allows. */
export function scopesWithin(role: Role | undefined, given: readonly string[]): readonly string[] {
  return role === undefined ? given : given.filter((scope) => covers(scopesOf[role], [scope]));
}

/** Returns true for a change to a role with more permissions. */
export function isPromotion(from: Role, to: Role): boolean {
  return roles.indexOf(to) < roles.indexOf(from);
}

/** Returns true for an owner without restrictions, who can manage the account. */
export function isUnrestrictedOwner({
  role,
  bounds,
}: {
  readonly role: Role;
  readonly bounds?: unknown;
}): boolean {
  return role === 'owner' && bounds === undefined;
}

/** Returns true for a role that manages members and therefore cannot be restricted. */
export function managesAccount(role: Role | undefined): boolean {
  return role !== undefined && covers(scopesOf[role], ['people:write']);
}

function covers(own: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => own.includes(scope));
}

/**
 * Returns a key's rank: 0 for an operator's key with all scopes, 1 for owners, 2 for admins and so on. A lower rank has
 * more permissions.
 */
function rankOf(key: Authority): number {
  const role = roleOf(key);
  if (role !== undefined) return rankOfRole(role);
  if (covers(key.scopes, scopes)) return 0;
  const covered = roles.findIndex((one) => covers(key.scopes, scopesOf[one]));
  return covered === -1 ? roles.length + 1 : covered + 1;
}

function rankOfRole(role: Role): number {
  return roles.indexOf(role) + 1;
}

/** Returns true if a key may grant, change or revoke a role. */
function mayGrant(key: Authority, role: Role): boolean {
  return covers(key.scopes, scopesOf[role]) && rankOf(key) <= rankOfRole(role);
}

/** @throws Failure INSUFFICIENT_SCOPE when a key may not grant, change or revoke a role */
export function requireGrant(key: Authority, role: Role): void {
  if (mayGrant(key, role)) return;
  const isForOwners = role === 'owner' && covers(key.scopes, scopes);
  throw insufficientScope(
    isForOwners
      ? 'Only owners can manage owners.'
      : `You cannot grant, change or remove the role ${role}, because you do not have all its permissions. Ask an admin.`,
  );
}

/**
 * Checks that a key may change or remove a member.
 * @throws Failure INSUFFICIENT_SCOPE; REAUTHENTICATION_REQUIRED if the member is an owner
 */
export function requireManage(
  by: By,
  { id, role, isOperator }: Pick<Member, 'id' | 'role' | 'isOperator'>,
  now: number,
): void {
  requireGrant(by.key, role);
  if (isOperator && by.key.member?.id !== id && rankOf(by.key) > 0)
    throw insufficientScope(
      'You cannot change or remove an operator of the installation. Run linkfold operators remove first.',
    );
  if (role === 'owner') requireRecentAuth(by, now);
}

/**
 * Returns true if a key may act on another key: it needs all of that key's scopes, and its rank number must not be
 * higher. A key may always act on itself.
 */
export function mayActOn(key: ApiKey, target: ApiKey): boolean {
  const targetRank = target.member?.isOperator ? 0 : rankOf(target);
  return target.id === key.id || (rankOf(key) <= targetRank && covers(key.scopes, target.scopes));
}

/** @throws Failure INSUFFICIENT_SCOPE when a key may not revoke, rotate or sign out another key */
export function requireActOn(key: ApiKey, target: ApiKey): void {
  if (!mayActOn(key, target))
    throw insufficientScope(
      'You cannot change this key or session, because its owner has more permissions than you. Ask an admin.',
    );
}

/** @throws Failure INSUFFICIENT_SCOPE when a key lacks a scope that it would grant */
export function requireScopes({ scopes: own }: Authority, given: readonly string[]): void {
  const lacking = given.find((scope) => !own.includes(scope));
  if (lacking !== undefined)
    throw insufficientScope(
      `This API key cannot grant the scope ${lacking}, because it does not have that scope.`,
    );
}

/**
 * Checks that a key to be shown to the requester does not have more permissions than the requester.
 * @throws Failure INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
 */
export function requireWithinPermissions(
  by: By,
  { scopes: given, plan, expiresAt }: Pick<ApiKey, 'scopes' | 'plan' | 'expiresAt'>,
  now: number,
): void {
  const { key: giver } = by;
  requireScopes(giver, given);
  if (isPowerful(given)) requireRecentAuth(by, now);
  if (plans.indexOf(plan) > plans.indexOf(giver.plan) || endOf({ expiresAt }) > endOf(giver))
    throw insufficientScope(
      'The new key must not have a higher plan or a later expiry than the current key.',
    );
}

/** Returns when a key expires, ms since the epoch; `Infinity` if it does not expire. */
export function endOf({ expiresAt }: Pick<ApiKey, 'expiresAt'>): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}

/** Returns true for a key that is neither revoked nor expired. */
export function isLive(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return key.revokedAt === null && endOf(key) > now;
}

/** Returns true if the inviter may still grant the invitation's role. */
export function mayInvite(inviter: ApiKey | undefined, role: Role, now: number): boolean {
  return (
    inviter !== undefined &&
    isLive(inviter, now) &&
    hasScope(inviter, 'people:write') &&
    mayGrant(inviter, role)
  );
}

export function hasScope({ scopes: own }: Authority, scope: Scope): boolean {
  return own.includes(scope);
}

/** @throws Failure INSUFFICIENT_SCOPE. The message names the missing scope (interface document §5.3) */
export function requireScope(key: Authority, scope: Scope): void {
  if (!hasScope(key, scope)) throw scopeMissing(scope);
}

/**
 * Returns true if any of the scopes allows more than access to links and their analytics. Granting such a scope
 * requires recent authentication.
 */
export function isPowerful(given: readonly string[]): boolean {
  return !covers(restrictedScopes, given);
}

/**
 * Checks that the actor authenticated recently. Always passes for a request without a session, because that request is
 * authenticated by its key.
 * @throws Failure REAUTHENTICATION_REQUIRED
 */
export function requireRecentAuth({ session }: Pick<By, 'session'>, now: number): void {
  if (session === undefined) return;
  const provedAt = Math.min(session.provedAt ?? session.createdAt, session.createdAt);
  if (now - provedAt > recentAuthMs) throw new Failure('REAUTHENTICATION_REQUIRED');
}

/**
 * Checks that a session may add a passkey or an identity: the session must be new, and not started by a link that the
 * person created for themselves.
 * @throws Failure REAUTHENTICATION_REQUIRED
 */
export function requireNewSession({ session }: Pick<By, 'session'>, now: number): void {
  if (session !== undefined && (session.start === 'renewed' || now - session.createdAt > recentAuthMs))
    throw new Failure('REAUTHENTICATION_REQUIRED');
}

/**
 * Returns the authentication time (`provedAt`) of a session that starts with a sign-in link or invitation from this
 * requester, in ms since the epoch. The time is 0 if the requester is a member, so that sensitive actions require
 * authentication again. If the requester has no session, the time is null, and the start of the new session counts
 * instead.
 */
export function grantedAuthTime({ key, session }: By): number | null {
  if (session === undefined) return null;
  return key.member?.isSelf ? 0 : (session.provedAt ?? session.createdAt);
}

/** Returns the `start` and `provedAt` of a session that starts with a member's sign-in link. */
export function linkSessionStart(by: By, memberId: string): Pick<Session, 'start' | 'provedAt'> {
  if (by.key.member?.id !== memberId) return { start: 'helped', provedAt: grantedAuthTime(by) };
  return { start: by.session?.start === 'helped' ? 'helped' : 'renewed', provedAt: 0 };
}

function insufficientScope(message: string): Failure {
  return new Failure('INSUFFICIENT_SCOPE', message);
}
