import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly form: Readonly<Record<string, string>>;
}
/** Response of a service: either an object, which is sent as JSON, or a status with headers and text. */
export type Answer =
  | object
  | { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string };

export interface ServiceServer {
  readonly url: string;
  readonly asked: Asked[];
  close(): void;
}

/** Starts a simulated service from which Linkfold can import. */
export async function startService(answerTo: (asked: Asked) => Answer): Promise<ServiceServer> {
  const all: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? '', 'http://service');
    const asked: Asked = {
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      form: Object.fromEntries(new URLSearchParams(body)),
    };
    all.push(asked);
    const answer = answerTo(asked);
    if ('status' in answer && typeof answer.status === 'number' && !('links' in answer)) {
      const { headers, text } = answer as { headers?: Record<string, string>; text?: string };
      response.writeHead(answer.status, headers).end(text ?? '{"error":"secret-token"}');
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: all, close: () => server.close() };
}

const missing = { status: 404 };
const forbidden = { status: 403 };
const unknown = { status: 401 };

type Row = Record<string, unknown>;
export const token = 'secret-token';

function part<T>(rows: readonly T[], offset: number, limit: number): T[] {
  return rows.slice(offset, offset + limit);
}

/** Returns Dub's responses. If `events` is undefined, the plan does not include individual clicks. */
export function dubOf(links: readonly Row[], { events }: { events?: Record<string, Row[]> } = {}) {
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['authorization'] !== `Bearer ${token}`) return unknown;
    if (path === '/links') {
      const at = links.findIndex(({ id }) => id === query['startingAfter']) + 1;
      return part(links, at, Math.min(100, Number(query['pageSize'])));
    }
    const { linkId = '', page = '1', limit = '100' } = query;
    if (path === '/events')
      return events === undefined
        ? forbidden
        : part(events[linkId] ?? [], (Number(page) - 1) * Number(limit), Number(limit));
    if (path !== '/analytics' || query['groupBy'] !== 'timeseries') return missing;
    return [
      { start: '2026-01-01T00:00:00.000Z', clicks: 0 },
      { start: '2026-01-02T00:00:00.000Z', clicks: 3 },
    ];
  };
}

interface ShlinkData {
  readonly links: Row[];
  readonly visits?: Record<string, Row[]>;
  readonly rules?: Record<string, Row[]>;
  readonly onPage?: (page: number) => void;
}

export function shlinkOf({ links, visits = {}, rules = {}, onPage }: ShlinkData) {
  const paged = (rows: readonly Row[], query: Asked['query']): Row => {
    const [page, items] = [Number(query['page']), Number(query['itemsPerPage'])];
    const data = part(rows, (page - 1) * items, items);
    const pagination = {
      currentPage: page,
      pagesCount: Math.ceil(rows.length / items),
      itemsPerPage: items,
      itemsInCurrentPage: data.length,
      totalItems: rows.length,
    };
    return { data, pagination };
  };
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['x-api-key'] !== token) return unknown;
    if (path === '/rest/v3/short-urls') {
      const answer = paged(links, query);
      onPage?.(Number(query['page']));
      return { shortUrls: answer };
    }
    const [, code = '', what] = /^\/rest\/v3\/short-urls\/(.+)\/(visits|redirect-rules)$/.exec(path) ?? [];
    if (what === 'redirect-rules')
      return rules[code] === undefined ? missing : { redirectRules: rules[code] };
    if (what !== 'visits') return missing;
    const { startDate = '', endDate = '9' } = query;
    const all = (visits[code] ?? []).filter(
      ({ date }) => String(date) >= startDate && String(date) <= endDate,
    );
    return { visits: paged(all, query) };
  };
}

export function kuttOf(links: Row[], onPage: (skip: number) => void = () => {}) {
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['x-api-key'] !== token) return unknown;
    if (path !== '/api/v2/links') return missing;
    const [skip, limit] = [Number(query['skip']), Math.min(50, Number(query['limit']))];
    const answer = { limit, skip, total: links.length, data: part(links, skip, limit) };
    onPage(skip);
    return answer;
  };
}

export function yourlsOf(links: readonly Row[]) {
  return ({ path, form }: Asked): Answer => {
    if (path !== '/yourls-api.php' || form['action'] !== 'stats') return missing;
    if (form['signature'] !== token) return forbidden;
    const rows = part(links, Number(form['start']), Number(form['limit']));
    const stats = { total_links: String(links.length), total_clicks: '9' };
    return {
      links: Object.fromEntries(rows.map((row, at) => [`link_${at + 1}`, row])),
      stats,
      statusCode: '200',
    };
  };
}

export function sinkOf(links: readonly Row[]) {
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['authorization'] !== `Bearer ${token}`) return unknown;
    if (path !== '/api/link/export') return missing;
    const at = Number(query['cursor'] ?? 0);
    const isLast = at + 50 >= links.length;
    const more = isLast ? { list_complete: true } : { list_complete: false, cursor: String(at + 50) };
    return { version: '1.0', exportedAt: '2026-01-01', count: 50, links: part(links, at, 50), ...more };
  };
}

/** @param links in the order of the service's own list: newest last */
export function chhotoOf(links: readonly Row[]) {
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['x-api-key'] !== token) return unknown;
    if (path !== '/api/all') return missing;
    const before = links.findIndex(({ shortlink }) => shortlink === query['page_after']);
    const end = before === -1 ? links.length : before;
    return links.slice(Math.max(0, end - Number(query['page_size'])), end);
  };
}

export function bitlyOf(groups: Readonly<Record<string, readonly Row[]>>, days: Record<string, Row[]> = {}) {
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['authorization'] !== `Bearer ${token}`) return forbidden;
    if (path === '/v4/groups') return { groups: Object.keys(groups).map((guid) => ({ guid, name: guid })) };
    const [, guid = ''] = /^\/v4\/groups\/(\w+)\/bitlinks$/.exec(path) ?? [];
    if (guid !== '') {
      const [all, size] = [groups[guid] ?? [], Number(query['size'])];
      const at = Number(query['search_after'] ?? 0);
      const more =
        at + size < all.length
          ? { search_after: String(at + size), next: 'https://…' }
          : { search_after: '', next: '' };
      return { links: part(all, at, size), pagination: { ...more, size } };
    }
    const [, id = ''] = /^\/v4\/bitlinks\/(.+)\/clicks$/.exec(path) ?? [];
    if (days[id] === undefined) return { status: 402 };
    return { link_clicks: days[id], units: -1, unit: 'day', unit_reference: '2026-01-01T00:00:00+0000' };
  };
}

export function shortIoOf(
  domains: Readonly<Record<string, readonly Row[]>>,
  days: Record<string, Row[]> = {},
) {
  const hosts = Object.keys(domains);
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['authorization'] !== token) return unknown;
    if (path === '/api/domains') return hosts.map((hostname, at) => ({ id: at + 1, hostname }));
    if (path === '/api/links') {
      const all = domains[hosts[Number(query['domain_id']) - 1] ?? ''] ?? [];
      const [at, limit] = [Number(query['pageToken'] ?? 0), Number(query['limit'])];
      const nextPageToken = at + limit < all.length ? String(at + limit) : null;
      return { links: part(all, at, limit), count: all.length, nextPageToken };
    }
    const [, id = ''] = /^\/statistics\/link\/(.+)$/.exec(path) ?? [];
    if (query['period'] !== 'total' || days[id] === undefined) return missing;
    const data = days[id];
    const totalClicks = data.reduce((sum, { y }) => sum + Number(y), 0);
    return { totalClicks, humanClicks: 1, clickStatistics: { datasets: [{ data }] } };
  };
}

export function rebrandlyOf(links: readonly Row[], tags: Record<string, Row[]> = {}) {
  return ({ path, query, headers }: Asked): Answer => {
    if (headers['apikey'] !== token) return unknown;
    if (path === '/v1/links') {
      const at = links.findIndex(({ id }) => id === query['last']) + 1;
      return part(links, at, Math.min(25, Number(query['limit'])));
    }
    const [, id = ''] = /^\/v1\/links\/(.+)\/tags$/.exec(path) ?? [];
    return tags[id] ?? [];
  };
}
