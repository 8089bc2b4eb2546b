import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../support/http/ask.ts';
import { freePort } from '../support/http/ports.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres/postgres.ts';
import { administer } from '../support/postgres/replica.ts';
import { endLaunched, launch, linkfold, serverEnvironment } from '../support/server/launch.ts';
import { linesOf } from '../support/server/log.ts';
import { endServers, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

// The server starts before the database is available, for example when the machine boots.

const skip = (await postgresMissing()) ?? false;
const timeout = 120_000;
const waits = 'Waiting for the database.';
after(endServers);
after(endLaunched);

/** The database, which the tests start after the server. */
let postgres: Postgres;
before(async () => {
  if (skip !== false) return;
  postgres = await startPostgres({ settings: { fsync: 'on' } });
});
after(() => postgres?.end());

for (const flags of [[], ['--workers', '2']]) {
  test(`serve waits for the database: ${flags.join(' ')}`, { skip, timeout }, async (t) => {
    await postgres.stop();
    const port = await freePort();
    const settings = { DATABASE_URL: postgres.url(), PORT: String(port), HOST: '127.0.0.1' };
    const env = await serverEnvironment(temporaryFolder('data'), settings);
    const server = launch(linkfold, ['serve', ...flags], env);
    const status = async (path: string) => (await ask({ port }, { path })).status;
    t.after(() => server.child.kill('SIGKILL'));
    const lines = () => linesOf({ output: server.out });
    await until('it waits', () => lines().some(({ msg }) => msg === waits));
    // Within this time, the server retries several times but must not write more log lines.
    await pause(2_500);
    const [told, ...others] = lines().filter(({ msg }) => msg === waits);
    assert.match(
      String(told?.['reason']),
      new RegExp(`could not use the database at 127\\.0\\.0\\.1:${postgres.port}: .*ECONNREFUSED`),
    );
    assert.deepEqual(others, []);
    assert.equal(server.child.exitCode, null, server.err());
    const health = await ask({ port }, { path: '/healthz' });
    assert.deepEqual([health.status, health.text], [200, '{"status":"starting"}']);
    for (const path of ['/readyz', '/code', '/api/v1/links']) assert.equal(await status(path), 503, path);
    const ready = (...more: string[]) => launch(linkfold, ['ready', ...more], env).ended;
    assert.deepEqual([(await ready()).code, (await ready('--live')).code], [1, 0]);

    await postgres.start();
    await until('it is ready', () => lines().some(({ msg }) => msg === 'ready'));
    assert.ok(lines().some(({ msg }) => msg === 'The database is available.'));
    for (const path of ['/readyz', '/healthz']) assert.equal(await status(path), 200, path);
    assert.deepEqual([(await ready()).code, (await ready('--live')).code], [0, 0]);
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
  });

  test(`SIGTERM ends the wait and leaves nothing behind: ${flags.join(' ')}`, {
    skip,
    timeout,
  }, async () => {
    // No server is listening on the first host's port. The second host drops packets.
    for (const host of ['127.0.0.1:1', '192.0.2.1']) {
      const dataDir = temporaryFolder('data');
      const env = { DATABASE_URL: `postgres://me@${host}/links?sslmode=disable`, SHUTDOWN_DELAY: '60' };
      const server = launch(linkfold, ['serve', ...flags], await serverEnvironment(dataDir, env));
      await until('it waits', () => linesOf({ output: server.out }).some(({ msg }) => msg === waits));
      server.child.kill('SIGTERM');
      const tooLate = setTimeout(() => server.child.kill('SIGKILL'), 20_000);
      assert.deepEqual(await server.ended, { code: 0, signal: null });
      clearTimeout(tooLate);
      const clicks = join(dataDir, 'clicks');
      assert.deepEqual(existsSync(clicks) ? readdirSync(clicks) : [], []);
    }
  });
}

test('ends startup for permanent errors; other commands do not wait', {
  skip,
  timeout,
}, async (t) => {
  const closed = await startPostgres({ auth: 'scram-sha-256' });
  t.after(() => closed.end());
  const url = new URL(closed.url());
  const wrongPassword = Object.assign(new URL(url), { password: 'wrong' }).href;
  const noPassword = Object.assign(new URL(url), { password: '' }).href;
  const noDatabase = Object.assign(new URL(url), { pathname: '/nothing' }).href;
  const away = 'postgres://me@127.0.0.1:1/links';
  for (const [command, database] of [
    ['serve', wrongPassword],
    ['serve', noPassword],
    ['serve', noDatabase],
    ['serve', `${url.href}?sslmode=require`],
    ['keys list', away],
    ['db status', away],
  ] as const) {
    const env = await serverEnvironment(temporaryFolder('data'), { DATABASE_URL: database });
    const ended = launch(linkfold, command.split(' '), env);
    const tooLate = setTimeout(() => ended.child.kill('SIGKILL'), 20_000);
    assert.deepEqual(await ended.ended, { code: 3, signal: null }, `${command} ${ended.out()}`);
    clearTimeout(tooLate);
    assert.match(ended.err(), /^(Database: [^\n]+\n)?error: [^\n]+\n$/);
    assert.ok(!ended.err().includes('wrong'), ended.err());
  }
});

test('waits for a database without free connections', { skip, timeout }, async (t) => {
  await administer(postgres, async (client) => {
    await client.query('CREATE ROLE me LOGIN CONNECTION LIMIT 0');
    await client.query('CREATE DATABASE links OWNER me');
  });
  const DATABASE_URL = `postgres://me@127.0.0.1:${postgres.port}/links`;
  const server = launch(
    linkfold,
    ['serve'],
    await serverEnvironment(temporaryFolder('data'), { DATABASE_URL }),
  );
  t.after(() => server.child.kill('SIGKILL'));
  const lines = () => linesOf({ output: server.out });
  await until('it waits', () => lines().some(({ msg }) => msg === waits));
  assert.match(String(lines().find(({ msg }) => msg === waits)?.['reason']), /too many connections for role/);
  await administer(postgres, (client) => client.query('ALTER ROLE me CONNECTION LIMIT -1'));
  await until('it is ready', () => lines().some(({ msg }) => msg === 'ready'));
  server.child.kill('SIGTERM');
  assert.deepEqual(await server.ended, { code: 0, signal: null });
});
