import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type ExposedFamily, parseExposition, seriesValue } from '../support/http/exposition.ts';
import { othersKnow, testEngine } from '../support/postgres/databases.ts';
import { assertHeldTogether } from '../support/server/limits.ts';
import { linesOf } from '../support/server/log.ts';
import { as, call, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { isAlive, untilReplaced, workersOf } from '../support/server/workers.ts';
import { until } from '../support/until.ts';

// Several processes on one port act as one service.

const run = promisify(execFile);
const token = 'a-token-for-the-scraper';
const limit = 60;

/** Sends a request on its own connection, which the first free worker accepts. */
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

/** Returns the numbers of the workers that have handled API requests, according to the log. */
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
      WORKERS: '2',
      METRICS_PORT: '0',
      METRICS_TOKEN: token,
      TRUST_PROXY: '1',
      RATE_LIMITS: `free=${limit}`,
      CODE_MISS_LIMIT: String(limit),
      AUTH_FAILURE_LIMIT: String(limit),
      MAX_CONNECTIONS: '60',
    });
    key = (await server.newKey()).key;
  });
  after(endServers);

  const metrics = () => {
    const line = linesOf(server).find(({ msg }) => msg === 'metrics are available');
    return scrape({ url: new URL(String(line?.['url'])).origin }, { authorization: `Bearer ${token}` });
  };

  test('both serve and log their name, and a link created by one redirects on the other at once', async () => {
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

  test("count a key's requests together", async () => {
    const free = await server.newKey({ plan: 'free' });
    const authorization = `Bearer ${free.key}`;
    const ask = async () => (await knock(server, '/api/v1/me', { authorization })).statusCode;
    await assertHeldTogether(ask, 200, limit);
    const { statusCode, headers } = await knock(server, '/api/v1/me', { authorization });
    const left = [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    assert.deepEqual([statusCode, ...left], [429, String(limit), '0']);
  });

  test('count unknown codes and failed authentications from an address together', async () => {
    const address = { 'x-forwarded-for': '203.0.113.7' };
    const ask = async (path: string) => (await knock(server, path, address)).statusCode;
    await assertHeldTogether(() => ask('/no-such-code'), 404, limit);
    await assertHeldTogether(() => ask('/api/v1/me'), 401, limit);
  });

  test('each get their share of MAX_CONNECTIONS', async () => {
    const open = async () => seriesValue(await metrics(), 'linkfold_connections');
    const before = await open();
    let closed = 0;
    const sockets: Socket[] = [];
    for (let opened = 0; opened < 90; opened += 1) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('close', () => (closed += 1)).on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
    }
    await until('they are counted', async () => (await open()) === before + 90 - closed);
    // A worker at its limit closes the connections that it accepts, even if another worker could take them.
    const held = before + 90 - closed;
    assert.ok(held >= 30 && held <= 60, `${held} are open`);
    for (const socket of sockets) socket.destroy();
    await until('they are gone', async () => (await open()) <= before);
  });

  test('sum their metrics, which survive a worker', async () => {
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
    await until('all are new', () => linesOf(server).some(({ msg }) => msg === 'all workers were replaced'));
    for (const seen of [during, await counts()]) {
      for (const name of ['clicks', 'redirects', 'timed'] as const)
        assert.equal(seen[name], visited[name], name);
      assert.equal(seriesValue(seen.families, 'linkfold_worker_crashes_total'), crashes + 1);
    }
    assert.equal(seriesValue((await counts()).families, 'linkfold_ready'), 1);
  });
});

describe('lifecycle of several workers', {
  skip: testEngine !== 'sqlite' && 'a primary and its workers do not ask the database of each other',
}, () => {
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

  test('creates and shows the first key once, and logs "ready" once, when four start together', async () => {
    const dataDir = folder();
    const server = await startServer({ METRICS_TOKEN: token }, dataDir, [], { flags: ['--workers', '4'] });
    const lines = linesOf(server);
    assert.equal(lines.filter(({ msg }) => msg === 'ready').length, 1);
    assert.equal(lines.filter(({ msg }) => msg.startsWith('the first API key')).length, 1);
    assert.equal(lines.at(-1)?.msg, 'ready');
    assert.equal(await children(server), 4);
    const metrics = await scrape(server, { authorization: `Bearer ${token}` });
    assert.equal(seriesValue(metrics, 'linkfold_workers'), 4, 'any worker shows the metrics of all');
    const [key = '', ...rest] = readFileSync(join(dataDir, 'first-key.txt'), 'utf8').trim().split('\n');
    assert.deepEqual(rest, []);
    const me = await Promise.all(Array.from({ length: 12 }, () => as(server, key).get('/api/v1/me')));
    assert.deepEqual(new Set(me.map(({ status }) => status)), new Set([200]));
    assert.equal(JSON.parse(await server.command('keys', 'list', '--json')).length, 1);
    assert.equal(await server.stop(), 0);
  });

  const isolated = testEngine !== 'sqlite' && 'workers count together through the database';
  test('counts alone in each worker when the primary does not respond', { skip: isolated }, async () => {
    const server = await startServer({ WORKERS: '2', RATE_LIMITS: 'free=100000' }, folder());
    const { key } = await server.newKey({ plan: 'free' });
    const askUntilSaid = (sentence: string) =>
      until(sentence, async () => {
        assert.equal((await as(server, key).get('/api/v1/me')).status, 200);
        return linesOf(server).some(({ msg }) => msg.startsWith(sentence));
      });
    server.child.kill('SIGSTOP');
    await askUntilSaid('Could not exchange rate-limit counts');
    server.child.kill('SIGCONT');
    await askUntilSaid('Resumed exchanging rate-limit counts with other processes');
    assert.equal(await server.stop(), 0);
  });

  test('auto starts one worker per processor, and one is a single process', async () => {
    const server = await startServer({ WORKERS: 'auto' }, folder(), ['taskset', '-c', '0,1']);
    const wanted = Math.min(2, availableParallelism());
    assert.equal(workersOf(server).size, wanted === 1 ? 0 : wanted);
    assert.equal(await server.stop(), 0);
    const alone = await startServer({ WORKERS: 'auto' }, folder(), ['taskset', '-c', '0']);
    assert.deepEqual([...workersOf(alone)], []);
    alone.child.kill('SIGUSR2');
    await until('it says so', () => alone.output().includes('zero-downtime reload requires WORKERS'));
    assert.equal((await call(alone, 'GET', '/readyz')).status, 200);
    assert.equal(await alone.stop(), 0);
  });

  test("reports a failed start once by the primary, or with the worker's reason", async (t) => {
    const words = /WORKERS must be an integer from 1 to 256, or auto\./;
    for (const wrong of ['0', 'two']) {
      assert.match(await ended(t, [`--workers=${wrong}`]), words, wrong);
    }
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port: number } = taken.address() as { port: number };
    const port = `Port ${number} is in use. Stop the program that uses it, or set PORT to another port.`;
    assert.ok(
      (await ended(t, ['--workers', '2'], { PORT: String(number) })).includes(
        `ended with 1 before it was ready:\nerror: ${port}`,
      ),
    );
    const away = await ended(t, ['--workers', '2'], { HOST: '192.0.2.1' });
    assert.match(away, /error: HOST 192\.0\.2\.1 is not an address of this machine\./);
    const nowhere = await ended(t, ['--workers', '2'], { DATABASE_URL: `sqlite:${folder()}` });
    assert.match(
      nowhere,
      /ended with 3 before it was ready:\nerror: Storage is unavailable: could not open \/.+: it is a folder\./,
    );
    taken.close();
  });

  test('stops gracefully on Ctrl-C, which a terminal sends to every process; a second one later ends at once', async () => {
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
      // With `detached`, the server leads a process group, like a server that was started in a terminal.
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
        await until('it stops', () => output.includes('"shutting down'));
        // A signal sent sooner would count as a repetition of the first signal.
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
      assert.equal(await exit, code);
      const ms = performance.now() - began;
      assert.ok(signals === 1 ? ms > 1_900 : ms < 30_000, `ended after ${ms} ms`);
      await until('no worker is left', () => !workers.some(isAlive));
    }
  });
});
