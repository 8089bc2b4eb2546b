import { api } from '../data/client.ts';
import { type Link, listed } from '../data/links/links.ts';

const freshMs = 2_000;
const reads = new Map<string, Promise<Link>>();

/** Loads a link with the fields that rows show. Loads each link only once for all lists on the screen. */
export function readLink(id: string): Promise<Link> {
  const known = reads.get(id);
  if (known !== undefined) return known;
  const read = api.getLink(id, listed()) as Promise<Link>;
  reads.set(id, read);
  setTimeout(() => reads.delete(id), freshMs);
  return read;
}
