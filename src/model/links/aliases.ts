import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { isId } from '../ids.ts';
import { couldBeCode, foldCode, isReserved } from './codes.ts';
import { codeReserved } from './conflicts.ts';
import type { Link } from './link-records.ts';
import { getLink, linkNotFound } from './links.ts';

/** The limit of codes that a link has beside its own. */
export const maxAliases = 20;

/** Existence comes before conflict (CONTRACT §1.4). @throws Failure LINK_NOT_FOUND, CUSTOM_CODE_RESERVED */
async function requireGivable(context: Context, accountId: number, id: string, code: string): Promise<void> {
  if (!isId(id)) throw linkNotFound();
  if (!isReserved(code)) return;
  await getLink(context, accountId, id);
  throw codeReserved(code);
}

/**
 * Gives a link another code; the old one goes on leading to it, as an alias.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN, CUSTOM_CODE_RESERVED
 */
export async function changeCode(
  context: Context,
  accountId: number,
  id: string,
  code: string,
): Promise<Link> {
  await requireGivable(context, accountId, id, code);
  return context.writes.changeCode(accountId, id.toLowerCase(), code, context.now());
}

/**
 * Lets one more code lead to a link.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN, CUSTOM_CODE_RESERVED
 */
export async function addAlias(
  context: Context,
  accountId: number,
  id: string,
  code: string,
): Promise<{ alias: string; isNew: boolean }> {
  await requireGivable(context, accountId, id, code);
  return context.writes.addAlias(accountId, id.toLowerCase(), code, context.now());
}

/** The aliases of a link, in the order of their letters. @throws Failure LINK_NOT_FOUND */
export async function listAliases(
  { storage }: Context,
  accountId: number,
  id: string,
): Promise<readonly string[]> {
  const found = isId(id) ? await storage.aliases(accountId, id.toLowerCase()) : undefined;
  if (found === undefined) throw linkNotFound();
  return found;
}

/** Stops an alias from leading anywhere; the account keeps the code. @throws Failure ALIAS_NOT_FOUND */
export async function removeAlias(context: Context, accountId: number, code: string): Promise<void> {
  const removed =
    couldBeCode(code) && (await context.writes.removeAlias(accountId, foldCode(code), context.now()));
  if (!removed) throw new Failure('ALIAS_NOT_FOUND');
}
