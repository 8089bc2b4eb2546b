import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { clientPrograms, writeClientPrograms } from '../support/client-programs.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import { onMachine } from '../support/server/npm.ts';
import { startServer } from '../support/server/server.ts';

// linkfold-client, the client without the server: packed, installed where nothing else is, and used.

const root = join(import.meta.dirname, '..', '..');
const project = temporaryFolder('client-package');
const installed = join(project, 'node_modules', 'linkfold-client');
let version: string;

before(async () => {
  execFileSync(process.execPath, [join(root, 'scripts', 'pack-client.ts'), '--pack-destination', project]);
  version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  // With a cache that is empty, and without a registry: there is nothing but the file.
  const args = ['install', '--offline', '--no-audit', '--no-fund', `./linkfold-client-${version}.tgz`];
  const ended = await onMachine(project, 'npm', args, { npm_config_cache: temporaryFolder('cache') });
  assert.equal(ended.code, 0, ended.stderr);
});

test('the client alone brings no other package and weighs about 7 kB compressed', async (t) => {
  const { stdout } = await onMachine(project, 'npm', ['ls', '--all', '--json']);
  const { dependencies } = JSON.parse(stdout);
  assert.deepEqual(Object.keys(dependencies), ['linkfold-client']);
  assert.equal(dependencies['linkfold-client'].version, version);
  assert.equal(dependencies['linkfold-client'].dependencies, undefined);

  const text = readFileSync(join(installed, 'client.js'), 'utf8');
  assert.doesNotMatch(text, /\bimport\b|\brequire\(/);
  const size = gzipSync(text, { level: 9 }).length;
  t.diagnostic(`the client: ${size} bytes compressed`);
  assert.ok(size <= 7_250, `${size} bytes`);
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  assert.match(readme, /from 'linkfold-client'/);
  assert.doesNotMatch(readme, /\]\((?!#)/, 'a link leads out of the package');
  assert.match(readFileSync(join(installed, 'LICENSE'), 'utf8'), /^MIT License/);
});

test('the client alone is typed, and creates, lists and reports errors on this Node and on Node 20', async (t) => {
  writeClientPrograms(project, 'linkfold-client');
  const { stdout: onPath } = await onMachine(project, 'node', ['--version']);
  const isOld = onPath.startsWith('v20.');
  for (const node of [process.execPath, ...(isOld ? ['node'] : [])]) {
    const server = await startServer();
    t.after(() => server.stop());
    const { key } = await server.newKey();
    for (const program of clientPrograms) {
      const ended = await onMachine(project, node, [program, server.url, key]);
      assert.deepEqual(ended, { code: 0, stdout: 'ok\n', stderr: '' }, `${program} on ${node}`);
    }
  }
  if (!isOld) t.skip(`NOT TESTED on Node 20: the PATH has ${onPath.trim()}`);
});
