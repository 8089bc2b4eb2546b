import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { testEngine } from '../support/postgres/databases.ts';
import { effort } from '../support/random/random.ts';
import { needsProcess, runHosted } from '../support/server/hosted-commands.ts';
import {
  endLaunched,
  type Launched,
  launch,
  linkfold,
  ours,
  serverEnvironment,
} from '../support/server/launch.ts';
import { linesOf } from '../support/server/log.ts';
import { whyPrivileged, withoutPrivileges } from '../support/server/privileges.ts';
import { type Environment, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

after(endLaunched);

// If startup fails, the server explains the failure in one sentence, leaves nothing open and does not wait. A signal
// ends startup.

const timeout = 180_000;
/** Time limit in ms for an exit that does not wait for SHUTDOWN_DELAY. In these tests, SHUTDOWN_DELAY is longer. */
const soonMs = 30_000;
const longDelay = '120';
/**
 * Number of startups to end with a signal. Each signal comes a little later than the one before. There are more
 * startups if the machine becomes slower.
 */
const startsCut = effort(2).count;

function journalsIn(dataDir: string): string[] {
  const folder = join(dataDir, 'clicks');
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function inTime({ ended, child }: Launched) {
  const tooLate = setTimeout(() => child.kill('SIGKILL'), soonMs);
  return ended.finally(() => clearTimeout(tooLate));
}

/** Runs a command until it exits, in an environment with only the given variables. */
async function run(args: readonly string[], given: Environment, within: readonly string[] = []) {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', ...given };
  // All commands read settings in the same way, so most commands run without a separate process.
  if (!needsProcess(args) && linkfold === ours)
    return withoutDatabase(await runHosted({ args, env, input: '', cwd: '/' }));
  const [program = linkfold, ...rest] = [...within, linkfold, ...args];
  const launched = launch(program, rest, env);
  const ended = await inTime(launched);
  return withoutDatabase({ ...ended, out: launched.out(), err: launched.err() });
}

/** Removes the line with the database's name, which some commands print before the error. */
function withoutDatabase<E extends { readonly err: string }>(ended: E): E {
  return { ...ended, err: ended.err.replace(/^Database: .+\n/, '') };
}

const privileged = whyPrivileged() ?? false;
if (privileged !== false) process.stderr.write(`SKIPPED: file permissions are not tested: ${privileged}.\n`);

describe('an invalid setting is reported, with exit code 2', () => {
  // All other `db` commands start in the same way as these commands.
  const commands = ['config', 'serve', 'keys list', 'accounts list', 'db status', 'db backup x'];
  test('by every command', { timeout }, async () => {
    const DATA_DIR = join(temporaryFolder('settings'), 'data');
    for (const command of commands) {
      const { code, out, err } = await run(command.split(' '), { DATA_DIR, TRUST_PROXY: '::::' });
      assert.deepEqual([code, out], [2, ''], `${command}: ${err}`);
      assert.match(err, /^error: TRUST_PROXY must be .+; "::::" is invalid\.\n$/);
    }
    assert.ok(!existsSync(DATA_DIR));
  });

  for (const [name, value, said] of [
    [
      'DATABASE_URL',
      'mysql://user:hunter2@host/links',
      /^error: DATABASE_URL must be sqlite:PATH or .+ its scheme is "mysql:"\.\n$/,
    ],
    ['DATABASE_URL', 'file:foo', /^error: DATABASE_URL must be sqlite:PATH or .+ its scheme is "file:"\.\n$/],
    [
      'DATABASE_URL',
      'postgres://user:hunter2@host',
      /^error: DATABASE_URL must contain a database: [^\n]+\n$/,
    ],
    ['COUNTRY_HEADER', 'two words', /^error: COUNTRY_HEADER must be a header name, such as [^\n]+\n$/],
    ['COUNTRY_HEADER', 'CF-IPCountry', /^error: COUNTRY_HEADER requires TRUST_PROXY, [^\n]+\n$/],
    [
      'GEO_DATABASE',
      '/nowhere/geo.mmdb',
      /^error: GEO_DATABASE is \/nowhere\/geo.mmdb, which does not exist [^\n]+\n$/,
    ],
  ] as const) {
    test(`${name}=${value}`, { timeout }, async () => {
      const { code, out, err } = await run(['config'], { [name]: value });
      assert.deepEqual([code, out], [2, ''], err);
      assert.match(err, said);
      assert.ok(!err.includes('hunter2'));
    });
  }

  test('an invalid GEO_DATABASE', { timeout }, async () => {
    const GEO_DATABASE = join(temporaryFolder('geo'), 'x.mmdb');
    writeFileSync(GEO_DATABASE, 'no database');
    const { code, err } = await run(['serve'], {
      DATA_DIR: temporaryFolder('settings'),
      PORT: '0',
      GEO_DATABASE,
    });
    assert.equal(code, 2);
    assert.match(err, /^error: GEO_DATABASE: [^\n]+x\.mmdb is not a database in MaxMind’s format: [^\n]+\n$/);
  });

  test('TRUST_PROXY with something like addresses and networks', { timeout }, async () => {
    for (const wrong of ['10.0.0.0/99', '10.0.0.1, foo']) {
      assert.equal((await run(['config'], { TRUST_PROXY: wrong })).code, 2, wrong);
    }
    for (const right of ['12', '10.0.0.0/8 2001:db8::/32,loopback']) {
      assert.equal((await run(['config'], { TRUST_PROXY: right })).code, 0, right);
    }
  });

  test('FROM and TO of a copy', { timeout }, async () => {
    for (const [from, to, role] of [
      ['mysql://x', 'sqlite:y', 'FROM'],
      ['sqlite:x', 'file:y', 'TO'],
    ] as const) {
      const { code, err } = await run(['db', 'copy', from, to], { DATA_DIR: temporaryFolder('copy') });
      assert.deepEqual(
        [code, err.match(/^error: (\w+) must be sqlite:PATH or [^\n]+\n$/)?.[1]],
        [2, role],
        err,
      );
    }
  });
});

describe('unreadable and unwritable paths are named in one sentence', () => {
  const folder = temporaryFolder('unusable');
  const file = join(folder, 'file');
  const locked = join(folder, 'locked');
  const garbage = join(folder, 'garbage.db');
  const withinFor = (path: string) => (path.startsWith(locked) ? withoutPrivileges : []);
  /** Returns the paths that this user cannot change, or none if the user is root, who may change everything. */
  const denied = <T>(paths: readonly T[]): readonly T[] => (privileged === false ? paths : []);
  writeFileSync(file, 'x');
  writeFileSync(garbage, 'garbage '.repeat(1_000));
  mkdirSync(locked, { mode: 0o555 });
  chmodSync(locked, 0o555);
  const inProc =
    process.platform === 'linux' ? [['/proc/linkfold', /no such file or directory/] as const] : [];

  for (const [DATA_DIR, why] of [
    [file, /the file already exists \(EEXIST\)/],
    [join(file, 'below'), /part of the path is a file, not a folder \(ENOTDIR\)/],
    ...denied([
      [join(locked, 'data'), /permission denied \(EACCES\)/],
      [locked, /permission denied \(EACCES\)/],
    ] as const),
    ...inProc,
  ] as const) {
    const others = DATA_DIR === file ? ['serve --workers 2', 'db migrate'] : [];
    for (const command of ['serve', ...others]) {
      test(`DATA_DIR=${DATA_DIR.replace(folder, '')} linkfold ${command}`, { timeout }, async () => {
        const ended = await run(command.split(' '), { DATA_DIR, LOG_LEVEL: 'silent' }, withinFor(DATA_DIR));
        assert.equal(ended.code, 1, ended.err);
        assert.match(ended.err, /^error: [^\n]+\n$/);
        assert.ok(ended.err.includes(`DATA_DIR ${DATA_DIR} cannot be used: `), ended.err);
        assert.match(ended.err, why);
      });
    }
  }

  test('a file that is not a database', { timeout }, async () => {
    const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: `sqlite:${garbage}`, LOG_LEVEL: 'silent' };
    for (const command of [
      'serve',
      'keys list',
      'db migrate',
      'db status',
      'db check',
      `db backup ${folder}/b.db`,
    ]) {
      const { code, err } = await run(command.split(' '), env);
      assert.ok(code === 1 || (code === 3 && command === 'keys list'), `${command}: ${code}`);
      assert.match(err, /^error: [^\n]+\n$/);
      assert.ok(err.includes(`${garbage} is not a SQLite database, or is damaged.`), err);
    }
  });

  test('a folder instead of the database, and a path that cannot exist', {
    timeout,
  }, async () => {
    for (const [path, why] of [
      [folder, /could not open .+: it is a folder\./],
      [join(file, 'x.db'), /could not create .+: the file already exists/],
      ...denied([[join(locked, 'x', 'y.db'), /could not create .+: permission denied/]] as const),
      ...inProc.map(() => ['/proc/linkfold/y.db', /could not create .+: no such file or directory/] as const),
    ] as const) {
      const env = { DATA_DIR: temporaryFolder('data'), DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'silent' };
      const { code, err } = await run(['serve'], env, withinFor(path));
      assert.equal(code, 3, err);
      assert.match(err, /^error: Storage is unavailable: [^\n]+ \(STORAGE_UNAVAILABLE\)\n$/);
      assert.ok(err.includes(path), err);
      assert.match(err, why);
    }
  });

  test('a backup into a missing folder', { timeout }, async () => {
    const env = { DATA_DIR: join(folder, 'sound') };
    assert.equal((await run(['db', 'migrate'], env)).code, 0);
    const { code, err } = await run(['db', 'backup', '/nope/b.db'], env);
    assert.deepEqual(
      [code, err],
      [1, 'error: Could not write /nope/b.db: the folder /nope does not exist.\n'],
    );
    const denied = await run(['db', 'backup', join(file, 'b.db')], env);
    assert.match(denied.err, /^error: Could not write [^\n]+\/b\.db: [^\n]+ \(ENOTDIR\)\.\n$/);
  });
});

describe('a failing startup', () => {
  for (const flags of [[], ['--workers', '2']]) {
    test(`does not wait SHUTDOWN_DELAY: ${flags.join(' ')}`, { timeout }, async (t) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      t.after(() => taken.close());
      const { port } = taken.address() as { port: number };
      for (const [name, code] of [
        ['PORT', 1],
        ['METRICS_PORT', 1],
      ] as const) {
        const dataDir = temporaryFolder('data');
        const env = await serverEnvironment(dataDir, { SHUTDOWN_DELAY: longDelay, [name]: String(port) });
        const server = launch(linkfold, ['serve', ...flags], env);
        assert.deepEqual(await inTime(server), { code, signal: null }, server.err());
        assert.match(
          server.err(),
          new RegExp(`^error: Port ${port} is in use\\. .+ set ${name} to another port\\.\\n$`),
        );
        assert.deepEqual(journalsIn(dataDir), []);
      }
    });
  }
});

describe('a startup that gets a signal', () => {
  for (const flags of [[], ['--workers', '2']]) {
    test(`ends at once, in any phase: ${flags.join(' ')}`, { timeout }, async (t) => {
      const dataDir = temporaryFolder('data');
      const env = await serverEnvironment(dataDir, { SHUTDOWN_DELAY: longDelay });
      // The server gets its own process group, so that its workers can be killed with it.
      const start = () => launch(linkfold, ['serve', ...flags], env, { detached: true });
      const isReady = ({ out }: Launched): boolean =>
        linesOf({ output: out }).some(({ msg }) => msg === 'ready' || msg === 'a worker is ready');
      const kill = ({ child, ended }: Launched) => {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
        return ended;
      };
      const whole = start();
      const startMs = await until('it is ready', () => isReady(whole));
      await kill(whole);
      const cut: number[] = [];
      for (let step = startMs / startsCut, ms = step; ; ms += step) {
        const server = start();
        await pause(ms);
        server.child.kill('SIGTERM');
        const ended = inTime(server);
        const wasReady = () => isReady(server);
        await Promise.race([ended, until('it ends, or was ready before', wasReady, { withinMs: soonMs })]);
        // The signal came too late. A server that is ready waits for SHUTDOWN_DELAY, because a load balancer may
        // already use it.
        if (isReady(server)) {
          await kill(server);
          if (cut.length > 0) break;
          // Startup took less time than one step, so the test continues with smaller steps between the last two
          // signals.
          ms -= 2 * step;
          step /= 2;
          assert.ok(step > 0.5, 'no signal came during the start');
          continue;
        }
        const { code, signal } = await ended;
        const what = `after ${ms} ms: ${code} ${signal} ${server.out()}${server.err()}`;
        assert.ok(code === 0 || signal === 'SIGTERM', what);
        assert.deepEqual(
          linesOf({ output: server.out }).filter(({ level }) => level >= 50),
          [],
          what,
        );
        if (code === 0) cut.push(ms);
      }
      t.diagnostic(`ended during the start: after ${cut.join(', ')} ms`);
      const last = await startServer({}, dataDir);
      assert.equal(await last.stop(), 0);
      assert.deepEqual(journalsIn(dataDir), []);
    });
  }

  test('ends while waiting for a writer, without using up the first key', {
    timeout,
    skip: testEngine !== 'sqlite',
  }, async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const dataDir = temporaryFolder('data');
    const first = await startServer({ BOOTSTRAP_API_KEY: '' }, dataDir);
    await first.stop();
    const held = new DatabaseSync(join(dataDir, 'linkfold.db'));
    held.exec('DELETE FROM api_keys; BEGIN IMMEDIATE');
    rmSync(join(dataDir, 'first-key.txt'));
    const env = await serverEnvironment(dataDir, { SHUTDOWN_DELAY: longDelay });
    const server = launch(linkfold, ['serve'], env);
    await until('it is alive', () => journalsIn(dataDir).length > 0);
    await pause(500);
    server.child.kill('SIGTERM');
    await pause(100);
    held.exec('ROLLBACK');
    const { code } = await inTime(server);
    assert.equal(code, 0, server.err());
    const hasKey = held.prepare('SELECT COUNT(*) AS keys FROM api_keys').get()?.['keys'] === 1;
    held.close();
    assert.equal(hasKey, existsSync(join(dataDir, 'first-key.txt')), 'a created key was written to the file');
  });
});
