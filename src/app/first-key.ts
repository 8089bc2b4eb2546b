import type { Config } from '../config.ts';
import { digestOf, generateKey, idInToken, scopes } from '../model/accounts/keys.ts';
import { createLogin, keyForLogin } from '../model/accounts/sessions.ts';
import type { RandomBytes } from '../model/ids.ts';
import type { Storage } from '../model/storage.ts';

const firstAccount = 'default';

/**
 * Creates a new installation's first key, with every scope and the enterprise plan (CONTRACT §7). Uses the operator's
 * key if one is set.
 * @returns the key in plain text; undefined if there are keys already or the operator set the key
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

/**
 * Creates the token of a login link for the first key's account. Returns undefined if the account has no key that can
 * be used to log in.
 */
export async function createStartLogin(
  storage: Storage,
  now: number,
  random: RandomBytes,
): Promise<string | undefined> {
  const key = keyForLogin(await storage.keys(firstAccount), now);
  return key && (await createLogin(storage, key.id, now, random)).token;
}
