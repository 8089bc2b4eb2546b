import { problem, refused } from '../../model/failures.ts';
import type { Adapter, ErrorResponse, Fields, Incoming, Reply, Route } from '../request/adapter.ts';
import { change, type FullLink, findLinkByCode, linksFrom, type ShownLink } from '../request/links.ts';
import { statisticsOf } from './statistics.ts';

/** Kutt's maximum number of links per page. */
const maxLinks = 50;

function ok(body: unknown): Reply {
  return { status: 200, body };
}

function toKuttLink({ context }: Incoming, link: FullLink | ShownLink) {
  const { id, shortCode, shortUrl, destinationUrl, createdAt, updatedAt, clicks, domain } = link;
  return {
    id,
    address: shortCode,
    link: shortUrl,
    target: destinationUrl,
    banned: false,
    created_at: createdAt,
    updated_at: updatedAt,
    visit_count: clicks,
    description: link.description,
    domain: domain === context.sharedHost() ? null : domain,
    expire_in: link.expiresAt,
    password: link.hasPassword,
  };
}

const units: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  year: 31_557_600_000,
};
const short: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  y: 'year',
};

/** Returns the expiry time for a lifetime such as `2 hours`. @throws Failure if the lifetime is invalid */
function endIn(now: number, text: string): string {
  const [, number = '', word = ''] = /^(\d{1,6}) *([a-z]+)$/i.exec(text.trim()) ?? [];
  const unit = word.toLowerCase().replace(/(?<=..)s$/, '');
  const ms = units[short[unit] ?? unit.replace(/^min$/, 'minute').replace(/^hr$/, 'hour')];
  if (ms === undefined) {
    const message = 'expire_in must be a number of minutes, hours, days, weeks or years, such as "2 hours".';
    throw refused([problem('expire_in', 'invalid_format', message)]);
  }
  return new Date(now + Number(number) * ms).toISOString();
}

/** Converts a Kutt request's fields to Linkfold's. Absent fields stay absent. */
function draftOf({ context }: Incoming, body: Fields): Fields {
  const { target, description, password, expire_in: life } = body;
  return {
    ...(target !== undefined && { url: target }),
    ...(description !== undefined && { description }),
    ...(password !== undefined && password !== '' && { password }),
    ...(typeof life === 'string' && life !== '' && { expiresAt: endIn(context.now(), life) }),
    ...(life === null && { expiresAt: null }),
  };
}

async function list(request: Incoming): Promise<Reply> {
  const { ask, query } = request;
  const [limit, skip] = [numberIn(query, 'limit', 10), numberIn(query, 'skip', 0)];
  const { search } = query;
  const wanted = typeof search === 'string' && search !== '' ? { search } : {};
  const { links, total } = await linksFrom(ask, wanted, skip, Math.min(Math.max(limit, 1), maxLinks));
  return ok({
    limit: Math.min(Math.max(limit, 1), maxLinks),
    skip,
    total,
    data: links.map((link) => toKuttLink(request, link)),
  });
}

function numberIn(query: Fields, name: string, otherwise: number): number {
  const text = query[name];
  if (text === undefined || text === '') return otherwise;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw refused([problem(name, 'out_of_range', `${name} must be an integer.`)]);
}

async function create(request: Incoming): Promise<Reply> {
  const { ask, body, context } = request;
  const { customurl, domain, reuse } = body;
  const made = {
    ...draftOf(request, body),
    ...(customurl != null && customurl !== '' && { customCode: customurl }),
    ...(reuse === true && { ifExists: 'reuse' }),
    domain: domain || context.sharedHost(),
  };
  const { body: answer, existed } = await ask('shorten', { body: made });
  const link = await findLinkByCode(ask, answer.data.shortCode, String(made.domain));
  return { status: existed ? 200 : 201, body: toKuttLink(request, link) };
}

/** Returns all fields of the link whose ID is in the path. */
async function byId({ ask, params, context }: Incoming): Promise<FullLink> {
  const { data } = (
    await ask('getLink', { params: { id: params['id'] ?? '' }, query: { include: 'domain' } })
  ).body;
  return findLinkByCode(ask, data.shortCode, data.domain ?? context.sharedHost());
}

async function edit(request: Incoming): Promise<Reply> {
  const { ask, body } = request;
  const link = await byId(request);
  const { id } = link;
  const { address } = body;
  // Changes the code first, because only this change can fail with a conflict.
  if (typeof address === 'string' && address !== link.shortCode)
    await ask('changeCode', { params: { id }, body: { customCode: address } });
  await change(ask, id, draftOf(request, body));
  return ok(toKuttLink(request, await byId(request)));
}

async function remove({ ask, params }: Incoming): Promise<Reply> {
  await ask('deleteLink', { params: { id: params['id'] ?? '' } });
  return ok({ message: 'Link has been deleted successfully.' });
}

async function statistics(request: Incoming): Promise<Reply> {
  const link = await byId(request);
  return ok({ ...toKuttLink(request, link), ...(await statisticsOf(request, link.id)) });
}

interface Domain {
  readonly id: string;
  readonly host: string;
  readonly rootUrl: string | null;
  readonly createdAt: string | null;
  readonly updatedAt?: string | null;
}

function domainOf({ id, host, rootUrl, createdAt }: Domain) {
  return {
    id,
    address: host,
    homepage: rootUrl,
    banned: false,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

async function addDomain({ ask, body }: Incoming): Promise<Reply> {
  const { address, homepage } = body;
  const { data } = (
    await ask('createDomain', { body: { host: address, ...(homepage ? { rootUrl: homepage } : {}) } })
  ).body;
  return ok(domainOf(data));
}

async function removeDomain({ ask, params }: Incoming): Promise<Reply> {
  await ask('deleteDomain', { params: { id: params['id'] ?? '' } });
  return ok({ message: 'Domain deleted successfully' });
}

async function user({ ask, context }: Incoming): Promise<Reply> {
  const { account } = (await ask('me')).body.data;
  const { data } = (await ask('listDomains')).body;
  const own = data.filter(({ host }) => host !== context.sharedHost());
  return ok({ email: account, domains: own.map(domainOf) });
}

const at = '/api/v2';
const routes: readonly Route[] = [
  {
    method: 'GET',
    path: `${at}/health`,
    isPublic: true,
    run: async () => ({ status: 200, body: 'OK', type: 'text/plain' }),
  },
  { method: 'GET', path: `${at}/links`, run: list },
  { method: 'POST', path: `${at}/links`, respondsWith: 'getLinkByCode', run: create },
  { method: 'PATCH', path: `${at}/links/:id`, run: edit },
  { method: 'DELETE', path: `${at}/links/:id`, run: remove },
  { method: 'GET', path: `${at}/links/:id/stats`, run: statistics },
  { method: 'POST', path: `${at}/domains`, run: addDomain },
  { method: 'DELETE', path: `${at}/domains/:id`, run: removeDomain },
  { method: 'GET', path: `${at}/users`, run: user },
];

function refuse({ answer }: ErrorResponse): Reply {
  // Kutt responds with 400 to every invalid field.
  const status = answer.status === 422 || answer.status === 409 ? 400 : answer.status;
  return { status, body: { error: answer.body.error.message } };
}

/** Adapter for Kutt's API, version 2. The header `X-API-KEY` contains an API key. */
export const kutt: Adapter = { root: at, routes, refuse };
