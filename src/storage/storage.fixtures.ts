import type { NewKey } from '../model/accounts/keys.ts';
import { digestOf, drawKey } from '../model/accounts/keys.ts';
import type { Link, NewLink } from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';

/** Ids whose order is plain to see, so that only storage can be at fault for the order of a list. */
export function idOf(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

let ids = 0;
export function nextId(): string {
  ids += 1;
  return idOf(ids);
}

/** As rows are asked for. */
export function hexOf(id: string): string {
  return id.replaceAll('-', '');
}

/** A link to be made; what a test does not say is the same in all of them, but for the id. */
export function newLink(codes: string | readonly string[], more: Partial<NewLink> = {}): NewLink {
  return {
    id: nextId(),
    codes: typeof codes === 'string' ? [codes] : codes,
    destination: 'https://example.com/',
    location: 'https://example.com/',
    title: null,
    description: null,
    expiresAt: null,
    folderId: null,
    createdAt: 1,
    ...more,
  };
}

/** Makes a link. @returns all that storage has of it, but for its row */
export async function madeLink(storage: Storage, accountId: number, given: NewLink): Promise<Link> {
  await storage.createLink(accountId, given);
  const found = await storage.link(accountId, given.id);
  if (found === undefined) throw new Error('The link is not there.');
  const { row: _, ...link } = found.link;
  return link;
}

/** A key to be made, in the account `mine`. */
export function newKey(id: string, more: Partial<NewKey> = {}): NewKey {
  return {
    id,
    digest: digestOf(id),
    account: 'mine',
    plan: 'pro',
    scopes: [],
    name: 'test',
    createdAt: 1,
    expiresAt: null,
    ...more,
  };
}

/** Makes such a key. @returns its id */
export async function newKeyIn(storage: Storage): Promise<string> {
  const { id } = drawKey((size) => crypto.getRandomValues(new Uint8Array(size)));
  await storage.createKey(newKey(id));
  return id;
}
