import { includable } from '../../../src/client/client.ts';
import { api } from '../client.ts';
import { shortBase } from '../session-state.ts';
import type { FullLink } from './links.ts';
import { rowOf } from './list.ts';

const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A reference with a host. A code alone does not match: codes on the shared domain contain no dot. */
const withHost = /^([^/]+\.[^/]+)\/(.+)$/s;

/** Returns the code in a reference, for titles. */
export function codeIn(reference: string): string {
  return withHost.exec(reference)?.[2] ?? reference;
}

/** Returns the host in a reference; the shared domain's if it has none. */
export function hostIn(reference: string): string {
  return withHost.exec(reference)?.[1] ?? new URL(shortBase()).hostname;
}

/** Fields that the API returns for a link by id, but not by code. */
const states = ['destinationCheck', 'excludedToday'] as const;

/** Loads the link in a dashboard URL with all fields. @throws LinkfoldError */
export async function findLink(reference: string): Promise<FullLink> {
  const found = id.test(reference)
    ? await api.getLink(reference, { include: [...includable, ...states] })
    : await api.getLinkByCode(codeIn(reference), { domain: hostIn(reference) });
  // The row of a loaded list may include the daily clicks.
  const row = rowOf(found.id);
  const more = 'excludedToday' in found ? {} : await api.getLink(found.id, { include: states });
  return { ...row, ...more, ...found } as FullLink;
}
