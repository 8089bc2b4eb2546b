import { problem, refused } from '../../model/failures.ts';
import type { Adapter, ErrorResponse, Fields, Incoming, Reply, Route } from '../request/adapter.ts';
import {
  allTime,
  change,
  type FullLink,
  findLinkByCode,
  linksFrom,
  maxListed,
  parseReference,
  type ShownLink,
} from '../request/links.ts';
import { isCallback, written, type YourlsReply } from './formats.ts';

/** YOURLS version that this API reports. */
const version = '1.9.2';

const path = '/yourls-api.php';
const formats = ['xml', 'json', 'jsonp', 'simple'];
const orders: Readonly<Record<string, Fields>> = {
  top: { sort: 'clicks', order: 'desc' },
  bottom: { sort: 'clicks', order: 'asc' },
  last: {},
};

type YourlsRequest = Incoming & { readonly fields: Readonly<Record<string, string>> };

const actions: Readonly<Record<string, (request: YourlsRequest) => Promise<YourlsReply>>> = {
  shorturl: shorten,
  expand,
  'url-stats': urlStats,
  stats: async (request) => ok({ ...(await listed(request)), ...(await sums(request, 'stats')), ...success }),
  'db-stats': async (request) => ok({ ...(await sums(request, 'db-stats')), ...success }),
  version: async () => ok({ version }, version),
  // Actions that widely used plugins add to YOURLS.
  update,
  delete: remove,
};

const success = { statusCode: '200', message: 'success' };

function ok(fields: Fields, simple?: string): YourlsReply {
  return { status: 200, fields, simple };
}

/** Formats a time as YOURLS does, in UTC. */
function timeOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

/** Merges query parameters and form fields, as PHP does. Each value is a string. */
function fieldsIn(query: Fields, body: Fields): Readonly<Record<string, string>> {
  const given = Object.entries({ ...query, ...body });
  return Object.fromEntries(given.map(([name, value]) => [name, String([value].flat().at(-1) ?? '')]));
}

function requireField({ fields }: YourlsRequest, name: string): string {
  const value = fields[name]?.trim() ?? '';
  if (value === '') throw refused([problem(name, 'missing', `${name} is required.`)]);
  return value;
}

/** Prepends `http://` to a URL without a scheme, as YOURLS does. */
function withScheme(url: string): string {
  return url === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
}

async function shorten({ ask, fields }: YourlsRequest): Promise<YourlsReply> {
  const { url = '', keyword, title } = fields;
  const draft = {
    url: withScheme(url.trim()),
    ...(keyword && { customCode: keyword }),
    ...(title && { title }),
  };
  const { body, existed } = await ask('shorten', { body: { ...draft, ifExists: 'reuse' } });
  const { shortCode, shortUrl, destinationUrl, createdAt } = body.data;
  // Like YOURLS, returns the URL as the title if the request has no title.
  const shownTitle = title || destinationUrl;
  const of = { keyword: shortCode, url: destinationUrl, title: shownTitle, date: timeOf(createdAt), ip: '' };
  const more = { title: shownTitle, shorturl: shortUrl };
  if (!existed) {
    const message = `${destinationUrl} added to database`;
    return ok({ url: of, status: 'success', message, ...more, statusCode: '200' }, shortUrl);
  }
  // Clients read the short URL from this error, and treat the response as a success.
  const message = `${destinationUrl} already exists in database (short URL: ${shortUrl})`;
  const refusal = { status: 'fail', code: 'error:url', url: of, message, ...more };
  return { status: 400, fields: { ...refusal, errorCode: '400', statusCode: '400' }, simple: shortUrl };
}

async function findRequestedLink(request: YourlsRequest): Promise<FullLink> {
  const { code, domain } = parseReference(request, requireField(request, 'shorturl'));
  return findLinkByCode(request.ask, code, domain);
}

async function expand(request: YourlsRequest): Promise<YourlsReply> {
  const { shortCode, shortUrl, destinationUrl, title } = await findRequestedLink(request);
  const shown = { keyword: shortCode, shorturl: shortUrl, longurl: destinationUrl, title: title ?? '' };
  return ok({ ...shown, ...success }, destinationUrl);
}

function statsOf(link: FullLink | ShownLink): Fields {
  const { shortUrl, destinationUrl, title, createdAt, clicks } = link;
  const of = { shorturl: shortUrl, url: destinationUrl, title: title ?? '', timestamp: timeOf(createdAt) };
  return { ...of, ip: '', clicks: String(clicks) };
}

async function urlStats(request: YourlsRequest): Promise<YourlsReply> {
  return ok({ ...success, link: statsOf(await findRequestedLink(request)) });
}

async function listed({ ask, fields }: YourlsRequest): Promise<Fields> {
  const { filter = 'top' } = fields;
  const order = orders[filter];
  if (order === undefined)
    throw refused([problem('filter', 'unknown_value', 'filter must be top, bottom or last.')]);
  const [limit, start] = [numberIn(fields, 'limit', 10), numberIn(fields, 'start', 0)];
  const { links } = limit === 0 ? { links: [] } : await linksFrom(ask, order, start, limit);
  return { links: Object.fromEntries(links.map((link, at) => [`link_${at + 1}`, statsOf(link)])) };
}

function numberIn(fields: YourlsRequest['fields'], name: string, otherwise: number): number {
  const text = fields[name] ?? '';
  if (text === '') return otherwise;
  const most = name === 'limit' ? maxListed : 999_999_999;
  if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
  throw refused([problem(name, 'out_of_range', `${name} must be an integer from 0 to ${most}.`)]);
}

async function sums({ ask }: YourlsRequest, name: string): Promise<Fields> {
  const { usage } = (await ask('me')).body.data;
  const { totals } = (await ask('accountStatistics', { query: allTime })).body.data;
  return { [name]: { total_links: String(usage.links), total_clicks: String(totals.clicks) } };
}

async function update(request: YourlsRequest): Promise<YourlsReply> {
  const { ask, fields } = request;
  const { id } = await findRequestedLink(request);
  const { url, title } = fields;
  await change(ask, id, {
    ...(url && { url: withScheme(url.trim()) }),
    ...(title !== undefined && { title }),
  });
  return ok({ statusCode: '200', message: 'success: updated' });
}

async function remove(request: YourlsRequest): Promise<YourlsReply> {
  await request.ask('deleteLink', { params: { id: (await findRequestedLink(request)).id } });
  return ok({ statusCode: '200', message: 'success: deleted' });
}

async function run(request: Incoming): Promise<Reply> {
  const fields = fieldsIn(request.query, request.body);
  const { action = '', format = 'xml', callback } = fields;
  if (!formats.includes(format))
    throw refused([problem('format', 'unknown_value', `format must be one of ${formats.join(', ')}.`)]);
  if (format === 'jsonp' && !isCallback(callback))
    throw refused([
      problem('callback', 'invalid_format', 'With format=jsonp, callback must be a function name.'),
    ]);
  if (fields['timestamp'] !== undefined) throw timed();
  const perform = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (perform !== undefined) return written(await perform({ ...request, fields }), fields);
  const known = Object.keys(actions).join(', ');
  throw refused([
    problem('action', 'unknown_value', `Unknown or missing "action" parameter. Actions: ${known}.`),
  ]);
}

function timed() {
  const message =
    'Signatures with a timestamp are not supported. Send the API key itself as signature, and omit timestamp.';
  return refused([problem('timestamp', 'not_allowed', message)]);
}

/** Maps Linkfold's error codes to YOURLS's, which clients use to distinguish errors. */
const codes: Readonly<Record<string, string>> = {
  INVALID_URL: 'error:nourl',
  SELF_REFERENTIAL_URL: 'error:noloop',
  CUSTOM_CODE_TAKEN: 'error:keyword',
  CUSTOM_CODE_RESERVED: 'error:keyword',
  INVALID_CUSTOM_CODE: 'error:keyword',
};

/** Maps invalid fields to YOURLS's error codes. */
const fieldCodes: Readonly<Record<string, string>> = { url: 'error:nourl', customCode: 'error:keyword' };

const explained: Readonly<Record<string, string>> = {
  MISSING_API_KEY: 'Please log in: send an API key as signature. Usernames and passwords are not supported.',
};

function refuse({ answer, query, body }: ErrorResponse): Reply {
  const fields = fieldsIn(query, body);
  const { code, message, details = [] } = answer.body.error;
  const status = answer.status === 401 ? 403 : answer.status;
  const more =
    fields['action'] === 'shorturl'
      ? { status: 'fail', code: codes[code] ?? fieldCodes[details[0]?.field ?? ''] ?? 'error:refused' }
      : {};
  const said = { ...more, message: explained[code] ?? message, errorCode: String(status) };
  // Like YOURLS, omits `statusCode` if the link does not exist.
  const withStatus = status === 404 ? said : { ...said, statusCode: String(status) };
  return written({ status, fields: withStatus, simple: '' }, fields);
}

const route = { path, run } as const;
const routes: readonly Route[] = [
  { method: 'GET', ...route },
  { method: 'POST', ...route },
];

/** Adapter for the YOURLS API at `/yourls-api.php`. The parameter `signature` contains an API key. */
export const yourls: Adapter = {
  routes,
  keyIn: ({ signature }) => (typeof signature === 'string' ? signature : undefined),
  refuse,
};
