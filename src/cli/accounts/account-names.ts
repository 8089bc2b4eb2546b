import { foldAccountName } from '../../model/accounts/accounts.ts';
import type { Storage } from '../../model/storage.ts';
import { exits, Stop } from '../terminal/exits.ts';

/** Returns the error for an account name that is already in use. Account names are case-insensitive. */
export async function nameInUse(storage: Storage, name: string): Promise<Stop> {
  const found = (await namesLike(storage, name)).at(0) ?? name;
  const why = found === name ? '' : `, which differs from "${name}" only in case`;
  return new Stop(exits.refused, `There is already an account "${found}"${why}.`);
}

/** Returns the error for an unknown account. */
export async function noSuchAccount(storage: Storage, name: string): Promise<Stop> {
  const [found] = await namesLike(storage, name);
  const hint = found === undefined ? '' : ` Did you mean "${found}"?`;
  return new Stop(exits.refused, `There is no account "${name}".${hint}`);
}

/** Returns true if there is an account with exactly this name. */
export async function hasAccount(storage: Storage, name: string): Promise<boolean> {
  return (await storage.accounts()).some((account) => account.name === name);
}

async function namesLike(storage: Storage, name: string): Promise<string[]> {
  const names = (await storage.accounts()).map((account) => account.name);
  return names.filter((one) => foldAccountName(one) === foldAccountName(name));
}
