import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, globSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { freePort } from '../support/http/ports.ts';
import { call, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { useEverySetting } from './every-setting.ts';

// Tests the standalone executable that `npm run build:executable` builds. `npm run test:executable` runs the contract
// tests with it.

const root = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder('executable');
const executable = join(folder, 'linkfold-linux-x64');
const skip = process.platform === 'linux' && process.arch === 'x64' ? false : 'for Linux on x64 only';
const megabyte = 1e6;

function make(out: string): void {
  execFileSync(process.execPath, [join(root, 'scripts', 'executable', 'build.ts'), '--out', out]);
}
function run(cache: string, ...args: string[]) {
  return spawnSync(executable, args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { LINKFOLD_CACHE: cache, PATH: '/nowhere' },
  });
}

if (skip === false) before(() => make(folder));

test('builds the same bytes twice, 125 MB at most if stripped', { skip }, () => {
  const again = temporaryFolder('executable-again');
  make(again);
  assert.ok(readFileSync(executable).equals(readFileSync(join(again, 'linkfold-linux-x64'))));
  const isStripped = ['llvm-strip', 'strip'].some((tool) => spawnSync(tool, ['--version']).status === 0);
  assert.ok(statSync(executable).size < (isStripped ? 125 : 160) * megabyte);
});

for (const workers of [1, 2])
  test(`serves with ${workers} processes, using only itself`, { skip }, async () => {
    const cache = join(temporaryFolder('cache'), 'linkfold');
    const env = { LINKFOLD_CACHE: cache, NODE_COMPILE_CACHE: '', PATH: '/nowhere', WORKERS: String(workers) };
    const server = await startServer(env, temporaryFolder('data'), [], { tested: executable });
    const { key } = await server.newKey();
    const made = await call(server, 'POST', '/api/v1/shorten', {
      key,
      body: { url: 'https://example.com/' },
    });
    assert.equal(made.status, 201, made.text);
    const visit = await call(server, 'GET', `/${made.json.data.shortCode}`, {
      headers: { 'user-agent': 'Firefox' },
    });
    assert.deepEqual([visit.status, visit.headers.get('location')], [302, 'https://example.com/']);
    for (const path of [
      '/dashboard',
      '/api/v1/docs',
      '/api/v1/docs/viewer.js',
      '/api/v1/openapi.json',
      '/api/v1/errors',
    ])
      assert.equal((await call(server, 'GET', path)).status, 200, path);
    await server.command('db', 'check');
    assert.equal(await server.stop(), 0, server.output());
    assert.equal(globSync('*/dist/main.js', { cwd: cache }).length, 1);
  });

test('accepts every setting', { skip }, () =>
  useEverySetting([executable], { LINKFOLD_CACHE: join(temporaryFolder('cache'), 'linkfold') }),
);

test('includes packages loaded on demand, with their names', { skip }, async () => {
  const env = {
    LINKFOLD_CACHE: temporaryFolder('cache'),
    DATA_DIR: temporaryFolder('data'),
    PORT: '0',
    PATH: process.env['PATH'],
  };
  chmodSync(env.LINKFOLD_CACHE, 0o700);
  const terminal = spawnSync('script', ['-qec', `timeout 5 '${executable}' serve`, '/dev/null'], {
    encoding: 'utf8',
    env,
  });
  assert.match(terminal.stdout, /Listens on/);
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', LINKFOLD_CACHE: env.LINKFOLD_CACHE };
  const server = await startServer(traced, temporaryFolder('data'), [], { tested: executable });
  assert.equal(await server.stop(), 0);
});

test('recreates its folder when files are missing, even by several starts at once', { skip }, async () => {
  const cache = temporaryFolder('cache');
  chmodSync(cache, 0o700);
  const script = `for n in 1 2 3 4; do '${executable}' --version & done; wait`;
  const several = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, LINKFOLD_CACHE: cache },
  });
  assert.deepEqual([several.stderr, several.stdout.trim().split('\n').length], ['', 4]);
  const [main = ''] = globSync('*/dist/main.js', { cwd: cache });
  truncateSync(join(cache, main));
  const mended = run(cache, '--version');
  assert.deepEqual([mended.status, mended.stderr], [0, '']);
  assert.ok(statSync(join(cache, main)).size > 0);
  assert.deepEqual(globSync('.part-*', { cwd: cache }), []);
});

test('runs nothing from a folder that others can write to, and reports where it cannot write', {
  skip,
}, () => {
  const cache = temporaryFolder('cache');
  assert.equal(run(cache, '--version').status, 0);
  const [folder = ''] = globSync('*/dist', { cwd: cache });
  for (const [path, mode] of [
    [join(cache, folder, '..'), 0o777],
    [cache, 0o770],
  ] as const) {
    chmodSync(path, mode);
    const refused = run(cache, '--version');
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^error: .*nobody else may write to/);
    chmodSync(path, 0o700);
  }
  assert.match(run('/proc/linkfold', '--version').stderr, /^error: .*LINKFOLD_CACHE/);
});

test('upgrades itself, and its old file still runs', { skip }, async () => {
  const cache = temporaryFolder('cache');
  const own = join(temporaryFolder('upgrade'), 'linkfold');
  copyFileSync(executable, own);
  const sourceless = spawnSync(own, ['upgrade'], { encoding: 'utf8', env: { LINKFOLD_CACHE: cache } });
  assert.deepEqual([sourceless.status, sourceless.stdout], [2, '']);

  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const file = zstdCompressSync('#!/bin/sh\necho 999.0.0\n');
  const list = Buffer.from(`${hash('sha256', file)}  linkfold-999.0.0-linux-x64.zst\n`);
  const files: Readonly<Record<string, Buffer>> = {
    '/SHA256SUMS': list,
    '/SHA256SUMS.sig': sign(null, list, privateKey),
    '/linkfold-999.0.0-linux-x64.zst': file,
  };
  const tls = join(root, 'test', 'tls');
  const [cert, key] = ['server.crt', 'server.key'].map((name) => readFileSync(join(tls, name)));
  const server = createServer({ cert, key }, ({ url = '' }, response) => response.end(files[url]));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const env = {
      LINKFOLD_CACHE: cache,
      NODE_EXTRA_CA_CERTS: join(tls, 'ca.crt'),
      UPGRADE_URL: `https://localhost:${(server.address() as AddressInfo).port}`,
      UPGRADE_KEY: Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64'),
    };
    const { stdout } = await promisify(execFile)(own, ['upgrade', '--json'], { env });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.deepEqual(JSON.parse(stdout), { version, newest: '999.0.0', installed: true });
    assert.equal(execFileSync(own, { encoding: 'utf8' }), '999.0.0\n');
    assert.equal(execFileSync(`${own}.old`, ['--version'], { encoding: 'utf8', env }).trim(), version);
  } finally {
    server.close();
  }
});

test('runs the first steps of docs/install.md', { skip }, async () => {
  const text = readFileSync(join(root, 'docs', 'install.md'), 'utf8');
  const port = await freePort();
  const [serving = '', using = ''] = [
    ...text.slice(text.indexOf('### Run the executable')).matchAll(/^```sh\n([\s\S]*?)^```$/gm),
  ].map(([, block = '']) => block.replaceAll('./linkfold', executable).replaceAll(':3000', `:${port}`));
  const cwd = temporaryFolder('first-steps');
  const env = { PATH: process.env['PATH'], HOME: cwd, PORT: `${port}`, LOG_LEVEL: 'info' };
  const server = spawn('sh', ['-ec', serving.replace('DATA_DIR=', 'exec env DATA_DIR=')], { cwd, env });
  let said = '';
  server.stdout.on('data', (chunk) => (said += chunk));
  const ended = once(server, 'close');
  try {
    await until('it is ready', () => /"msg":"ready"/.test(said));
    const key = readFileSync(join(cwd, 'data', 'first-key.txt'), 'utf8').trim();
    const commands = using.replace('lfk_...', key);
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { cwd, env });
    assert.equal(stdout, `http://127.0.0.1:${port}/path\n`);
  } finally {
    server.kill();
  }
  assert.deepEqual(await ended, [0, null]);
  assert.equal(globSync('.cache/linkfold/*/dist/main.js', { cwd }).length, 1);
});
