// What an operator and a visitor see of a server whose database is PostgreSQL; the acceptance tests hold for it too.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Postgres, password, postgresMissing, startPostgres } from './postgres.ts';
import { as, call, type Server, startServer, temporaryFolder } from './support.ts';

const telling = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'loaded-packages.ts'))}`,
};
const isLoaded = (server: Server): boolean => /^loaded pg$/m.test(server.output());

test('a server on SQLite does not load what it takes to speak to PostgreSQL', async () => {
  const server = await startServer({
    ...telling,
    DATABASE_URL: `sqlite:${temporaryFolder('lazy')}/links.db`,
  });
  await server.newKey();
  await server.stop();
  assert.match(server.output(), /^loaded fastify$/m);
  assert.ok(!isLoaded(server));
});

describe('a server on PostgreSQL', { skip: (await postgresMissing()) ?? false }, () => {
  let database: Postgres;
  let server: Server;
  let api: ReturnType<typeof as>;
  before(async () => {
    database = await startPostgres({ settings: { fsync: 'on' }, auth: 'scram-sha-256' });
    const file = join(temporaryFolder('secret'), 'url');
    writeFileSync(file, `${database.url()}\n`);
    const settings = {
      DATABASE_URL_FILE: file,
      DATABASE_TIMEOUT: '1',
      METRICS_PORT: '0',
      LOG_LEVEL: 'trace',
    };
    server = await startServer({ ...telling, ...settings });
    api = as(server, (await server.newKey()).key);
  });
  after(async () => {
    await server?.stop();
    await database?.end();
  });

  /** What a command writes, and its exit code when it is not 0. */
  const command = async (...args: string[]): Promise<{ text: string; code: number }> => {
    try {
      return { text: await server.command(...args), code: 0 };
    } catch (error) {
      const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
      return { text: stdout + stderr, code };
    }
  };

  test('is set up by the file that holds its URL, and loads the driver', () => {
    assert.ok(isLoaded(server));
    assert.doesNotMatch(server.output(), /not encrypted/);
  });

  test('commands do what they do on SQLite, but for backups, of which they say whose work they are', async () => {
    const status = JSON.parse((await command('db', 'status', '--json')).text);
    assert.deepEqual(status.pending, []);
    assert.equal((await command('db', 'migrate')).code, 0);
    assert.deepEqual(JSON.parse((await command('db', 'check', '--json')).text), { ok: true, problems: [] });
    assert.match((await command('accounts', 'list')).text, /default/);
    const { id } = JSON.parse(
      (
        await command(
          'keys',
          'create',
          '--account',
          'acme',
          '--plan',
          'pro',
          '--scopes',
          'links:read',
          '--json',
        )
      ).text,
    );
    assert.match((await command('keys', 'list')).text, new RegExp(id));
    assert.equal((await command('keys', 'revoke', id)).code, 0);
    const folder = temporaryFolder('backup');
    for (const args of [['backup', join(folder, 'a.db')]]) {
      const { text, code } = await command('db', ...args);
      assert.notEqual(code, 0);
      assert.match(text, /^error: DATABASE_URL names a PostgreSQL database\. Its own programs back it up/m);
    }
  });

  test('without its database it refuses what it cannot do, stays, and goes on when the database is back', async () => {
    const { json } = await api.post('/api/v1/shorten', { url: 'https://example.com/', customCode: 'Here' });
    assert.equal(json.success, true);
    assert.equal((await call(server, 'GET', '/here')).status, 302);
    await database.stop('immediate');
    for (const [answer, how] of [
      [await call(server, 'GET', '/here'), 'a visitor'],
      [await api.get('/api/v1/links'), 'a reader'],
      [await api.post('/api/v1/shorten', { url: 'https://example.com/' }), 'a writer'],
    ] as const) {
      assert.equal(answer.status, 503, how);
      assert.equal(answer.json.error.code, 'STORAGE_UNAVAILABLE');
      assert.equal(answer.json.error.message, 'Storage is unavailable: the database cannot be reached.');
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.equal((await call(server, 'GET', '/readyz')).status, 503);
    assert.equal((await call(server, 'GET', '/healthz')).status, 200);
    await database.start();
    const began = performance.now();
    while ((await api.post('/api/v1/shorten', { url: 'https://example.com/' })).status !== 201)
      await pause(20);
    assert.equal((await call(server, 'GET', '/here')).status, 302);
    assert.ok(performance.now() - began < 2_000);
    while ((await call(server, 'GET', '/readyz')).status !== 200) await pause(50);
    assert.ok(performance.now() - began < 4_000);
    assert.equal(server.child.exitCode, null);
    const links: { shortCode: string; clicks: number }[] = (await api.get('/api/v1/links')).json.data;
    assert.equal(links.find(({ shortCode }) => shortCode === 'Here')?.clicks, 2);
    assert.match(server.output(), /"msg":"Storage cannot be read\."/);
    assert.match(server.output(), /ECONNREFUSED/);
  });

  test('its password is nowhere but in its file', async () => {
    const [, port] = /"port":(\d+),"msg":"metrics"/.exec(server.output()) ?? [];
    const metrics = await call({ url: `http://127.0.0.1:${port}` }, 'GET', '/metrics');
    assert.match(metrics.text, /linkfold_storage_errors_total\{kind="unreachable"\} [1-9]/);
    const wrong = database.url('nowhere').replace(`:${password}@`, ':other-secret@');
    const failed = await startServer({ DATABASE_URL: wrong }).then(
      () => assert.fail('It started.'),
      (error: Error) => error.message,
    );
    assert.match(failed, /password authentication failed/);
    const places = {
      log: server.output(),
      metrics: metrics.text,
      config: (await command('config')).text,
      failed,
      ...(process.platform === 'linux' && {
        process: readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8'),
        sessions: (await command('db', 'status')).text,
      }),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 0);
      assert.doesNotMatch(text, new RegExp(`other-secret|:${password}@|${password}"`), place);
    }
  });
});
