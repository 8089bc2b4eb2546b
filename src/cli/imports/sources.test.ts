import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Answer,
  type Asked,
  bitlyOf,
  chhotoOf,
  dubOf,
  kuttOf,
  rebrandlyOf,
  shlinkOf,
  shortIoOf,
  sinkOf,
  startService,
  token,
  yourlsOf,
} from '../../../test/support/moving/service-server.ts';
import { run } from '../../../test/support/server/command-line.ts';
import { as, type Server, startServer, temporaryFolder } from '../../../test/support/server/server.ts';
import { until } from '../../../test/support/until.ts';

// Imports links from each service, through its API or from export files, including pagination, rate limits, an
// interrupted import and click counts.

const url = 'https://example.com/spring';
const host = 's.example';
const created = '2024-05-06T07:08:09.000Z';

const visit = {
  referer: 'r.example',
  date: '2026-01-02T10:00:00+00:00',
  userAgent: 'UA',
  potentialBot: false,
};

function table(head: string, rows: readonly string[]): string {
  return [head, ...rows, ''].join('\n');
}

interface Source {
  /** Number of links. It must exceed the page size. */
  readonly links: number;
  readonly serve?: (names: readonly string[]) => (asked: Asked) => Answer;
  /** Contents of the export files with links and clicks, for a source without an API. */
  readonly files?: (names: readonly string[]) => Readonly<Record<string, string>>;
  /** Whether the source reports no creation dates. */
  readonly isUndated?: boolean;
  readonly args?: readonly string[];
  /** Total clicks reported by the source. */
  readonly clicks: number;
  readonly dated: number;
  /** Whether the source's first link has a limit of 5 clicks, 2 of which are used. */
  readonly isLimited?: boolean;
}

const sources: Readonly<Record<string, Source>> = {
  dub: {
    links: 101,
    serve: (names) =>
      dubOf(
        names.map((key, at) => ({
          id: `d${at}`,
          domain: host,
          key,
          url,
          createdAt: created,
          clicks: at === 0 ? 5 : 0,
        })),
      ),
    clicks: 5,
    dated: 3,
  },
  kutt: {
    links: 51,
    serve: (names) =>
      kuttOf(names.map((address, id) => ({ id, address, target: url, visit_count: 2, created_at: created }))),
    clicks: 102,
    dated: 0,
  },
  bitly: {
    links: 101,
    serve: (names) =>
      bitlyOf({
        group: names.map((name) => ({
          id: `${host}/${name}`,
          long_url: url,
          created_at: '2024-05-06T07:08:09+0000',
        })),
      }),
    // Reading clicks would need one request per link, and the service allows only two requests per second.
    args: ['--no-clicks'],
    clicks: 0,
    dated: 0,
  },
  'short-io': {
    links: 151,
    serve: (names) =>
      shortIoOf(
        {
          [host]: names.map((path, at) => ({
            ...{ idString: path, path, originalURL: url, createdAt: created },
            ...(at === 0 && { clicksLimit: 5 }),
          })),
        },
        { [names[0] ?? '']: [{ x: '2026-01-02T00:00:00.000Z', y: '2' }] },
      ),
    isLimited: true,
    args: ['--no-clicks'],
    clicks: 0,
    dated: 0,
  },
  rebrandly: {
    links: 26,
    serve: (names) =>
      rebrandlyOf(
        names.map((slashtag, id) => ({
          ...{ id: `r${id}`, slashtag, destination: url, createdAt: created, clicks: 4 },
          domain: { fullName: host },
        })),
        { r0: [{ name: 'mail' }] },
      ),
    clicks: 104,
    dated: 0,
  },
  yourls: {
    links: 101,
    serve: (names) =>
      yourlsOf(
        names.map((name) => ({
          shorturl: `https://${host}/${name}`,
          url,
          timestamp: '2024-05-06 07:08:09',
          clicks: '3',
        })),
      ),
    clicks: 303,
    dated: 0,
  },
  shlink: {
    links: 51,
    serve: (names) =>
      shlinkOf({
        links: names.map((shortCode, at) => ({
          ...{ shortCode, longUrl: url, domain: host, dateCreated: created },
          meta: { maxVisits: at === 0 ? 5 : null },
          visitsSummary: { total: 2, bots: 0, nonBots: 2 },
        })),
        visits: Object.fromEntries(names.map((name) => [name, [visit, visit]])),
      }),
    isLimited: true,
    clicks: 102,
    dated: 102,
  },
  sink: {
    links: 51,
    serve: (names) =>
      sinkOf(
        names.map((slug) => ({ id: slug, slug, url, createdAt: Date.parse(created) / 1_000, domain: host })),
      ),
    clicks: 0,
    dated: 0,
  },
  'chhoto-url': {
    links: 1_001,
    serve: (names) =>
      chhotoOf(names.map((shortlink) => ({ shortlink, longlink: url, hits: 1, expiry_time: 0 }))),
    isUndated: true,
    clicks: 1_001,
    dated: 0,
  },
  polr: {
    links: 40,
    files: (names) => ({
      links: table(
        'id,short_url,long_url,clicks,secret_key,is_disabled,created_at',
        names.map((name, at) => `${at},${name},${url},3,,0,2024-05-06 07:08:09`),
      ),
      clicks: table(
        'link_id,created_at,country,referer,referer_host,user_agent',
        names.map((_, at) => `${at},2026-01-02 10:00:00,DE,NULL,r.example,UA`),
      ),
    }),
    clicks: 120,
    dated: 40,
  },
  golink: {
    links: 40,
    files: (names) => ({
      links: names
        .map((Short) => JSON.stringify({ Short, Long: url, Created: created, LastEdit: created, Owner: 'a' }))
        .join('\n'),
      clicks: table(
        'ID,Created,Clicks',
        names.map((name) => `${name.replaceAll('-', '')},1767348000,2`),
      ),
    }),
    clicks: 80,
    dated: 80,
  },
  trotto: {
    links: 40,
    files: (names) => ({
      links: JSON.stringify(
        names.map((shortpath) => ({
          ...{ id: shortpath, created: '2024-05-06 07:08:09', owner: 'a', namespace: 'go', shortpath },
          ...{ destination_url: url, visits_count: 2 },
        })),
      ),
    }),
    clicks: 80,
    dated: 0,
  },
  umami: {
    links: 120,
    serve:
      (names) =>
      ({ path, query }) => {
        if (path === '/api/config') return { linksUrl: `https://${host}` };
        if (path !== '/api/links') return { pageviews: [{ x: '2026-01-02 00:00:00', y: 2 }] };
        const from = (Number(query['page']) - 1) * Number(query['pageSize']);
        const rows = names.map((slug) => ({ id: slug, slug, url, name: slug, createdAt: created }));
        return { data: rows.slice(from, from + Number(query['pageSize'])), count: names.length };
      },
    clicks: 240,
    dated: 240,
  },
  csv: {
    links: 40,
    files: (names) => ({
      links: table(
        'Slug,Long URL,Created,Clicks,Click limit',
        names.map((name, at) => `${name},${url},${created},2,${at === 0 ? 5 : ''}`),
      ),
    }),
    isLimited: true,
    clicks: 80,
    dated: 0,
  },
};

function filesOf(name: string, files: Readonly<Record<string, string>>): string[] {
  const folder = temporaryFolder(`files-of-${name}`);
  return Object.entries(files).flatMap(([kind, text]) => {
    const path = join(folder, `${kind}.csv`);
    writeFileSync(path, text);
    return [`--${kind}`, path];
  });
}

/** Results of reading each service, used by the last test. */
const read = new Map<string, { readonly out: string; readonly source: Source }>();

describe('each service, from its API to imported links', () => {
  let server: Server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (const [name, source] of Object.entries(sources))
    test(name, async () => {
      const { links, serve, files, args = [], isUndated, isLimited, clicks, dated } = source;
      const { key } = await server.newKey();
      const [env, api] = [{ LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key }, as(server, key)];
      const names = Array.from({ length: links }, (_, at) => `${name}-${at}`);
      const answer = serve?.(names);
      let asked = 0;
      const service = await startService((one) => {
        asked += 1;
        const isBusy = asked % 3 === 1 && asked < 6;
        return isBusy ? { status: 429, headers: { 'retry-after': '0' } } : (answer?.(one) ?? { status: 404 });
      });
      const from = files === undefined ? ['--at', service.url] : filesOf(name, files(names));
      const ended = await run(['import', 'read', name, ...from, ...args], {
        env: { LINKFOLD_IMPORT_TOKEN: token },
      });
      service.close();
      assert.equal(ended.code, 0, ended.err);
      read.set(name, { out: ended.out, source });
      const lines = ended.out.split('\n');
      const apply = (input: string) =>
        run(['import', 'apply', '-', '--domain', '127.0.0.1', '--json'], { env, input });
      const cut = await apply(lines.slice(0, Math.floor(lines.length / 2)).join('\n'));
      assert.equal(cut.code, 1, cut.err);
      const whole = await apply(ended.out);
      assert.equal(whole.code, 0, whole.err);
      const { counts } = JSON.parse(whole.out);
      assert.deepEqual(
        [counts.taken, counts.skipped, counts.refused, counts.clicks, counts.undatedClicks],
        [links, 0, 0, dated, clicks - dated],
      );
      const { data, pagination } = (await api.get('/api/v1/links?limit=100')).json;
      assert.equal(pagination.total, links);
      assert.ok(
        data.every(
          ({ createdAt, destinationUrl }: Record<string, string>) =>
            (isUndated || createdAt === created) && destinationUrl === url,
        ),
      );
      const { totals } = (await api.get('/api/v1/stats?from=2026-01-01&to=2026-01-05&timezone=UTC')).json
        .data;
      assert.equal(totals.clicks, dated);
      const first = await api.get(`/api/v1/links/by-code/${names[0]}?include=clicksLeft`);
      assert.equal(first.json.data.clicksLeft, isLimited ? 3 : null);
    });

  test('imports each link and click once, and undoes it, even though the server is killed', async () => {
    const data = temporaryFolder('killed-sources');
    const first = await startServer({}, data);
    const accounts = new Map<string, string>();
    for (const name of read.keys()) accounts.set(name, (await first.newKey()).key);
    const applyAll = ({ url: at }: Server) =>
      Promise.all(
        [...read].map(([name, { out: input }]) =>
          run(['import', 'apply', '-', '--domain', '127.0.0.1', '--json'], {
            env: { LINKFOLD_URL: at, LINKFOLD_API_KEY: accounts.get(name) },
            input: input.replaceAll(`${name}-`, `again-${name}-`),
          }),
        ),
      );
    const applied = applyAll(first);
    await until('one import has started', async () => {
      for (const key of accounts.values())
        if ((await as(first, key).get('/api/v1/imports')).json.data.length > 0) return true;
      return false;
    });
    await first.stop('SIGKILL');
    const anew = await startServer({ PORT: String(first.port) }, data);
    for (const { code, err } of await applied) assert.equal(code, 0, err);
    for (const [name, { source }] of read) {
      const api = as(anew, accounts.get(name) ?? '');
      const { links, clicks, dated } = source;
      assert.equal((await api.get('/api/v1/links?limit=1')).json.pagination.total, links, name);
      const told = (await api.get('/api/v1/imports')).json.data as { counts: Record<string, number> }[];
      const sum = (count: string) => told.reduce((all, { counts }) => all + (counts[count] ?? 0), 0);
      assert.deepEqual([sum('taken'), sum('undatedClicks')], [links, clicks - dated], name);
      const { totals } = (await api.get('/api/v1/stats?from=2026-01-01&to=2026-01-05&timezone=UTC')).json
        .data;
      assert.equal(totals.clicks, dated, name);
    }
    for (const [name, key] of accounts) {
      const api = as(anew, key);
      const imports = async () =>
        (await api.get('/api/v1/imports')).json.data as { id: string; state: string }[];
      for (const { id } of await imports())
        assert.equal((await api.post(`/api/v1/imports/${id}/undo`)).status, 200);
      await until(`${name} is undone`, async () =>
        (await imports()).every(({ state }) => state === 'undone'),
      );
      assert.equal((await api.get('/api/v1/links?limit=1')).json.pagination.total, 0, name);
    }
    await anew.stop();
  });
});
