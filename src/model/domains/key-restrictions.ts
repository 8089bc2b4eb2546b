import type { KeyRestrictions, RequestedRestrictions } from '../accounts/key-restrictions.ts';
import { Failure } from '../failures.ts';
import { isId } from '../ids.ts';
import { domainNotFound } from './domains.ts';
import { hostIn } from './hosts.ts';

/**
 * Resolves requested restrictions. Storage checks that the domains and folders belong to the account.
 * @throws Failure DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND for malformed values
 */
export function domainRestrictions(
  sharedHost: string,
  { domains, folders }: RequestedRestrictions,
): KeyRestrictions | undefined {
  if (domains == null && folders == null) return undefined;
  const hosts = domains?.map((text) => {
    const host = hostIn(text);
    if (text === sharedHost || host === sharedHost) return '';
    if (host === undefined) throw domainNotFound();
    return host;
  });
  const ids = folders?.map((id) => {
    if (!isId(id)) throw new Failure('FOLDER_NOT_FOUND');
    return id.toLowerCase();
  });
  return {
    ...(hosts !== undefined && { hosts: [...new Set(hosts)] }),
    ...(ids !== undefined && { folders: [...new Set(ids)] }),
  };
}
