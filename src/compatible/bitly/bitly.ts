import { problem, refused } from '../../model/failures.ts';
import type { Adapter, ErrorResponse, Fields, Incoming, Reply, Route } from '../request/adapter.ts';
import {
  change,
  type FullLink,
  findLinkByCode,
  includedFields,
  parseReference,
  type ShownLink,
} from '../request/links.ts';
import { clicks, metrics, summary, timeOf } from './statistics.ts';

/** ID of the only group that an account has in the Bitly API. */
const group = 'links';
const groupPath = `/v4/groups/${group}`;
/**
 * Values of `domain` that mean the default domain: no value, or Bitly's own domains, which some clients always send.
 */
const ownHosts: ReadonlySet<unknown> = new Set([undefined, '', 'bit.ly', 'j.mp', 'bitly.com']);

function ok(body: unknown): Reply {
  return { status: 200, body };
}

function idOf(shortUrl: string): string {
  return shortUrl.replace(/^https?:\/\//, '');
}

function bitlinkOf(link: FullLink | ShownLink, aliases: readonly string[] = []) {
  const { shortUrl, destinationUrl, createdAt, title, archived, tags } = link;
  return {
    id: idOf(shortUrl),
    link: shortUrl,
    long_url: destinationUrl,
    created_at: timeOf(Date.parse(createdAt)),
    title: title ?? '',
    archived,
    tags,
    deeplinks: [],
    custom_bitlinks: aliases,
    references: { group: groupPath },
  };
}

/** Finds the link for a Bitlink ID. @param text `host/code`, or only the code */
async function findRequestedLink(request: Incoming, text: unknown) {
  if (typeof text !== 'string' || text === '')
    throw refused([problem('bitlink_id', 'missing', 'bitlink_id is required, such as s.example.com/sale.')]);
  const { code, domain } = parseReference(request, text);
  return findLinkByCode(request.ask, code, ownHosts.has(domain) ? undefined : domain);
}

async function withAliases({ ask }: Incoming, link: FullLink) {
  const { data } = (await ask('listAliases', { params: { id: link.id } })).body;
  return bitlinkOf(
    link,
    data.map(({ shortUrl }) => shortUrl),
  );
}

/** Converts a Bitly request's fields to Linkfold's. Absent fields stay absent. */
function draftOf({ long_url: url, title, tags, archived }: Fields): Fields {
  const given = { url, title, tags, archived };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Creates a link, or returns the existing link with this destination, as Bitly does. */
async function create(request: Incoming): Promise<Reply> {
  const { ask, body } = request;
  const { domain, keyword, force_new_link: isNew } = body;
  const { archived: _, ...draft } = draftOf(body);
  const made = {
    ...draft,
    ...(!ownHosts.has(domain) && { domain }),
    ...(keyword ? { customCode: keyword } : {}),
    ...(isNew !== true && { ifExists: 'reuse' }),
  };
  const { body: answer, existed } = await ask('shorten', { body: made });
  const { data } = (
    await ask('getLink', { params: { id: answer.data.id }, query: { include: includedFields } })
  ).body;
  return { status: existed ? 200 : 201, body: await withAliases(request, data as FullLink) };
}

async function edit(request: Incoming, link: FullLink): Promise<Reply> {
  await change(request.ask, link.id, draftOf(request.body));
  return ok(await withAliases(request, await findRequestedLink(request, idOf(link.shortUrl))));
}

async function remove({ ask }: Incoming, link: FullLink): Promise<Reply> {
  await ask('deleteLink', { params: { id: link.id } });
  return ok({ links_deleted: [{ id: idOf(link.shortUrl) }] });
}

async function expand(request: Incoming): Promise<Reply> {
  const { id, link, long_url, created_at } = bitlinkOf(
    await findRequestedLink(request, request.body['bitlink_id']),
  );
  return ok({ id, link, long_url, created_at });
}

async function addCode(request: Incoming): Promise<Reply> {
  const { ask, body } = request;
  const link = await findRequestedLink(request, body['bitlink_id']);
  const { code, domain } = parseReference(request, String(body['custom_bitlink'] ?? ''));
  const draft = { customCode: code, ...(!ownHosts.has(domain) && { domain }) };
  const { data } = (await ask('addAlias', { params: { id: link.id }, body: draft })).body;
  return ok({ custom_bitlink: data.shortUrl, bitlink: await withAliases(request, link) });
}

async function list(request: Incoming): Promise<Reply> {
  const { ask, query } = request;
  const { size, page, search_after: after, archived = 'off', query: search, tags } = query;
  const asked = {
    ...(page === undefined || page === '1' ? { cursor: after ?? '' } : { page }),
    limit: size ?? '50',
    include: includedFields,
    ...(archived !== 'both' && { archived: archived === 'on' ? 'true' : 'false' }),
    ...(search !== undefined && { search }),
    ...(tags !== undefined && { tag: [tags].flat().join(',') }),
  };
  const { data, pagination } = (await ask('listLinks', { query: asked })).body;
  const next = pagination !== undefined && 'nextCursor' in pagination ? pagination.nextCursor : null;
  const { total = null } = (pagination ?? {}) as { total?: number | null };
  return ok({
    links: (data as ShownLink[]).map((link) => bitlinkOf(link)),
    pagination: { search_after: next ?? '', size: Number(asked.limit), total, page: Number(page ?? 1) },
  });
}

async function groupOf({ ask }: Incoming) {
  const { account } = (await ask('me')).body.data;
  return { guid: group, name: account, is_active: true, references: { bitlinks: `${groupPath}/bitlinks` } };
}

async function user({ ask }: Incoming): Promise<Reply> {
  const { account } = (await ask('me')).body.data;
  return ok({ login: account, name: account, is_active: true, default_group_guid: group, emails: [] });
}

type OfLink = (request: Incoming, link: FullLink) => Promise<Reply>;

/** Endpoints for a single link. Each entry has the path suffix that follows the Bitlink ID. */
const ofLink: readonly (readonly [Route['method'], suffix: string, OfLink])[] = [
  ['GET', '/clicks/summary', async (request, link) => ok(await summary(request, link))],
  ['GET', '/clicks', async (request, link) => ok(await clicks(request, link))],
  ['GET', '/countries', async (request, link) => ok(await metrics(request, link, 'country', 'countries'))],
  ['GET', '/referrers', async (request, link) => ok(await metrics(request, link, 'referrer', 'referrers'))],
  [
    ...(['GET', '/referring_domains'] as const),
    async (request, link) => ok(await metrics(request, link, 'referrer', 'referring_domains')),
  ],
  ['GET', '', async (request, link) => ok(await withAliases(request, link))],
  ['PATCH', '', edit],
  ['DELETE', '', remove],
];

/**
 * Creates a route for all paths below a Bitlink. It parses paths itself, because Bitlink IDs contain slashes
 * (`host/code`), and codes may contain slashes, too.
 */
function linkRoute(method: Route['method']): Route {
  const lines = ofLink.filter(([of]) => of === method);
  return {
    method,
    path: '/v4/bitlinks/*',
    async run(request) {
      const { '*': path = '' } = request.params;
      for (const [, suffix, run] of lines)
        if (path.endsWith(suffix))
          return run(request, await findRequestedLink(request, path.slice(0, path.length - suffix.length)));
      throw new Error(
        'No route matched the path. This should be impossible, because every path matches the empty suffix.',
      );
    },
  };
}

const routes: readonly Route[] = [
  { method: 'POST', path: '/v4/shorten', respondsWith: 'getLink', run: create },
  { method: 'POST', path: '/v4/bitlinks', respondsWith: 'getLink', run: create },
  { method: 'POST', path: '/v4/expand', run: expand },
  { method: 'POST', path: '/v4/custom_bitlinks', run: addCode },
  linkRoute('GET'),
  linkRoute('PATCH'),
  linkRoute('DELETE'),
  { method: 'GET', path: '/v4/groups', run: async (request) => ok({ groups: [await groupOf(request)] }) },
  { method: 'GET', path: '/v4/groups/:guid', run: async (request) => ok(await groupOf(request)) },
  { method: 'GET', path: '/v4/groups/:guid/bitlinks', run: list },
  { method: 'GET', path: '/v4/user', run: user },
];

/** Bitly's names for Linkfold's fields, for error messages. */
const fieldNames: Readonly<Record<string, string>> = { url: 'long_url', customCode: 'custom_bitlink' };
const words: Readonly<Record<number, string>> = {
  402: 'UPGRADE_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMIT_EXCEEDED',
  503: 'TEMPORARILY_UNAVAILABLE',
};

function refuse({ answer, path }: ErrorResponse): Reply {
  const { code, message, details = [] } = answer.body.error;
  // Bitly responds to an invalid token with 403, and to every invalid field with 400.
  const status = ({ 401: 403, 422: 400 } as Record<number, number>)[answer.status] ?? answer.status;
  const errors = details.map(({ field, reason, message: text }) => ({
    field: fieldNames[field] ?? field,
    error_code: reason,
    message: text,
  }));
  const argument = `INVALID_ARG_${(errors[0]?.field ?? 'long_url').toUpperCase()}`;
  const word = code === 'SELF_REFERENTIAL_URL' ? 'ALREADY_A_BITLY_LINK' : (words[status] ?? argument);
  const [, , resource = ''] = path.split('/');
  return { status, body: { message: word, description: message, resource, errors } };
}

/** Adapter for Bitly's API, version 4. The bearer token is an API key. */
export const bitly: Adapter = { root: '/v4', routes, refuse };
