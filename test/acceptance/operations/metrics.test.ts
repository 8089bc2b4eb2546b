import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type ExposedFamily, parseExposition, seriesValue } from '../../support/http/exposition.ts';
import { refuseWrites, testEngine } from '../../support/postgres/databases.ts';
import {
  as,
  call,
  type Environment,
  type Server,
  startFromSource,
  startServer,
  temporaryFolder,
} from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

// Metrics of a running server, scraped as Prometheus would.

const token = 'a-token-for-the-scraper';
const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};
function bearer(given: string) {
  return { headers: { authorization: `Bearer ${given}` } };
}

/** Returns the URL of the metrics server, as found in the log. */
function metricsOrigin(server: Server): { url: string } {
  const line =
    server
      .output()
      .split('\n')
      .find((text) => text.includes('"msg":"metrics are available"')) ?? '{}';
  const { url = '' } = JSON.parse(line) as { url?: string };
  return { url: new URL(url).origin };
}

async function scrape(
  origin: { url: string },
  options: Parameters<typeof call>[3] = {},
): Promise<ReadonlyMap<string, ExposedFamily>> {
  const { status, headers, text } = await call(origin, 'GET', '/metrics', options);
  assert.equal(status, 200, text);
  assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store');
  return parseExposition(text);
}

async function start(t: { after(done: () => unknown): void }, env: Environment): Promise<Server> {
  const server = await startServer(env);
  t.after(() => server.stop());
  return server;
}

/** Returns a response without the request ID and the time, which always differ. */
function told({ status, headers, text }: Awaited<ReturnType<typeof call>>) {
  return {
    status,
    headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
    text: text.replace(/"requestId":"[^"]+"/, ''),
  };
}

/** Asserts that `/metrics` responds like any unknown path. */
async function assertUnknown(server: Server, options = {}): Promise<void> {
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
    const answer = told(await call(server, method, '/metrics', options));
    assert.deepEqual(answer, told(await call(server, method, '/nothing', options)), method);
    assert.notEqual(answer.status, 200);
  }
}

function loads(server: Server): string[] {
  return [...server.output().matchAll(/^loaded (.+)$/gm)].map(([, name = '']) => name);
}
const telling = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../../support/server/loaded-packages.ts'))}`,
};

describe('off', () => {
  test('treats the path like any other, and loads no metrics code', async (t) => {
    const server = await startFromSource(telling);
    t.after(() => server.stop());
    await assertUnknown(server);
    await assertUnknown(server, bearer(token));
    assert.ok(loads(server).includes('fastify'), 'the test detects loaded packages');
    assert.deepEqual(
      loads(server).filter((name) => /prom-client|opentelemetry/.test(name)),
      [],
    );
  });
});

describe('on the main port, behind a token', () => {
  let server: Server;
  before(async () => {
    const file = join(temporaryFolder('token'), 'token');
    writeFileSync(file, `${token}\n`);
    server = await startServer({ METRICS_TOKEN_FILE: file });
  });
  after(() => server.stop());

  test('returns metrics with the token', async () => {
    assert.equal(seriesValue(await scrape(server, bearer(token)), 'linkfold_ready'), 1);
    const head = await call(server, 'HEAD', '/metrics', bearer(token));
    assert.equal(head.status, 200);
    assert.ok(Number(head.headers.get('content-length')) > 1_000);
  });

  test('is an unknown path for every other client', async () => {
    const others = ['', token.slice(0, -1), `${token}x`, token.toUpperCase(), `${token}\u00e9`];
    for (const other of others) await assertUnknown(server, bearer(other));
    await assertUnknown(server);
    await assertUnknown(server, { headers: { authorization: `Basic ${token}` } });
  });

  test('rejects a short token at startup', async () => {
    await assert.rejects(startServer({ METRICS_TOKEN: 'short' }), /METRICS_TOKEN must be at least 16/);
  });
});

describe('on its own port', () => {
  let server: Server;
  let origin: { url: string };
  let api: ReturnType<typeof as>;
  let code: string;
  const shorten = async (body: object): Promise<{ id: string; shortCode: string }> =>
    (await api.post('/api/v1/shorten', body)).json.data;
  const follow = (path: string, method = 'GET') => call(server, method, path, { headers: browser });

  /** Returns how much each series grew during an action. */
  const growth = async (
    work: () => Promise<unknown>,
    ...series: [name: string, labels?: Record<string, string>][]
  ): Promise<number[]> => {
    const earlier = await scrape(origin);
    await work();
    const later = await scrape(origin);
    return series.map(
      ([name, labels]) => seriesValue(later, name, labels) - seriesValue(earlier, name, labels),
    );
  };

  before(async () => {
    server = await startServer({ METRICS_PORT: '0' });
    origin = metricsOrigin(server);
    api = as(server, (await server.newKey()).key);
    code = (await shorten({ url: 'https://example.com/' })).shortCode;
  });
  after(() => server.stop());

  test('serves nothing else, and the main port no metrics', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', `/${code}`],
      ['GET', '/api/v1/links'],
      ['POST', '/metrics'],
    ] as const) {
      assert.equal((await call(origin, method, path)).status, 404, `${method} ${path}`);
    }
    await assertUnknown(server);
  });

  test('keeps an idle scrape below 64 kB', async () => {
    const { text } = await call(origin, 'GET', '/metrics');
    assert.ok(Buffer.byteLength(text) < 64_000, `${Buffer.byteLength(text)} bytes`);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
  test('passes promtool', {
    skip: hasPromtool ? false : 'promtool is not installed (Debian: apt-get install prometheus)',
  }, async () => {
    await follow(`/${code}`);
    const { text } = await call(origin, 'GET', '/metrics');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  });

  test('counts ten clicks as ten', async () => {
    const clicks = async () => {
      for (let click = 0; click < 10; click += 1) assert.equal((await follow(`/${code}`)).status, 302);
    };
    const grown = await growth(
      clicks,
      ['linkfold_clicks_total', { class: 'human' }],
      ['linkfold_clicks_total', { class: 'bot' }],
      ['linkfold_redirects_total', { outcome: 'redirected' }],
      ['linkfold_redirect_duration_seconds_count'],
      ['linkfold_journal_write_clicks_sum'],
    );
    assert.deepEqual(grown, [10, 0, 10, 10, 10]);
    const bot = () => call(server, 'GET', `/${code}`, { headers: { 'user-agent': 'Googlebot/2.1' } });
    assert.deepEqual(await growth(bot, ['linkfold_clicks_total', { class: 'bot' }]), [1]);
  });

  test('counts every outcome of a public path', async () => {
    const outcome = async (work: () => Promise<unknown>): Promise<string[]> => {
      const of = async () => (await scrape(origin)).get('linkfold_redirects_total')?.samples ?? [];
      const earlier = await of();
      await work();
      return (await of()).flatMap(({ labels, value }, at) =>
        Array<string>(value - (earlier[at]?.value ?? 0)).fill(labels['outcome'] ?? ''),
      );
    };
    const soon = new Date(Date.now() + 1_000).toISOString();
    const passing = await shorten({ url: 'https://example.com/', expiresAt: soon });
    assert.deepEqual(await outcome(() => follow(`/${code}`, 'HEAD')), ['redirected']);
    assert.deepEqual(await outcome(() => follow(`/${code}+`)), ['previewed']);
    assert.deepEqual(await outcome(() => follow('/nobodyhasthis')), ['unknown']);
    assert.deepEqual(await outcome(() => follow('/')), ['page']);
    assert.deepEqual(await outcome(() => follow('/robots.txt')), ['page']);
    assert.deepEqual(await outcome(() => follow('/favicon.ico')), ['page']);
    assert.deepEqual(await outcome(() => follow('/a/b')), ['refused']);
    assert.deepEqual(await outcome(() => follow(`/${code}`, 'POST')), ['refused']);
    await until('the link expires', async () => (await follow(`/${passing.shortCode}`)).status === 410);
    assert.deepEqual(await outcome(() => follow(`/${passing.shortCode}`)), ['expired']);
  });

  test('counts API responses by endpoint and status', async () => {
    const ofApi = (endpoint: string, status: string): [string, Record<string, string>] => [
      'linkfold_api_requests_total',
      { endpoint, status },
    ];
    const work = async () => {
      await api.post('/api/v1/shorten', { url: 'https://example.com/' });
      await api.post('/api/v1/shorten', { url: 'no url' });
      await api.get('/api/v1/links');
      await call(server, 'GET', '/api/v1/links');
      await api.get('/api/v1/openapi.json');
      await api.get('/api/v1/no-such');
      await api.get('/api/v1/%zz');
    };
    const grown = await growth(
      work,
      ofApi('shorten', '2xx'),
      ofApi('shorten', '4xx'),
      ofApi('listLinks', '2xx'),
      ofApi('listLinks', '4xx'),
      ofApi('openapi', '2xx'),
      ofApi('none', '4xx'),
      ['linkfold_api_request_duration_seconds_count', { endpoint: 'shorten' }],
      ['linkfold_api_errors_total', { code: 'INVALID_URL' }],
      ['linkfold_api_errors_total', { code: 'MISSING_API_KEY' }],
      ['linkfold_api_errors_total', { code: 'ROUTE_NOT_FOUND' }],
      ['linkfold_storage_commit_writes_sum'],
      ['linkfold_storage_write_duration_seconds_count'],
    );
    assert.deepEqual(grown.slice(0, 10), [1, 1, 1, 1, 1, 2, 2, 1, 1, 2]);
    assert.ok(grown.slice(10).every((writes) => writes >= 1));
  });

  test('counts probes, malformed requests and open connections', async () => {
    const probes = async () => {
      await call(server, 'GET', '/healthz');
      await call(server, 'GET', '/readyz');
      await call(server, 'POST', '/readyz');
    };
    const labels = (probe: string, result: string) => ({ probe, result });
    const grown = await growth(
      probes,
      ['linkfold_probes_total', labels('healthz', 'ok')],
      ['linkfold_probes_total', labels('readyz', 'ok')],
      ['linkfold_probes_total', labels('readyz', 'refused')],
    );
    assert.deepEqual(grown, [1, 1, 1]);

    const broken = async () => {
      const socket = connect(server.port, '127.0.0.1').resume();
      socket.end('this is not HTTP\r\n\r\n');
      await new Promise((resolve) => socket.once('close', resolve));
    };
    const refused = await growth(broken, ['linkfold_refused_requests_total', { code: 'BAD_REQUEST' }]);
    assert.deepEqual(refused, [1]);

    const open = async () => seriesValue(await scrape(origin), 'linkfold_connections');
    const few = await open();
    const sockets = [1, 2, 3].map(() => connect(server.port, '127.0.0.1'));
    await until('they are counted', async () => (await open()) === few + 3);
    for (const socket of sockets) socket.destroy();
    await until('they are gone', async () => (await open()) === few);
  });

  test('caches: counts a miss, then a hit, and an invalidation', async () => {
    const { id, shortCode } = await shorten({ url: 'https://example.com/' });
    const targets = ['hits', 'misses', 'drops'].map((what): [string, Record<string, string>] => [
      `linkfold_cache_${what}_total`,
      { cache: 'targets' },
    ]);
    assert.deepEqual(await growth(() => follow(`/${shortCode}`), ...targets), [0, 1, 0]);
    assert.deepEqual(await growth(() => follow(`/${shortCode}`), ...targets), [1, 0, 0]);
    const change = async () => {
      await api.patch(`/api/v1/links/${id}/destination`, { url: 'https://example.org/' });
      await follow(`/${shortCode}`);
    };
    const [hits, misses, drops = 0] = await growth(change, ...targets);
    assert.deepEqual([hits, misses], [0, 1]);
    // On PostgreSQL, the node follows the changes made by all nodes. It evicts the entry when it commits its own
    // change, and possibly again when it reads that change.
    assert.ok(drops === 1 || (testEngine !== 'sqlite' && drops === 2), `${drops} drops`);
  });

  test('shows no lag for applied clicks', async () => {
    await follow(`/${code}`);
    const soon = await scrape(origin);
    assert.equal(seriesValue(soon, 'linkfold_clicks_at_risk'), 0);
    await until('clicks are applied', async () => {
      const families = await scrape(origin);
      const names = ['linkfold_journal_unapplied_clicks', 'linkfold_journal_unapplied_bytes'];
      return [...names, 'linkfold_applier_lag_seconds', 'linkfold_journal_unsynced_clicks'].every(
        (name) => seriesValue(families, name) === 0,
      );
    });
    const families = await scrape(origin);
    assert.ok(seriesValue(families, 'linkfold_applier_run_duration_seconds_count') >= 1);
    assert.ok(seriesValue(families, 'linkfold_journal_sync_duration_seconds_count') >= 1);
    assert.ok(seriesValue(families, 'linkfold_journal_written_bytes_total') > 0);
    const age = seriesValue(families, 'linkfold_recent_clicks_age_seconds');
    assert.ok(age > 0 && age < 60, `${age}: the first round begins at once`);
  });

  const noBackup = testEngine !== 'sqlite' && 'PostgreSQL is backed up by its own programs';
  test('shows the time of the last backup', { skip: noBackup }, async () => {
    const samples = async () =>
      (await scrape(origin)).get('linkfold_last_backup_timestamp_seconds')?.samples ?? [];
    assert.deepEqual(await samples(), []);
    await server.command('db', 'backup', join(temporaryFolder('backup'), 'backup.db'));
    const [{ value = 0 } = {}] = await samples();
    assert.ok(Math.abs(Date.now() / 1_000 - value) < 60, String(value));
  });

  test('creates no series from visitor or client input', async () => {
    const seriesOf = async () =>
      [...(await scrape(origin)).values()]
        // Node creates the labels for each kind of garbage collection when that kind first occurs.
        .filter(({ name }) => name !== 'nodejs_gc_duration_seconds')
        .flatMap(({ samples }) => samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`));
    // A per-endpoint histogram appears only after the endpoint's first request.
    await api.get('/api/v1/me');
    await api.get(`/api/v1/links/${crypto.randomUUID()}`);
    const earlier = await seriesOf();
    for (let at = 0; at < 20; at += 1) {
      const other = as(server, (await api.get('/api/v1/me')).status === 200 ? `lfk_${at}` : '');
      await other.get(`/api/v1/links/${at}`);
      await api.get(`/api/v1/links/${crypto.randomUUID()}`);
      await api.get(`/api/v1/x${at}`);
      await call(server, ['OPTIONS', 'PUT', 'PURGE'][at % 3] ?? '', `/api/v1/x${at}`);
      await shorten({ url: `https://example.com/${at}`, customCode: `code-${at}` });
      await follow(`/code-${at}`);
      await follow(`/unknown-${at}`);
    }
    assert.deepEqual(await seriesOf(), earlier);
  });

  test('returns complete metrics under load without disturbing it, with correct sums', async () => {
    const earlier = await scrape(origin);
    let going = true;
    let followed = 0;
    const visitors = Array.from({ length: 16 }, async () => {
      for (; going; followed += 1) assert.equal((await follow(`/${code}`)).status, 302);
    });
    const name = 'linkfold_redirects_total';
    let seen = seriesValue(earlier, name, { outcome: 'redirected' });
    for (let scrapes = 0; scrapes < 20; scrapes += 1) {
      const now = seriesValue(await scrape(origin), name, { outcome: 'redirected' });
      assert.ok(now >= seen, 'a counter went back');
      seen = now;
    }
    going = false;
    await Promise.all(visitors);
    const later = await scrape(origin);
    assert.ok(followed > 100);
    for (const [series, labels] of [
      [name, { outcome: 'redirected' }],
      ['linkfold_clicks_total', { class: 'human' }],
      ['linkfold_journal_write_clicks_sum', {}],
      ['linkfold_redirect_duration_seconds_count', {}],
    ] as const) {
      assert.equal(
        seriesValue(later, series, labels) - seriesValue(earlier, series, labels),
        followed,
        series,
      );
    }
  });

  test('shows an unwritable database: errors, lag, slow writes, not ready', async () => {
    const earlier = await scrape(origin);
    const writable = await refuseWrites(server.dataDir);
    try {
      await follow(`/${code}`);
      // A write waits up to five seconds for other processes' transactions.
      const asked = api.post('/api/v1/shorten', { url: 'https://example.com/' });
      await until('it waits', async () => {
        return seriesValue(await scrape(origin), 'linkfold_storage_waiting_writes') >= 1;
      });
      const refused = await asked;
      assert.equal(refused.json.error.code, 'STORAGE_UNAVAILABLE');
      const families = await scrape(origin);
      const grown = (name: string, labels = {}) =>
        seriesValue(families, name, labels) - seriesValue(earlier, name, labels);
      const kind = testEngine === 'sqlite' ? 'busy' : 'timeout';
      assert.ok(grown('linkfold_storage_errors_total', { kind }) >= 1);
      assert.equal(grown('linkfold_storage_errors_total', { kind: 'full' }), 0);
      assert.equal(grown('linkfold_api_errors_total', { code: 'STORAGE_UNAVAILABLE' }), 1);
      assert.equal(grown('linkfold_api_requests_total', { endpoint: 'shorten', status: '5xx' }), 1);
      assert.ok(grown('linkfold_storage_slow_writes_total', { operation: 'createLink' }) >= 1);
      assert.ok(seriesValue(families, 'linkfold_applier_lag_seconds') > 4);
      assert.ok(seriesValue(families, 'linkfold_journal_unapplied_clicks') >= 1);
      assert.equal(seriesValue(families, 'linkfold_ready'), 0);
    } finally {
      await writable();
    }
    await until('it recovers', async () => {
      const families = await scrape(origin);
      const lag = seriesValue(families, 'linkfold_applier_lag_seconds');
      return lag === 0 && seriesValue(families, 'linkfold_ready') === 1;
    });
  });
});

test('can require the token on its own port too', async (t) => {
  const server = await start(t, { METRICS_PORT: '0', METRICS_TOKEN: token });
  const origin = metricsOrigin(server);
  assert.equal((await call(origin, 'GET', '/metrics')).status, 404);
  assert.equal((await call(origin, 'GET', '/metrics', bearer('x'.repeat(20)))).status, 404);
  await scrape(origin, bearer(token));
  await assertUnknown(server, bearer(token));
});
