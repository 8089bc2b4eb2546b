import type { Ask } from '../../api/request/inner-calls.ts';
import type { SuccessOf } from '../../contract/endpoint.ts';
import type { Endpoints } from '../../contract/endpoints/endpoints.ts';
import { largestPageSize } from '../../contract/links/links.ts';
import { Failure, type FailureCode, problem } from '../../model/failures.ts';
import type { Fields } from './adapter.ts';

/** Everything about a link, as our API tells it. */
export type FullLink = SuccessOf<Endpoints['getLinkByCode']>['data'];
type ListedLink = Extract<
  SuccessOf<Endpoints['listLinks']>,
  { pagination: { page: number } }
>['data'][number];

/** What of a link the programs of other services show. */
export const shown =
  'title,description,expiresAt,startsAt,maxClicks,forwardQuery,rules,disabled,archived,updatedAt,tags,hasPassword,domain';

/** A link with the fields that lists of other services show. */
export type ShownLink = ListedLink &
  Pick<FullLink, 'title' | 'description' | 'expiresAt' | 'startsAt'> &
  Pick<FullLink, 'maxClicks' | 'forwardQuery' | 'rules' | 'disabled' | 'archived' | 'updatedAt'> &
  Pick<FullLink, 'tags' | 'hasPassword' | 'domain'>;

/**
 * Reads the code and the host in what a program calls a link: a short URL with or without its scheme, or the code alone.
 * Only a host may have a dot or a colon, where a code could not.
 */
export function namedBy(text: string): { code: string; domain?: string } {
  const host = /^(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+[.:])+[\p{L}\p{N}_-]+)\/(.+)$/iu.exec(text.trim());
  if (host === null) return { code: text.trim() };
  const [, domain = '', path = ''] = host;
  return { code: decoded(path.replace(/[?#].*$|\/$/g, '')), domain: domain.replace(/:\d+$/, '') };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @throws Failure LINK_NOT_FOUND also where the account has no such domain: to other accounts nothing exists */
export async function linkNamed(ask: Ask, code: string, domain?: string): Promise<FullLink> {
  try {
    const query = domain === undefined ? {} : { domain };
    return (await ask('getLinkByCode', { params: { code }, query })).body.data;
  } catch (error) {
    if (error instanceof Failure && error.code === 'DOMAIN_NOT_FOUND') throw new Failure('LINK_NOT_FOUND');
    throw error;
  }
}

/** Changes what fields say and where the link leads, all at once. @throws Failure as a single call would */
export async function change(ask: Ask, id: string, fields: Fields): Promise<void> {
  const { results } = (await ask('bulkLinks', { body: { action: 'update', links: [{ id, ...fields }] } }))
    .body.data;
  const error = results[0]?.error;
  if (!error) return;
  const { code, field, message } = error;
  const problems =
    field === null ? {} : { problems: [problem(field, 'refused', message, code as FailureCode)] };
  throw new Failure(code as FailureCode, message, problems);
}

/** Maximum number of links of a list of another service. */
export const mostListed = 1_000;

/** Links of a list from any position on: pages of our API end at multiples of their length. @param query of `GET /links` */
export async function linksFrom(
  ask: Ask,
  query: Fields,
  start: number,
  count: number,
): Promise<{ links: ShownLink[]; total: number }> {
  const size = count <= largestPageSize && start % count === 0 ? count : largestPageSize;
  const first = Math.floor(start / size);
  const links: ShownLink[] = [];
  let total = 0;
  for (let page = first; page * size < start + count; page += 1) {
    const asked = { ...query, page: String(page + 1), limit: String(size), include: shown };
    const { data, pagination } = (await ask('listLinks', { query: asked })).body;
    links.push(...(data as ShownLink[]));
    total = pagination !== undefined && 'total' in pagination ? (pagination.total ?? 0) : 0;
    if (data.length < size) break;
  }
  const skipped = start - first * size;
  return { links: links.slice(skipped, skipped + count), total };
}

/** The range of all statistics there are, as a query: in so few buckets that any number of years has room. */
export const allTime = { from: '2000-01-01', interval: 'month' };
