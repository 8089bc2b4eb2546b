import { includable } from '../../../src/client/client.ts';
import { api } from '../client.ts';
import { shortBase } from '../session-state.ts';
import type { WholeLink } from './links.ts';
import { rowOf } from './list.ts';

const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The shared domain has no codes with a dot. */
const withHost = /^([^/]+\.[^/]+)\/(.+)$/s;

/** The code in a reference, for titles. */
export function codeIn(reference: string): string {
  return withHost.exec(reference)?.[2] ?? reference;
}

/** The host in a reference; that of the shared domain where it has none. */
export function hostIn(reference: string): string {
  return withHost.exec(reference)?.[1] ?? new URL(shortBase()).hostname;
}

/** The link that an address of the dashboard names, with all that is kept of it. @throws as the client does */
export async function findLink(reference: string): Promise<WholeLink> {
  const found = id.test(reference)
    ? await api.getLink(reference, { include: [...includable, 'destinationCheck'] })
    : await api.getLinkByCode(codeIn(reference), { domain: hostIn(reference) });
  // A list that is loaded may know its clicks by day.
  const row = rowOf(found.id);
  const more =
    row !== undefined || 'destinationCheck' in found
      ? {}
      : await api.getLink(found.id, { include: ['destinationCheck'] });
  return { ...row, ...more, ...found } as WholeLink;
}
