import type { Config } from '../config.ts';
import { digestOf, generateKey, idInToken, scopes } from '../model/accounts/keys.ts';
import { createLogin, keyForLogin } from '../model/accounts/sessions.ts';
import type { RandomBytes } from '../model/ids.ts';
import type { Storage } from '../model/storage.ts';

const firstAccount = 'default';

/**
 * Creates the first key of a new installation: every scope, plan enterprise (CONTRACT §7); uses the operator's key if
 * one is set.
 */
export async function createFirstKey(
  storage: Storage,
  config: Pick<Config, 'BOOTSTRAP_API_KEY'>,
  now: number,
  random: RandomBytes,
): Promise<string | undefined> {
  if (await storage.hasKeys()) return undefined;
  const configured = config.BOOTSTRAP_API_KEY;
  const { id, token } =
    configured === null ? generateKey(random) : { id: idInToken(configured) ?? '', token: configured };
  const created = await storage.createFirstKey({
    id,
    digest: digestOf(token),
    account: firstAccount,
    plan: 'enterprise',
    scopes: [...scopes],
    name: 'first key',
    createdAt: now,
    expiresAt: null,
  });
  return created === undefined || configured !== null ? undefined : token;
}

/** Creates a login link for the account of the first key; undefined if that key no longer exists. */
export async function createStartLogin(
  storage: Storage,
  now: number,
  random: RandomBytes,
): Promise<string | undefined> {
  const key = keyForLogin(await storage.keys(firstAccount), now);
  return key && (await createLogin(storage, key.id, now, random)).token;
}
