import { type ApiKey, type Scope, scopes } from './keys.ts';

/** What a person may be in an account, from most to least. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  admin: scopes,
  editor: ['links:read', 'links:write', 'analytics:read'],
  viewer: ['links:read', 'analytics:read'],
};

/** What a role may do. An admin may do what an owner may, but for anything about owners. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesOf[role];
}

/** Of some scopes those that a role has too: a key never exceeds the role of who made it. */
export function boundedBy(role: Role, given: readonly string[]): readonly string[] {
  return given.filter((scope) => (scopesOf[role] as readonly string[]).includes(scope));
}

/** Whether a role is less than another one, or may not do all that it may. */
export function isBelow(role: Role, other: Role): boolean {
  return roles.indexOf(role) > roles.indexOf(other);
}

/**
 * Whether a key may give a role, change it or take it away: it has all that the role may do, and owners are for owners. A key
 * that nobody's role bounds acts for the account itself.
 */
export function mayGive({ scopes: own, member }: Pick<ApiKey, 'scopes' | 'member'>, role: Role): boolean {
  if (role === 'owner' && member !== undefined && member.role !== 'owner') return false;
  return scopesOf[role].every((scope) => own.includes(scope));
}
