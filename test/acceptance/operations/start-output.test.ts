import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../../support/http/ports.ts';
import { endLaunched, launch, linkfold, serverEnvironment } from '../../support/server/launch.ts';
import { linesOf } from '../../support/server/log.ts';
import { temporaryFolder } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

after(endLaunched);
const timeout = 60_000;

const version = spawnSync('script', ['--version'], { encoding: 'utf8' });
const lacks = !version.stdout?.includes('util-linux')
  ? 'script (util-linux)'
  : spawnSync('curl', ['--version']).status !== 0
    ? 'curl'
    : undefined;
const skip = lacks === undefined ? false : `${lacks} is not there`;

async function starting(env: Record<string, string>, dataDir = temporaryFolder('data')) {
  return launch(linkfold, ['serve'], await serverEnvironment(dataDir, env));
}

describe('on a terminal', { skip }, () => {
  /** Starts a server in a pseudo-terminal. */
  const serve = async (dataDir: string, env: Record<string, string>) => {
    const server = launch('script', ['-qec', `${linkfold} serve`, '/dev/null'], {
      ...(await serverEnvironment(dataDir, { NO_COLOR: '1', ...env })),
      TERM: 'xterm',
    });
    const text = (): string => stripVTControlCharacters(server.out()).replaceAll('\r', '');
    return { server, text };
  };

  test('shows listen address and short URL base, with a curl command that works', {
    timeout,
  }, async () => {
    const dataDir = temporaryFolder('data');
    const { server, text } = await serve(dataDir, { BASE_URL: 'https://go.example.com' });
    await until('the banner is there', () => text().includes('"https://example.com/"'));
    const [, port] = /^ +Listens on +http:\/\/127\.0\.0\.1:(\d+)$/m.exec(text()) ?? [];
    assert.match(text(), /^ +Short URLs +https:\/\/go\.example\.com\/…$/m);
    assert.match(text(), new RegExp(`^ +Data +${dataDir}$`, 'm'));
    const [, key = ''] = /^ +(lfk_\w{44})$/m.exec(text()) ?? [];
    const [command = ''] =
      /curl -X POST [\s\S]+?'$(?!\s*\\)/m.exec(text().slice(text().indexOf('curl'))) ?? [];
    assert.ok(command.includes(`http://127.0.0.1:${port}/`) && command.includes(key), command);
    const { stdout } = spawnSync('sh', ['-c', command.replace('curl ', 'curl --silent ')], {
      encoding: 'utf8',
    });
    assert.match(JSON.parse(stdout).data.shortUrl, /^https:\/\/go\.example\.com\//);
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('shows no key on later starts, but how to create one', { timeout }, async () => {
    const dataDir = temporaryFolder('data');
    const first = await starting({}, dataDir);
    await until('it is ready', () => linesOf({ output: first.out }).some(({ msg }) => msg === 'ready'));
    first.child.kill('SIGTERM');
    await first.ended;
    const { server, text } = await serve(dataDir, {});
    await until('the banner is there', () => text().includes('More keys'));
    assert.match(text(), new RegExp(`^ +First key +${join(dataDir, 'first-key.txt')} `, 'm'));
    assert.match(text(), /^ +More keys +linkfold keys create --account NAME$/m);
    assert.doesNotMatch(text(), /lfk_|curl/);
    server.child.kill('SIGTERM');
    await server.ended;
  });
});

describe('without a terminal', () => {
  test("reports the first key's file at every log level, never the key", {
    timeout,
  }, async () => {
    for (const LOG_LEVEL of ['warn', 'silent']) {
      const dataDir = temporaryFolder('data');
      const path = join(dataDir, 'first-key.txt');
      const server = await starting({ LOG_LEVEL }, dataDir);
      await until('it prints the message', () => server.err().endsWith('\n'));
      assert.equal(
        server.err(),
        `${path}: the first API key is in this file; store it elsewhere and delete the file\n`,
      );
      const key = readFileSync(path, 'utf8').trim();
      assert.match(key, /^lfk_\w{44}$/);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      server.child.kill('SIGTERM');
      assert.deepEqual(await server.ended, { code: 0, signal: null });
      assert.ok(!(server.out() + server.err()).includes(key));
    }
  });

  for (const WORKERS of ['1', '2'])
    test(`writes the first key's file before anything returns 200, with WORKERS=${WORKERS}`, {
      timeout,
    }, async () => {
      const [dataDir, port] = [temporaryFolder('data'), await freePort()];
      const server = await starting({ WORKERS, PORT: String(port) }, dataDir);
      const isReady = () => linesOf({ output: server.out }).some(({ msg }) => msg === 'ready');
      while (!isReady()) {
        for (const path of ['/', '/healthz', '/readyz', '/dashboard']) {
          const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
            (response) => response.status,
            () => 0,
          );
          if (status === 200) assert.ok(existsSync(join(dataDir, 'first-key.txt')), path);
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      server.child.kill('SIGTERM');
      assert.deepEqual(await server.ended, { code: 0, signal: null });
    });

  test('reports a mistyped setting once, even with several workers', { timeout }, async () => {
    for (const WORKERS of ['1', '2']) {
      const refused = await starting({ TRUST_PROXI: '1', WORKERS });
      assert.deepEqual(await refused.ended, { code: 2, signal: null });
      assert.equal(refused.err(), 'error: TRUST_PROXI is not a setting: did you mean TRUST_PROXY?\n');
    }
    // `BASEURL` causes only a warning. As `BASE_URL` is set, too, `BASEURL` may belong to another program.
    const BASE_URL = 'https://go.example.com';
    const server = await starting({ BASEURL: BASE_URL, BASE_URL, WORKERS: '2' });
    const lines = () => linesOf({ output: server.out });
    await until('it is ready', () => lines().some(({ msg }) => msg === 'ready'));
    server.child.kill('SIGTERM');
    await server.ended;
    const said = lines().filter(({ msg }) => msg.includes('BASEURL'));
    assert.deepEqual(
      said.map(({ level, msg }) => [level, msg]),
      [[40, 'BASEURL is not a setting: did you mean BASE_URL?']],
    );
  });

  test('linkfold config reports it next to its output', { timeout }, async () => {
    const env = { PATH: process.env['PATH'] ?? '', DATADIR: '/x' };
    const config = launch(linkfold, ['config', '--json'], env);
    assert.deepEqual(await config.ended, { code: 0, signal: null });
    assert.equal(config.err(), 'warning: DATADIR is not a setting: did you mean DATA_DIR?\n');
    assert.ok(Array.isArray(JSON.parse(config.out())));
  });
});
