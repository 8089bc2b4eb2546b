import { createHash } from 'node:crypto';
import { isId } from '../ids.ts';
import type { Domain } from './domains.ts';

/**
 * The HTTP response that proves that a host is routed to this installation. Needed for domains behind a proxy, because
 * the proxy hides the DNS records.
 */

const folder = '/.well-known/linkfold-domain/';

/** Returns the path of a domain's proof. */
export function proofPath({ id }: Pick<Domain, 'id'>): string {
  return folder + id;
}

/** Returns the domain id in a proof's path; undefined for other paths. */
export function idInProofPath(path: string): string | undefined {
  const id = path.startsWith(folder) ? path.slice(folder.length) : '';
  return isId(id) ? id.toLowerCase() : undefined;
}

/** Returns a domain's proof, which does not reveal the token. */
export function proofOf({ token }: Pick<Domain, 'token'>): string {
  return createHash('sha256').update(`linkfold-domain ${token}`).digest('hex');
}
