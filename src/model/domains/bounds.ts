import type { Bounds, BoundsWanted } from '../accounts/reach.ts';
import { Failure } from '../failures.ts';
import { isId } from '../ids.ts';
import { domainNotFound } from './domains.ts';
import { hostIn } from './hosts.ts';

/**
 * Bounds as they are kept; whether the account has what they name, storage knows.
 * @throws Failure DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND for what can be neither
 */
export function boundsOf(sharedHost: string, { domains, folders }: BoundsWanted): Bounds | undefined {
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
