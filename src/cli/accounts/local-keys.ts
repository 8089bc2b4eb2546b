import { restrictedScopes } from '../../model/accounts/key-restrictions.ts';
import { type ApiKey, createKey, rotateKey, type Scope, scopes } from '../../model/accounts/keys.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { printJson, printLine, when } from '../terminal/print.ts';
import { hasAccount, noSuchAccount } from './account-names.ts';
import { restrictionsIn } from './key-restrictions.ts';
import { stateOf } from './keys-check.ts';
import { type CreateOptions, nameOfToday, printKey, printKeys } from './print-keys.ts';

// Key commands that work on the local database.

type Json = { readonly json?: true | undefined };

function timeOf(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

/** Returns a key as JSON, with this order of fields. @param token the complete key, which is shown only once */
function shown(key: ApiKey, token?: string) {
  return {
    id: key.id,
    ...(token !== undefined && { key: token }),
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

export function listLocalKeys({ account, json }: Json & { readonly account?: string }): Promise<void> {
  return withTools({ json }, async ({ storage, now }) => {
    const keys = await storage.keys(account);
    if (account !== undefined && keys.length === 0 && !(await hasAccount(storage, account)))
      throw await noSuchAccount(storage, account);
    const rows = keys.map((key) => ({
      ...shown(key),
      state: stateOf(key, now()),
      createdAt: timeOf(key.createdAt),
      revokedAt: timeOf(key.revokedAt),
      lastUsedAt: timeOf(key.lastUsedAt),
    }));
    if (json) printJson(rows);
    else printKeys(rows);
  });
}

export function createLocalKey(options: CreateOptions & { readonly account: string }): Promise<void> {
  return withTools(options, async ({ storage, now, randomBytes }, config) => {
    const { account, plan = 'enterprise', json, name = nameOfToday(now()), expires = null } = options;
    const bounds = restrictionsIn(config, options);
    const all = options.scopes ?? scopes;
    const ofRestricted: readonly Scope[] = restrictedScopes;
    const given = bounds === undefined ? all : all.filter((scope) => ofRestricted.includes(scope));
    const request = { account, plan, scopes: given, name, expiresAt: expires, bounds };
    const { token, key } = await createKey(storage, request, now(), randomBytes);
    if (json) printJson(shown(key, token));
    else printKey({ ...key, key: token });
  });
}

export function revokeLocalKey(id: string, { json }: Json): Promise<void> {
  return withTools({ json }, async ({ storage, now }) => {
    const revokedAt = now();
    if (!(await storage.revokeKey(id, revokedAt))) throw noLiveKey();
    if (json) printJson({ id, revokedAt: formatTimestamp(revokedAt) });
    else printLine(`Revoked key ${id}.`);
  });
}

export function rotateLocalKey(
  id: string,
  { grace, json }: Json & { readonly grace: number },
): Promise<void> {
  return withTools({ json }, async ({ storage, now, randomBytes }) => {
    const old = await storage.findKey(id);
    if (old === undefined || old.revokedAt !== null) throw noLiveKey();
    const { token, key } = await rotateKey(storage, id, grace, now(), randomBytes);
    const { oldExpiresAt } = key;
    if (json) printJson({ ...shown(key, token), replaces: id, oldExpiresAt: timeOf(oldExpiresAt) });
    else printKey({ ...key, key: token }, `, replaces ${id}, which works until ${when(oldExpiresAt)}`);
  });
}

// The error does not repeat the argument, which may have been a complete key.
function noLiveKey(): Stop {
  return new Stop(
    exits.refused,
    'No active key has this ID. The ID is in the first column of: linkfold keys list',
  );
}
