import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type ExposedFamily, parseExposition, seriesValue } from '../support/http/exposition.ts';
import { othersKnow, testEngine } from '../support/postgres/databases.ts';
import { linesOf } from '../support/server/log.ts';
import { as, call, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { isAlive, untilReplaced, workersOf } from '../support/server/workers.ts';
import { until } from '../support/until.ts';

// Several processes on one port are one service to whoever looks at it from outside.

const run = promisify(execFile);
const token = 'a-token-for-the-scraper';
const stranger = { 'x-forwarded-for': '203.0.113.7' };

/** Counts begin anew with the minute: what is counted here must not be cut in two. */
async function awayFromTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 8_000) await new Promise((resolve) => setTimeout(resolve, left + 10));
}

/** One request on a connection of its own: whichever worker is there first has it. */
function knock(server: Server, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = { port: server.port, path, headers, agent: new Agent() };
    request(asked, (response) => response.resume().on('end', () => resolve(response)))
      .on('error', reject)
      .end();
  });
}

function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, work));
}

async function scrape(origin: { url: string }, headers = {}): Promise<ReadonlyMap<string, ExposedFamily>> {
  return parseExposition((await call(origin, 'GET', '/metrics', { headers })).text);
}

/** Which workers have answered API requests, as their log lines say. */
function answering(server: Server): readonly unknown[] {
  return [
    ...new Set(linesOf(server).flatMap(({ msg, worker }) => (msg === 'answered' ? [worker] : []))),
  ].sort();
}

describe('two workers', () => {
  let server: Server;
  let key: string;
  before(async () => {
    server = await startServer({
      ...{ WORKERS: '2', METRICS_PORT: '0', METRICS_TOKEN: token, TRUST_PROXY: '1' },
      ...{ RATE_LIMITS: 'free=40', CODE_MISS_LIMIT: '20', AUTH_FAILURE_LIMIT: '20', MAX_CONNECTIONS: '60' },
    });
    key = (await server.newKey()).key;
  });
  after(endServers);

  const metrics = () => {
    const line = linesOf(server).find(({ msg }) => msg === 'metrics can be scraped');
    return scrape({ url: new URL(String(line?.['url'])).origin }, { authorization: `Bearer ${token}` });
  };

  const untilNobodyIsThere = () =>
    until('nobody is there', async () => {
      const before = performance.now();
      const isEmpty = async () => seriesValue(await metrics(), 'linkfold_connections') === 0;
      // Nobody for so long that each worker knows of it.
      while (performance.now() - before < 200) if (!(await isEmpty())) return false;
      return true;
    });

  test('both answer, both logs tell which, and a link made by one leads on at the other at once', async () => {
    const make = (url: string) => call(server, 'POST', '/api/v1/shorten', { key, body: { url } });
    const authorization = `Bearer ${key}`;
    for (let tries = 0; tries < 100 && answering(server).length < 2; tries += 1) {
      await times(8, () => knock(server, '/api/v1/me', { authorization }));
    }
    assert.deepEqual(answering(server), [1, 2]);
    const links = testEngine === 'sqlite' ? 20 : 3;
    for (let link = 0; link < links; link += 1) {
      const { json } = await make(`https://example.com/${link}`);
      const found = await times(6, () => knock(server, `/${json.data.shortCode}`));
      assert.deepEqual([...new Set(found.map(({ statusCode }) => statusCode))], [302]);
      assert.equal((await as(server, key).delete(`/api/v1/links/${json.data.id}`)).status, 204);
      await othersKnow();
      const gone = await times(6, () => knock(server, `/${json.data.shortCode}`));
      assert.deepEqual([...new Set(gone.map(({ statusCode }) => statusCode))], [404]);
    }
  });

  test('the requests of a key are counted exactly, and each answer says what is left', async () => {
    await awayFromTheMinute();
    const free = await server.newKey({ plan: 'free' });
    const authorization = `Bearer ${free.key}`;
    const answers = await times(50, () => knock(server, '/api/v1/me', { authorization }));
    const left = answers.map(({ statusCode, headers }) => [
      statusCode,
      Number(headers['x-ratelimit-remaining']),
    ]);
    const expected = Array.from({ length: 40 }, (_, at) => [200, at]);
    const refused = Array.from({ length: 10 }, () => [429, 0]);
    type Left = readonly (number | undefined)[];
    const inOrder = ([status = 0, one = 0]: Left, [otherStatus = 0, other = 0]: Left) =>
      status - otherStatus || one - other;
    assert.deepEqual(left.sort(inOrder), [...expected, ...refused]);
    const reset = String(Math.ceil(Date.now() / 60_000) * 60);
    for (const { headers, statusCode } of answers) {
      assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-reset']], ['40', reset]);
      assert.equal(headers['retry-after'] !== undefined, statusCode === 429);
    }
  });

  for (const [what, path, statuses] of [
    ['unknown codes', '/no-such-code', [404, 429]],
    ['failed authentications', '/api/v1/me', [401, 429]],
  ] as const) {
    test(`${what} of a stranger count wherever they are asked for: never too early, and hardly late`, async () => {
      await awayFromTheMinute();
      const [usual, limited] = statuses;
      const seen: (number | undefined)[] = [];
      for (let tries = 0; tries < 60; tries += 1) {
        seen.push((await knock(server, path, stranger)).statusCode);
      }
      const before = seen.indexOf(limited);
      assert.ok(before >= 20 && before <= 24, `limited after ${before}`);
      assert.deepEqual(new Set(seen.slice(0, before)), new Set([usual]));
      assert.deepEqual(new Set(seen.slice(40)), new Set([limited]));
      // A worker that is new knows as much.
      const [, first = 0] = [...workersOf(server)][0] ?? [];
      process.kill(first, 'SIGKILL');
      await untilReplaced(server, [first]);
      const after = await times(12, () => knock(server, path, stranger));
      assert.deepEqual(new Set(after.map(({ statusCode }) => statusCode)), new Set([limited]));
    });
  }

  test('MAX_CONNECTIONS is what all of them take together', async (t) => {
    await untilNobodyIsThere();
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    let closed = 0;
    for (let opened = 0; opened < 90; opened += 1) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('close', () => (closed += 1)).on('error', () => {});
      sockets.push(socket);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await until(
      'they are counted',
      async () => seriesValue(await metrics(), 'linkfold_connections') === 90 - closed,
    );
    // What came within the last 40 ms, they may not know of each other.
    assert.ok(90 - closed >= 60 && 90 - closed <= 68, `${90 - closed} are open`);
  });

  test('metrics are the sum, and what a worker counted outlives it', async () => {
    await untilNobodyIsThere();
    const counts = async () => {
      const families = await metrics();
      return {
        families,
        clicks: seriesValue(families, 'linkfold_clicks_total', { class: 'bot' }),
        redirects: seriesValue(families, 'linkfold_redirects_total', { outcome: 'redirected' }),
        timed: seriesValue(families, 'linkfold_redirect_duration_seconds_count'),
      };
    };
    const { json } = await call(server, 'POST', '/api/v1/shorten', {
      key,
      body: { url: 'https://example.com/' },
    });
    const start = await counts();
    for (let round = 0; round < 5; round += 1)
      await times(20, () => knock(server, `/${json.data.shortCode}`));
    const visited = await counts();
    for (const name of ['clicks', 'redirects', 'timed'] as const)
      assert.equal(visited[name] - start[name], 100, name);
    const processes = visited.families.get('process_resident_memory_bytes')?.samples ?? [];
    assert.deepEqual(processes.map(({ labels }) => labels['worker']).sort(), ['1', '2', 'primary']);
    assert.equal(seriesValue(visited.families, 'linkfold_workers'), 2);
    const crashes = seriesValue(visited.families, 'linkfold_worker_crashes_total');

    const [, first = 0] = [...workersOf(server)][0] ?? [];
    process.kill(first, 'SIGKILL');
    await until('it is gone', () => ![...workersOf(server).values()].includes(first));
    const during = await counts();
    await untilReplaced(server, [first]);
    server.child.kill('SIGUSR2');
    await until('all are new', () => linesOf(server).some(({ msg }) => msg === 'all workers are replaced'));
    for (const seen of [during, await counts()]) {
      for (const name of ['clicks', 'redirects', 'timed'] as const)
        assert.equal(seen[name], visited[name], name);
      assert.equal(seriesValue(seen.families, 'linkfold_worker_crashes_total'), crashes + 1);
    }
    assert.equal(seriesValue((await counts()).families, 'linkfold_ready'), 1);
  });
});

describe('the life of several workers', () => {
  after(endServers);
  const folder = (): string => temporaryFolder('workers');
  const children = async ({ child }: Server): Promise<number> =>
    (await run('ps', ['--ppid', String(child.pid), '-o', 'pid='])).stdout.trim().split('\n').length;
  const ended = async (t: TestContext, flags: readonly string[], env = {}): Promise<string> => {
    try {
      const started = await startServer(env, folder(), [], { flags });
      t.after(() => started.stop());
    } catch (error) {
      return (error as Error).message;
    }
    return 'it started';
  };

  test('the first key is made and shown once, and "ready" is said once, by four that start together', async () => {
    const dataDir = folder();
    const server = await startServer({}, dataDir, [], { flags: ['--workers', '4'] });
    const lines = linesOf(server);
    assert.equal(lines.filter(({ msg }) => msg === 'ready').length, 1);
    assert.equal(lines.filter(({ msg }) => msg.startsWith('the first API key')).length, 1);
    assert.equal(lines.at(-1)?.msg, 'ready');
    assert.equal(await children(server), 4);
    const [key = '', ...rest] = readFileSync(join(dataDir, 'first-key.txt'), 'utf8').trim().split('\n');
    assert.deepEqual(rest, []);
    const me = await Promise.all(Array.from({ length: 12 }, () => as(server, key).get('/api/v1/me')));
    assert.deepEqual(new Set(me.map(({ status }) => status)), new Set([200]));
    assert.equal(JSON.parse(await server.command('keys', 'list', '--json')).length, 1);
    assert.equal(await server.stop(), 0);
  });

  test('auto is one for each processor, and one is a process without others', async () => {
    const server = await startServer({ WORKERS: 'auto' }, folder(), ['taskset', '-c', '0,1']);
    const wanted = Math.min(2, availableParallelism());
    assert.equal(workersOf(server).size, wanted === 1 ? 0 : wanted);
    assert.equal(await server.stop(), 0);
    const alone = await startServer({ WORKERS: 'auto' }, folder(), ['taskset', '-c', '0']);
    assert.deepEqual([...workersOf(alone)], []);
    alone.child.kill('SIGUSR2');
    await until('it says so', () => alone.output().includes('a single process cannot replace itself'));
    assert.equal((await call(alone, 'GET', '/readyz')).status, 200);
    assert.equal(await alone.stop(), 0);
  });

  test('what is wrong is said before, or in the words of the worker', async (t) => {
    const words = /WORKERS must be a whole number from 1 to 256, or auto\./;
    for (const wrong of ['0', '257', 'two', '1.5', '-1']) {
      assert.match(await ended(t, [`--workers=${wrong}`]), words, wrong);
    }
    const taken = await startServer({}, folder());
    const port = `Port ${taken.port} is in use. Stop what uses it, or set PORT to another one.`;
    assert.ok(
      (await ended(t, ['--workers', '2'], { PORT: String(taken.port) })).includes(
        `ended with 1 before it was ready:\nerror: ${port}`,
      ),
    );
    const away = await ended(t, ['--workers', '2'], { HOST: '192.0.2.1' });
    assert.match(away, /error: HOST 192\.0\.2\.1 is not an address of this machine\./);
    const nowhere = await ended(t, ['--workers', '2'], { DATABASE_URL: `sqlite:${folder()}` });
    assert.match(
      nowhere,
      /ended with 3 before it was ready:\nerror: Storage is unavailable: \/.+ cannot be opened: it is a folder\./,
    );
    await taken.stop();
  });

  test('Ctrl-C, which a terminal sends to every process, stops them gracefully; once more a little later, at once', async () => {
    for (const [signals, code, delay] of [
      [1, 0, 2],
      [2, 1, 60],
    ] as const) {
      const executable = join(import.meta.dirname, '..', '..', 'bin', 'linkfold');
      const env = {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        DATA_DIR: folder(),
        SHUTDOWN_DELAY: `${delay}`,
      };
      // With `detached` it leads a process group, as under a terminal.
      const child = spawn(executable, ['serve', '--workers', '2'], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
      await until('it is ready', () => output.includes('"ready"'));
      const workers = [...workersOf({ output: () => output }).values()];
      const began = performance.now();
      const exit = new Promise((resolve) => child.once('exit', resolve));
      for (let sent = 0; sent < signals; sent += 1) {
        process.kill(-(child.pid ?? 0), 'SIGINT');
        await until('it stops', () => output.includes('"stopping'));
        // What comes sooner is an echo of the first.
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
      assert.equal(await exit, code);
      const ms = performance.now() - began;
      assert.ok(signals === 1 ? ms > 1_900 : ms < 30_000, `ended after ${ms} ms`);
      await until('no worker is left', () => !workers.some(isAlive));
    }
  });
});
