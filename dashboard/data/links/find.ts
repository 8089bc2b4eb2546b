import { includable } from '../../../src/client/client.ts';
import { api } from '../client.ts';
import { shortBase } from '../session-state.ts';
import type { FullLink } from './links.ts';
import { rowOf } from './list.ts';

const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/**
 * Matches a reference that includes a host. Does not match a code alone, because codes on the shared domain contain no
 * dot.
 */
const withHost = /^([^/]+\.[^/]+)\/(.+)$/s;

/** Returns the code from a link reference, for titles. */
export function codeIn(reference: string): string {
  return withHost.exec(reference)?.[2] ?? reference;
}

/** Returns the host from a link reference, or the shared domain's host if the reference has none. */
export function hostIn(reference: string): string {
  return withHost.exec(reference)?.[1] ?? new URL(shortBase()).hostname;
}

/** Fields that the API returns only if the link is requested by id, not by code. */
const states = ['destinationCheck', 'excludedToday'] as const;

/** Loads all fields of the link that a dashboard URL refers to. @throws LinkfoldError */
export async function findLink(reference: string): Promise<FullLink> {
  const found = id.test(reference)
    ? await api.getLink(reference, { include: [...includable, ...states] })
    : await api.getLinkByCode(codeIn(reference), { domain: hostIn(reference) });
  // Take the link's daily clicks from a loaded list, if any list contains the link.
  const row = rowOf(found.id);
  const more = 'excludedToday' in found ? {} : await api.getLink(found.id, { include: states });
  return { ...row, ...more, ...found } as FullLink;
}
