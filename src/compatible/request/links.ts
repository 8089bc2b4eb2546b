import type { Ask } from '../../api/request/inner-calls.ts';
import type { SuccessOf } from '../../contract/endpoint.ts';
import type { Endpoints } from '../../contract/endpoints/endpoints.ts';
import { maxPageSize } from '../../contract/links/links.ts';
import { Failure, type FailureCode, problem } from '../../model/failures.ts';
import type { Fields, Incoming } from './adapter.ts';

/** A link with all fields, in the format of Linkfold's API. */
export type FullLink = SuccessOf<Endpoints['getLinkByCode']>['data'];
type ListedLink = Extract<
  SuccessOf<Endpoints['listLinks']>,
  { pagination: { page: number } }
>['data'][number];

/** Value of `include` that requests the fields that other services return in lists. */
export const includedFields =
  'title,description,expiresAt,startsAt,maxClicks,forwardQuery,rules,disabled,archived,updatedAt,tags,hasPassword,domain';

/** A link with the fields that other services return in lists. */
export type ShownLink = ListedLink &
  Pick<FullLink, 'title' | 'description' | 'expiresAt' | 'startsAt'> &
  Pick<FullLink, 'maxClicks' | 'forwardQuery' | 'rules' | 'disabled' | 'archived' | 'updatedAt'> &
  Pick<FullLink, 'tags' | 'hasPassword' | 'domain'>;

/**
 * Parses a client's reference to a link: a short URL with or without a scheme, or only the code. The part before the
 * first slash is a host if it contains a dot or colon.
 */
export function parseReference(
  { context }: Pick<Incoming, 'context'>,
  text: string,
): { code: string; domain?: string } {
  const { ownPath = '' } = context.destinations;
  const parts = /^(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+[.:])+[\p{L}\p{N}_-]+)\/(.+)$/iu.exec(text.trim());
  if (parts === null) return { code: text.trim() };
  const [, domain = '', path = ''] = parts;
  const host = domain.replace(/:\d+$/, '');
  const isBelow = host === context.sharedHost() && `/${path}`.startsWith(`${ownPath}/`);
  const code = isBelow ? path.slice(ownPath.length) : path;
  return { code: decoded(code.replace(/[?#].*$|\/$/g, '')), domain: host };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the link with the given code.
 * @throws Failure LINK_NOT_FOUND, also if the domain is unknown, because other accounts' domains must look nonexistent
 */
export async function findLinkByCode(ask: Ask, code: string, domain?: string): Promise<FullLink> {
  try {
    const query = domain === undefined ? {} : { domain };
    return (await ask('getLinkByCode', { params: { code }, query })).body.data;
  } catch (error) {
    if (error instanceof Failure && error.code === 'DOMAIN_NOT_FOUND') throw new Failure('LINK_NOT_FOUND');
    throw error;
  }
}

/**
 * Updates a link's fields and destination in one transaction.
 * @throws the same Failure as the corresponding endpoint
 */
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

/** Maximum number of links in a list response of a compatible API. */
export const maxListed = 1_000;

/**
 * Reads links from any offset. Pages in Linkfold's API start at multiples of the page size, so the function may read
 * several pages.
 * @param query query of `GET /links`
 */
export async function linksFrom(
  ask: Ask,
  query: Fields,
  start: number,
  count: number,
): Promise<{ links: ShownLink[]; total: number }> {
  const size = count <= maxPageSize && start % count === 0 ? count : maxPageSize;
  const first = Math.floor(start / size);
  const links: ShownLink[] = [];
  let total = 0;
  for (let page = first; page * size < start + count; page += 1) {
    const asked = { ...query, page: String(page + 1), limit: String(size), include: includedFields };
    const { data, pagination } = (await ask('listLinks', { query: asked })).body;
    links.push(...(data as ShownLink[]));
    total = pagination !== undefined && 'total' in pagination ? (pagination.total ?? 0) : 0;
    if (data.length < size) break;
  }
  const skipped = start - first * size;
  return { links: links.slice(skipped, skipped + count), total };
}

/** Query for all-time statistics. Uses monthly buckets, so that the number of buckets stays below the maximum. */
export const allTime = { from: '2000-01-01', interval: 'month' };
