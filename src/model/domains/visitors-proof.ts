import { createHash } from 'node:crypto';
import { isId } from '../ids.ts';
import type { Domain } from './domains.ts';

/** What this installation answers at a host that leads here, in whatever way: a proxy before it hides the records. */

const folder = '/.well-known/linkfold-domain/';

/** The path at which it is asked for. */
export function proofPath({ id }: Pick<Domain, 'id'>): string {
  return folder + id;
}

/** The id in such a path; undefined in any other. */
export function idInProofPath(path: string): string | undefined {
  const id = path.startsWith(folder) ? path.slice(folder.length) : '';
  return isId(id) ? id.toLowerCase() : undefined;
}

/** The answer, which tells nothing of the token that it is made of. */
export function proofOf({ token }: Pick<Domain, 'token'>): string {
  return createHash('sha256').update(`linkfold-domain ${token}`).digest('hex');
}
