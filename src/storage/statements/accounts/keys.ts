import {
  lowerRole,
  requireActOn,
  requireWithinPermissions,
  roleOf,
  scopesOfRole,
  scopesWithin,
} from '../../../model/accounts/authority.ts';
import {
  defaultDomain,
  type KeyRestrictions,
  type ResolvedRestrictions,
} from '../../../model/accounts/key-restrictions.ts';
import type { ApiKey, StoredKey } from '../../../model/accounts/keys.ts';
import type { Plan } from '../../../model/accounts/plans.ts';
import type { Role } from '../../../model/accounts/roles.ts';
import { domainNotFound } from '../../../model/domains/domains.ts';
import type { LinkDomain } from '../../../model/domains/hosts.ts';
import { Failure, limitReached } from '../../../model/failures.ts';
import { recordChange } from '../../db/change-log.ts';
import { all, type Db, one, whenKnown } from '../../db/db.ts';
import type { Read, Write } from '../../db/statements.ts';
import { requireFolder } from '../groups/folders.ts';
import { lockAccount } from '../groups/link-counts.ts';
import { accountLike, accountNamed, rowOfAll } from './accounts.ts';

export interface KeyRow {
  id: string;
  account_id: number;
  account: string;
  suspended_at: number | null;
  digest: Uint8Array;
  name: string;
  plan: Plan;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** The space and the host of the account's default domain. */
  domain: string | null;
  /** Hosts of the account's verified domains. */
  hosts: string | null;
  /** URL schemes of apps that the account allows, separated by spaces. */
  app_schemes: string;
  /** The member who created the key. */
  member_id: string | null;
  /** Name, role and own key of the member with `member_id`; null when the member no longer exists. */
  member_name: string | null;
  member_role: Role | null;
  member_key: string | null;
  /** When the member became an operator, in ms since the epoch. */
  operator_at: number | null;
  /** The key's maximum role; null if it has none. */
  ceiling: Role | null;
  /** {@link StoredRestrictions} as JSON; null for an unrestricted key. */
  bounds: string | null;
  /** The space and host of each of the account's domains. Set only for a restricted key. */
  own_domains: string | null;
}

/** A key's stored restrictions. They include the scopes, so the `scopes` column of a restricted key is empty. */
interface StoredRestrictions extends KeyRestrictions {
  readonly scopes: string;
}

function parseBounds({ bounds }: Pick<KeyRow, 'bounds'>): StoredRestrictions | undefined {
  return bounds === null ? undefined : (JSON.parse(bounds) as StoredRestrictions);
}

/** Returns the values for the columns `scopes` and `bounds`. */
export function scopesAndBounds(
  scopes: string,
  bounds: KeyRestrictions | undefined,
): [string, string | null] {
  return bounds === undefined
    ? [scopes, null]
    : ['', JSON.stringify({ scopes, ...bounds } satisfies StoredRestrictions)];
}

/** Parses the restrictions in the column `bounds`. */
export function boundsIn(bounds: string | null): KeyRestrictions | undefined {
  const { scopes: _, ...kept } = parseBounds({ bounds }) ?? { scopes: '' };
  return bounds === null ? undefined : kept;
}

/** Returns the scopes that a key was granted, ignoring the limits that its maximum role and its creator's role set. */
function grantedScopes(row: Pick<KeyRow, 'scopes' | 'bounds'>): string[] {
  return scopesIn(parseBounds(row)?.scopes ?? row.scopes);
}

function resolveRestrictions(row: KeyRow): ResolvedRestrictions | undefined {
  const bounds = parseBounds(row);
  if (bounds === undefined) return undefined;
  const { hosts, folders } = bounds;
  const own = new Map<string, LinkDomain>([['', { space: '', host: '' }]]);
  const words = row.own_domains?.split(' ') ?? [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [space = '', host = ''] = words.slice(at, at + 2);
    own.set(host, { space, host });
  }
  const domains = hosts?.map((host) => own.get(host)).filter((domain) => domain !== undefined);
  return { ...(hosts !== undefined && { hosts, domains }), ...(folders !== undefined && { folders }) };
}

/** Returns the default domain for links created with a key, and the key's restrictions. */
function domainAndReach(row: KeyRow): Pick<ApiKey, 'domain' | 'restrictions'> {
  const restrictions = resolveRestrictions(row);
  const ofAccount = row.domain === null ? undefined : domainIn(row.domain);
  const domain = restrictions === undefined ? ofAccount : defaultDomain(restrictions, ofAccount);
  return { ...(domain !== undefined && { domain }), ...(restrictions !== undefined && { restrictions }) };
}

function scopesIn(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

/** Returns a key's member, and the key's scopes, limited by its ceiling (maximum role) and the member's role. */
function authorityOf(row: KeyRow): Pick<ApiKey, 'scopes' | 'member' | 'ceiling'> {
  const { id, member_id, member_name, member_role: role, member_key, operator_at } = row;
  const ceiling = row.ceiling ?? undefined;
  const limits = { ...(ceiling !== undefined && { ceiling }) };
  if (member_id === null) return { scopes: scopesWithin(ceiling, grantedScopes(row)), ...limits };
  // A deleted member's keys have no scopes. When a member leaves, keys that should stay in use are transferred to
  // another member or to nobody.
  if (member_name === null || role === null) return { scopes: [] };
  const isSelf = member_key === id;
  const scopes = isSelf ? scopesOfRole(role) : scopesWithin(lowerRole(ceiling, role), grantedScopes(row));
  const isOperator = isSelf && operator_at !== null;
  return { scopes, member: { id: member_id, name: member_name, role, isSelf, isOperator }, ...limits };
}

export function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    account: row.account,
    accountSuspended: row.suspended_at !== null,
    name: row.name,
    plan: row.plan,
    ...authorityOf(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    ...domainAndReach(row),
    ...(row.hosts !== null && { hosts: new Set(row.hosts.split(' ')) }),
    ...(row.app_schemes !== '' && { appSchemes: new Set(row.app_schemes.split(' ')) }),
  };
}

function domainIn(text: string): LinkDomain {
  const [space = '', host = ''] = text.split(' ');
  return { space, host };
}

function storedKeyOf(row: KeyRow | undefined): StoredKey | undefined {
  return row && { ...keyOf(row), digest: row.digest };
}

export const keyColumns = `k.id, k.account_id, a.name AS account, a.suspended_at, a.app_schemes, k.digest, k.name, k.plan, k.scopes,
    k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
    (SELECT d.space || ' ' || d.host FROM domains d WHERE d.account_id = k.account_id AND d.is_default = 1) AS domain,
    (SELECT string_agg(d.host, ' ') FROM domains d WHERE d.account_id = k.account_id AND d.status <> 'pending') AS hosts,
    k.member_id, m.name AS member_name, m.role AS member_role, m.key_id AS member_key, m.operator_at,
    k.ceiling, k.bounds,
    CASE WHEN k.bounds IS NOT NULL THEN (SELECT string_agg(d.space || ' ' || d.host, ' ') FROM domains d
      WHERE d.account_id = k.account_id AND d.deleted_at IS NULL) END AS own_domains`;
export const keyJoins = 'JOIN accounts a ON a.id = k.account_id LEFT JOIN members m ON m.id = k.member_id';
const keyRows = `
  SELECT ${keyColumns}
  FROM api_keys k ${keyJoins}`;
const isNotMemberKey = '(m.key_id IS NULL OR m.key_id <> k.id)';
const keyById = `${keyRows} WHERE k.id = ?`;
const allKeys = `${keyRows} WHERE ${isNotMemberKey} ORDER BY k.created_at, k.id`;
const keysOfAccount = `${keyRows} WHERE a.name = ? AND ${isNotMemberKey} ORDER BY k.created_at, k.id`;
const newestKeys = `${keyRows} WHERE k.account_id = ? AND ${isNotMemberKey} ORDER BY k.created_at DESC, k.id LIMIT 1000`;
const anyKey = 'SELECT 1 AS found FROM api_keys LIMIT 1';

/**
 * Finds a key, including revoked and expired keys. Synchronous on an embedded engine, because every request needs this
 * lookup.
 */
export const findKey: Read<'findKey'> = (db, id) => whenKnown(db.get<KeyRow>(keyById, [id]), storedKeyOf);

export const keys: Read<'keys'> = async (db, account) => {
  const rows =
    account === undefined
      ? await db.all<KeyRow>(allKeys, [])
      : await db.all<KeyRow>(keysOfAccount, [account]);
  return rows.map(keyOf);
};

export const keysOf: Read<'keysOf'> = async (db, accountId) =>
  (await db.all<KeyRow>(newestKeys, [accountId])).map(keyOf);

export const hasKeys: Read<'hasKeys'> = async (db) => (await db.get(anyKey, [])) !== undefined;

const insertKey = `
  INSERT INTO api_keys (id, account_id, digest, name, plan, scopes, bounds, created_at, expires_at, member_id, ceiling)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const domainByHost =
  'SELECT 1 AS found FROM domains WHERE account_id = ? AND host = ? AND deleted_at IS NULL';

/**
 * Checks that an account has the domains and folders to which a key will be restricted.
 * @throws Failure DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function requireRestrictionTargets(
  db: Db,
  accountId: number,
  bounds: KeyRestrictions | undefined,
): Promise<void> {
  for (const host of bounds?.hosts ?? [])
    if (host !== '' && (await db.get(domainByHost, [accountId, host])) === undefined) throw domainNotFound();
  for (const id of bounds?.folders ?? []) await requireFolder(db, accountId, id);
}

const liveKeys = `
  SELECT COUNT(*) AS live FROM api_keys
  WHERE account_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
    AND id NOT IN (SELECT key_id FROM members WHERE account_id = ?)`;
const memberById = 'SELECT id FROM members WHERE account_id = ? AND id = ?';

/** @throws Failure LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND */
export const createKey: Write<'createKey'> = async (db, key, maxLive) => {
  const accountId = await accountNamed(db, key.account, key.createdAt);
  // Locks the account, so that a concurrent suspension also invalidates this key.
  await lockAccount(db, accountId);
  // Checks the key limit after acquiring the lock, so that concurrent requests cannot exceed the limit.
  if (maxLive !== undefined) {
    const { live } = await one<{ live: number }>(db, liveKeys, [accountId, key.createdAt, accountId]);
    if (live >= maxLive) throw limitReached('keys', maxLive);
  }
  // Also checks the member after acquiring the lock, because a member who is being removed must not leave a key behind.
  if (key.memberId !== undefined && (await db.get(memberById, [accountId, key.memberId])) === undefined)
    throw new Failure('INVALID_API_KEY');
  await requireRestrictionTargets(db, accountId, key.bounds);
  await db.run(insertKey, [
    key.id,
    accountId,
    key.digest,
    key.name,
    key.plan,
    ...scopesAndBounds(key.scopes.join(' '), key.bounds),
    key.createdAt,
    key.expiresAt,
    key.memberId ?? null,
    key.ceiling ?? null,
  ]);
  return keyOf(await one<KeyRow>(db, keyById, [key.id]));
};

/** Creates a key only if no key exists. Both steps run in one transaction. */
export const createFirstKey: Write<'createFirstKey'> = async (db, key) => {
  // Several servers may start on an empty database at the same time. This lock makes all but one of them wait.
  await db.lockRows('no key update', rowOfAll, []);
  if (await hasKeys(db)) return undefined;
  const account = (await accountLike(db, key.account))?.name ?? key.account;
  return createKey(db, { ...key, account });
};

const endSessionsOfKey = 'DELETE FROM sessions WHERE key_id = ?';
// The key that represents a member cannot be revoked; the member is removed instead.
const revoke = `
  UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM members WHERE key_id = api_keys.id)`;

export const revokeKey: Write<'revokeKey'> = async (db, id, now) => {
  const revoked = (await db.run(revoke, [now, id])) > 0;
  if (!revoked) return false;
  await recordChange(db, 'key', id);
  await db.run(endSessionsOfKey, [id]);
  return true;
};

const keyToRotate = `
  SELECT ${keyColumns}, k.replaced_by FROM api_keys k ${keyJoins} WHERE k.id = ? AND ${isNotMemberKey}`;
const setReplaced = 'UPDATE api_keys SET replaced_by = ?, expires_at = ? WHERE id = ?';

type KeyToRotate = KeyRow & { readonly replaced_by: string | null };

/** Checks that a key can be rotated. @throws Failure INVALID_API_KEY, EXPIRED_API_KEY */
function requireLive(id: string, old: KeyToRotate | undefined, now: number): KeyToRotate {
  if (old === undefined || old.revoked_at !== null)
    throw new Failure('INVALID_API_KEY', `No active key "${id}" to rotate.`);
  if (old.expires_at !== null && old.expires_at <= now)
    throw new Failure(
      'EXPIRED_API_KEY',
      `Key "${id}" has expired and cannot be rotated. Create a new one with: linkfold keys create.`,
    );
  // A rotated key cannot be rotated again: its expiry is the end of its grace period, and a successor would inherit
  // that expiry.
  if (old.replaced_by !== null)
    throw new Failure(
      'INVALID_API_KEY',
      `Key "${id}" was already rotated; the new key is "${old.replaced_by}". Rotate the new key.`,
    );
  return old;
}

/**
 * Replaces a key with a new one. Rotation never extends the expiry.
 * @param by the author, who must have all of the old key's permissions; undefined for the operator
 */
export const rotateKey: Write<'rotateKey'> = async (db, id, next, by) => {
  const [, found] = await all(
    db.lockRows('no key update', 'SELECT id FROM api_keys WHERE id = ?', [id]),
    db.get<KeyToRotate>(keyToRotate, [id]),
  );
  const old = requireLive(id, found, next.createdAt);
  if (by !== undefined) {
    requireActOn(by.key, keyOf(old));
    const given = { scopes: grantedScopes(old), plan: old.plan, expiresAt: old.expires_at };
    requireWithinPermissions(by, given, next.createdAt);
  }
  const oldExpiresAt = Math.min(next.oldExpiresAt, old.expires_at ?? Number.MAX_SAFE_INTEGER);
  await db.run(setReplaced, [next.id, oldExpiresAt, id]);
  await recordChange(db, 'key', id);
  await lockAccount(db, old.account_id);
  await db.run(insertKey, [
    next.id,
    old.account_id,
    next.digest,
    old.name,
    old.plan,
    old.scopes,
    old.bounds,
    next.createdAt,
    old.expires_at,
    // The new key, which the author receives, must not exceed the author's role.
    by?.key.member?.id ?? old.member_id,
    lowerRole(old.ceiling ?? undefined, by && roleOf(by.key)) ?? null,
  ]);
  return { ...keyOf(await one<KeyRow>(db, keyById, [next.id])), oldExpiresAt };
};

const keysOfMember = `${keyRows} WHERE k.member_id = ?`;
const setOwner = 'UPDATE api_keys SET member_id = ?, scopes = ?, bounds = ?, ceiling = ? WHERE id = ?';

/**
 * Transfers a leaving member's keys to another member, or to nobody. Each key keeps its current permissions, so that
 * neither the key nor its new owner gains permissions.
 */
export async function handOverKeys(db: Db, memberId: string, heir: string | null): Promise<void> {
  for (const row of await db.all<KeyRow>(keysOfMember, [memberId])) {
    const { scopes, ...key } = keyOf(row);
    const [kept, bounds] = scopesAndBounds(scopes.join(' '), boundsIn(row.bounds));
    await db.run(setOwner, [heir, kept, bounds, roleOf(key) ?? null, row.id]);
  }
}

const touch =
  'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)';
// Locks the rows in a fixed order first, to avoid deadlocks, because PostgreSQL updates rows in no particular order.
const touchBulk = `
  , used AS (SELECT k.id, g.at FROM input g JOIN api_keys k ON k.id = g.id ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_keys SET last_used_at = used.at FROM used
  WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`;

/** Stores when keys were last used, unless a later use is already stored. */
export const touchKeys: Write<'touchKeys'> = async (db, uses) => {
  const input = {
    columns: { id: 'text', at: 'integer' },
    values: uses.flatMap(({ id, at }) => [id, at]),
  } as const;
  await db.bulk(input, (id = '', at = 0) => db.run(touch, [at, id, at]), touchBulk);
};

export const keyReads = { findKey, keys, keysOf, hasKeys };

export const keyWrites = { createKey, createFirstKey, revokeKey, rotateKey, touchKeys };
