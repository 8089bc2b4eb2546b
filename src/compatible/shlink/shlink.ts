import { Failure, problem, refused } from '../../model/failures.ts';
import type { Adapter, Fields, Incoming, Reply, Route } from '../request/adapter.ts';
import {
  change,
  type FullLink,
  findLinkByCode,
  linksFrom,
  maxListed,
  type ShownLink,
} from '../request/links.ts';
import { draftOf, listIn, numberIn, textIn } from './fields.ts';
import { refuse } from './problems.ts';
import { pageOf, shortUrlOf } from './shapes.ts';
import { botsOf, listVisits, summary } from './visits.ts';

/** Shlink version that this API reports. Clients enable features based on the version. */
const version = '4.2.5';

function ok(body: unknown): Reply {
  return { status: 200, body };
}
const done: Reply = { status: 204 };

/** Returns the host that a request refers to. In Shlink, `DEFAULT` or no domain means the shared domain. */
function hostIn({ context, query }: Incoming): string {
  const domain = textIn(query, 'domain');
  return domain === undefined || domain === 'DEFAULT' ? context.sharedHost() : domain;
}

async function findRequestedLink(request: Incoming): Promise<FullLink> {
  return findLinkByCode(request.ask, request.params['shortCode'] ?? '', hostIn(request));
}

async function respondWith({ ask, context }: Incoming, link: FullLink): Promise<Reply> {
  const bots = await botsOf(ask, [link.id]);
  return ok(shortUrlOf(link, bots.get(link.id) ?? 0, context.sharedHost()));
}

const sorts: Readonly<Record<string, string>> = {
  dateCreated: 'createdAt',
  title: 'title',
  visits: 'clicks',
  nonBotVisits: 'clicks',
};

function orderIn(query: Fields): Fields {
  const text = textIn(query, 'orderBy');
  if (text === undefined) return {};
  const [field = '', direction = 'ASC'] = text.split('-');
  const sort = Object.hasOwn(sorts, field) ? sorts[field] : undefined;
  if (sort === undefined)
    throw refused([
      problem('orderBy', 'unknown_value', `orderBy must be one of ${Object.keys(sorts).join(', ')}.`),
    ]);
  return { sort, order: direction.toLowerCase() };
}

function searchIn(request: Incoming): Fields {
  const { query } = request;
  const [search, from, to] = ['searchTerm', 'startDate', 'endDate'].map((name) => textIn(query, name));
  const tags = listIn(query, 'tags');
  const onlyWorking = ['excludeMaxVisitsReached', 'excludePastValidUntil'].some(
    (name) => textIn(query, name) === 'true',
  );
  return {
    ...orderIn(query),
    ...(search !== undefined && { search }),
    ...(from !== undefined && { createdAfter: from }),
    ...(to !== undefined && { createdBefore: to }),
    ...(tags.length > 0 && { tag: tags.join(','), tagMatch: textIn(query, 'tagsMode') ?? 'any' }),
    ...(textIn(query, 'domain') !== undefined && { domain: hostIn(request) }),
    ...(onlyWorking && { status: 'active' }),
  };
}

async function list(request: Incoming): Promise<Reply> {
  const { ask, query, context } = request;
  const [page, size] = [
    numberIn(query, 'page', 1, 1_000_000),
    numberIn(query, 'itemsPerPage', 10, maxListed),
  ];
  const { links, total } = await linksFrom(ask, searchIn(request), (page - 1) * size, size);
  const bots = await botsOf(
    ask,
    links.map(({ id }: ShownLink) => id),
  );
  const data = links.map((link) => shortUrlOf(link, bots.get(link.id) ?? 0, context.sharedHost()));
  return ok({ shortUrls: { data, pagination: pageOf(total, page, size, data.length) } });
}

async function create(request: Incoming): Promise<Reply> {
  const { ask, body, context } = request;
  const { customSlug, shortCodeLength, domain, findIfExists, pathPrefix } = body;
  const made = {
    ...draftOf(body),
    ...(customSlug != null && customSlug !== '' && { customCode: customSlug }),
    ...(shortCodeLength != null && { length: shortCodeLength }),
    ...(pathPrefix != null && { prefix: pathPrefix }),
    ...(findIfExists === true && { ifExists: 'reuse' }),
    domain: domain ?? context.sharedHost(),
  };
  const { data } = (await ask('shorten', { body: made })).body;
  return respondWith(request, await findLinkByCode(ask, data.shortCode, String(made.domain)));
}

async function edit(request: Incoming): Promise<Reply> {
  const link = await findRequestedLink(request);
  await change(request.ask, link.id, draftOf(request.body));
  return respondWith(request, await findRequestedLink(request));
}

async function remove(request: Incoming): Promise<Reply> {
  await request.ask('deleteLink', { params: { id: (await findRequestedLink(request)).id } });
  return done;
}

/** Returns the redirect rules that Shlink can represent: rules with a destination and supported conditions. */
async function readRules(request: Incoming): Promise<Reply> {
  const { destinationUrl, rules } = await findRequestedLink(request);
  const supported = (rules ?? []).flatMap(({ when, to }) => {
    const conditions = when.map((one) => {
      if (one.not === true) return undefined;
      if (one.fact === 'language' && one.values.length === 1)
        return { type: 'language', matchKey: null, matchValue: one.values[0] };
      if (one.fact === 'country' && one.values.length === 1)
        return { type: 'geolocation-country-code', matchKey: null, matchValue: one.values[0] };
      if (one.fact === 'query' && one.values?.length === 1)
        return { type: 'query-param', matchKey: one.name, matchValue: one.values[0] };
      return undefined;
    });
    return 'url' in to && !conditions.includes(undefined) ? [{ longUrl: to.url, conditions }] : [];
  });
  const redirectRules = supported.map((rule, at) => ({ ...rule, priority: at + 1 }));
  return ok({ defaultLongUrl: destinationUrl, redirectRules });
}

async function tagNamed({ ask }: Incoming, name: string) {
  const { data } = (await ask('listTags')).body;
  return data.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
}

async function tagStatistics({ ask }: Incoming): Promise<Reply> {
  const { data: tags } = (await ask('listTags')).body;
  const data = [];
  for (const { id, name, linkCount } of tags)
    data.push({ tag: name, shortUrlsCount: linkCount, visitsSummary: await summary(ask, { tagId: id }) });
  return ok({ tags: { data, pagination: pageOf(data.length, 1, Math.max(1, data.length), data.length) } });
}

async function tagNames({ ask, query }: Incoming): Promise<Reply> {
  const { data: tags } = (await ask('listTags')).body;
  const data = tags.map(({ name }) => name);
  // For clients of Shlink before version 3, which receive tag statistics in the list of tags.
  if (textIn(query, 'withStats') === 'true') {
    const stats = tags.map(({ name, linkCount }) => ({ tag: name, shortUrlsCount: linkCount }));
    return ok({ tags: { data, stats } });
  }
  return ok({ tags: { data, pagination: pageOf(data.length, 1, Math.max(1, data.length), data.length) } });
}

async function renameTag(request: Incoming): Promise<Reply> {
  const { oldName, newName } = request.body;
  const tag = await tagNamed(request, String(oldName));
  if (tag === undefined) throw new Failure('TAG_NOT_FOUND');
  await request.ask('renameTag', { params: { id: tag.id }, body: { name: newName } });
  return done;
}

async function deleteTags(request: Incoming): Promise<Reply> {
  for (const name of listIn(request.query, 'tags')) {
    const tag = await tagNamed(request, name);
    if (tag !== undefined) await request.ask('deleteTag', { params: { id: tag.id } });
  }
  return done;
}

async function tagVisits(request: Incoming): Promise<Reply> {
  const tag = await tagNamed(request, request.params['tag'] ?? '');
  if (tag === undefined) throw new Failure('TAG_NOT_FOUND');
  return ok(await listVisits(request.ask, { tagId: tag.id }, request.query));
}

async function domainVisits({ ask, context, params, query }: Incoming): Promise<Reply> {
  const { domain = '' } = params;
  // In analytics filters, the empty host stands for the shared domain.
  const host = domain === 'DEFAULT' || domain === context.sharedHost() ? '' : domain;
  return ok(await listVisits(ask, { filter: `domain:is:${host}` }, query));
}

const noRedirects = { baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null };

async function domains({ ask, context }: Incoming): Promise<Reply> {
  const shared = context.sharedHost();
  const { data: all } = (await ask('listDomains')).body;
  const hosts = [shared, ...all.map(({ host }) => host).filter((host) => host !== shared)];
  const data = hosts.map((domain) => ({ domain, isDefault: domain === shared, redirects: noRedirects }));
  return ok({ domains: { data, defaultRedirects: noRedirects } });
}

async function overview({ ask }: Incoming): Promise<Reply> {
  const nonOrphanVisits = await summary(ask, {});
  const orphanVisits = { total: 0, nonBots: 0, bots: 0 };
  return ok({
    visits: { nonOrphanVisits, orphanVisits, visitsCount: nonOrphanVisits.total, orphanVisitsCount: 0 },
  });
}

async function orphans({ query }: Incoming): Promise<Reply> {
  const size = numberIn(query, 'itemsPerPage', 10, 5_000);
  return ok({ visits: { data: [], pagination: pageOf(0, 1, size, 0) } });
}

async function health(): Promise<Reply> {
  return {
    status: 200,
    body: { status: 'pass', version, links: {} },
    type: 'application/health+json; charset=utf-8',
  };
}

async function unsupported(): Promise<Reply> {
  const detail = 'The Shlink-compatible API does not support this. Use the Linkfold API: /api/v1/docs';
  return problemOf(501, 'not-supported', 'Not supported', detail);
}

async function noMercure(): Promise<Reply> {
  return problemOf(
    501,
    'mercure-not-configured',
    'Mercure integration not configured',
    'Mercure is not supported.',
  );
}

function problemOf(status: number, kind: string, title: string, detail: string): Reply {
  const body = JSON.stringify({ type: `https://shlink.io/api/error/${kind}`, title, detail, status });
  return { status, body, type: 'application/problem+json; charset=utf-8' };
}

type Line = readonly [Route['method'], string, Route['run'], Route['respondsWith']?];
const lines: readonly Line[] = [
  ['GET', '/short-urls', list],
  ['POST', '/short-urls', create, 'getLinkByCode'],
  [
    'GET',
    '/short-urls/:shortCode',
    async (request) => respondWith(request, await findRequestedLink(request)),
  ],
  ['PATCH', '/short-urls/:shortCode', edit],
  ['DELETE', '/short-urls/:shortCode', remove],
  [
    'GET',
    '/short-urls/:shortCode/visits',
    async (request) =>
      ok(await listVisits(request.ask, { linkId: (await findRequestedLink(request)).id }, request.query)),
  ],
  ['DELETE', '/short-urls/:shortCode/visits', unsupported],
  ['GET', '/short-urls/:shortCode/redirect-rules', readRules],
  ['POST', '/short-urls/:shortCode/redirect-rules', unsupported],
  ['GET', '/tags', tagNames],
  ['GET', '/tags/stats', tagStatistics],
  ['PUT', '/tags', renameTag],
  ['DELETE', '/tags', deleteTags],
  ['GET', '/tags/:tag/visits', tagVisits],
  ['GET', '/visits', overview],
  ['GET', '/visits/non-orphan', async ({ ask, query }) => ok(await listVisits(ask, {}, query))],
  ['GET', '/visits/orphan', orphans],
  ['DELETE', '/visits/orphan', unsupported],
  ['GET', '/domains', domains],
  ['GET', '/domains/:domain/visits', domainVisits],
  ['PATCH', '/domains/redirects', unsupported],
  ['GET', '/mercure-info', noMercure],
];

const versions = ['/rest/v3', '/rest/v2', '/rest/v1'];
const routes: Route[] = versions.flatMap((prefix) => [
  ...lines.map(
    ([method, path, run, respondsWith]): Route => ({
      method,
      path: prefix + path,
      run,
      ...(respondsWith && { respondsWith }),
    }),
  ),
  { method: 'GET' as const, path: `${prefix}/health`, isPublic: true as const, run: health },
]);
routes.push({ method: 'GET', path: '/rest/health', isPublic: true, run: health });

/**
 * Adapter for Shlink's API, version 3, and earlier versions where they are identical. The header `X-Api-Key` contains
 * an API key.
 */
export const shlink: Adapter = { root: '/rest', routes, refuse };
