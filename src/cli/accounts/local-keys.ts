import { restrictedScopes } from '../../model/accounts/key-restrictions.ts';
import { type ApiKey, createKey, rotateKey, type Scope, scopes } from '../../model/accounts/keys.ts';
import type { Plan } from '../../model/accounts/plans.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import type { RemoteOptions } from '../terminal/remote.ts';
import { hasAccount, noSuchAccount } from './account-names.ts';
import { type RestrictionOptions, restrictionsIn } from './key-restrictions.ts';
import { stateOf } from './keys-check.ts';

// Key commands that use the local database.

export interface CreateOptions extends RemoteOptions, RestrictionOptions {
  readonly account?: string;
  readonly plan?: Plan;
  readonly scopes?: readonly Scope[];
  readonly name?: string;
  readonly expires?: number;
}

export function nameOfToday(now = Date.now()): string {
  return `key of ${formatTimestamp(now).slice(0, 10)}`;
}

function timeOf(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

/**
 * Returns a key for `--json`, with the fields in a fixed order.
 * @param secret the complete key, which is shown only once
 */
function shown<S extends { readonly key?: string }>(key: ApiKey, secret: S) {
  return {
    id: key.id,
    ...secret,
    account: key.account,
    plan: key.plan,
    scopes: key.scopes,
    name: key.name,
    ...(key.restrictions !== undefined && {
      domains: key.restrictions.hosts ?? null,
      folders: key.restrictions.folders ?? null,
    }),
    expiresAt: timeOf(key.expiresAt),
  };
}

export function listLocalKeys({ account, json }: RemoteOptions & { readonly account?: string }) {
  return withTools({ json }, async ({ storage, now }) => {
    const keys = await storage.keys(account);
    if (account !== undefined && keys.length === 0 && !(await hasAccount(storage, account)))
      throw await noSuchAccount(storage, account);
    return keys.map((key) => ({
      ...shown(key, {}),
      state: stateOf(key, now()),
      createdAt: timeOf(key.createdAt),
      revokedAt: timeOf(key.revokedAt),
      lastUsedAt: timeOf(key.lastUsedAt),
    }));
  });
}

export function createLocalKey(options: CreateOptions & { readonly account: string }) {
  return withTools(options, async ({ storage, now, randomBytes }, config) => {
    const { account, plan = 'enterprise', name = nameOfToday(now()), expires = null } = options;
    const bounds = restrictionsIn(config, options);
    const all = options.scopes ?? scopes;
    const ofRestricted: readonly Scope[] = restrictedScopes;
    const allowed = bounds === undefined ? all : all.filter((scope) => ofRestricted.includes(scope));
    const request = { account, plan, scopes: allowed, name, expiresAt: expires, bounds };
    const { token, key } = await createKey(storage, request, now(), randomBytes);
    return shown(key, { key: token });
  });
}

export function revokeLocalKey(id: string, { json }: RemoteOptions) {
  return withTools({ json }, async ({ storage, now }) => {
    const revokedAt = now();
    if (!(await storage.revokeKey(id, revokedAt))) throw noLiveKey();
    return { id, revokedAt: formatTimestamp(revokedAt) };
  });
}

export function rotateLocalKey(id: string, { grace, json }: RemoteOptions & { readonly grace: number }) {
  return withTools({ json }, async ({ storage, now, randomBytes }) => {
    const old = await storage.findKey(id);
    if (old === undefined || old.revokedAt !== null) throw noLiveKey();
    const { token, key } = await rotateKey(storage, id, grace, now(), randomBytes);
    return { ...shown(key, { key: token }), replaces: id, oldExpiresAt: formatTimestamp(key.oldExpiresAt) };
  });
}

// The error does not repeat the argument, which may be a complete key.
function noLiveKey(): Stop {
  return new Stop(
    exits.refused,
    'No active key has this ID. The ID is in the first column of: linkfold keys list',
  );
}
