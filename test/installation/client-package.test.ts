import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { clientPrograms, writeClientPrograms } from '../support/client-programs.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import { onMachine } from '../support/server/npm.ts';
import { startServer } from '../support/server/server.ts';

// Packs linkfold-client, the client without the server, installs it alone, and uses it.

const root = join(import.meta.dirname, '..', '..');
const project = temporaryFolder('client-package');
const installed = join(project, 'node_modules', 'linkfold-client');
let version: string;

before(async () => {
  execFileSync(process.execPath, [join(root, 'scripts', 'pack-client.ts'), '--pack-destination', project]);
  version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  // The cache is empty and no registry is used, so npm can install only this package file.
  const args = ['install', '--offline', '--no-audit', '--no-fund', `./linkfold-client-${version}.tgz`];
  const ended = await onMachine(project, 'npm', args, { npm_config_cache: temporaryFolder('cache') });
  assert.equal(ended.code, 0, ended.stderr);
});

test('installs the client without other packages, about 7.5 kB compressed', async (t) => {
  const { stdout } = await onMachine(project, 'npm', ['ls', '--all', '--json']);
  const { dependencies } = JSON.parse(stdout);
  assert.deepEqual(Object.keys(dependencies), ['linkfold-client']);
  assert.equal(dependencies['linkfold-client'].version, version);
  assert.equal(dependencies['linkfold-client'].dependencies, undefined);

  const text = readFileSync(join(installed, 'client.js'), 'utf8');
  assert.doesNotMatch(text, /^import\b|\brequire\(/m);
  // The package is not minified. An application for browsers would minify it.
  assert.match(text, /\bApiError = class extends LinkfoldError/);
  const size = gzipSync(transformSync(text, { minify: true }).code, { level: 9 }).length;
  t.diagnostic(`the client: ${size} bytes compressed`);
  assert.ok(size <= 7_500, `${size} bytes`);
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  assert.match(readme, /from 'linkfold-client'/);
  assert.doesNotMatch(readme, /\]\((?!#)/, 'a link points outside the package');
  assert.match(readFileSync(join(installed, 'LICENSE'), 'utf8'), /^MIT License/);
});

test('types the client, which creates, lists and reports errors on this Node and on Node 20', async (t) => {
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

test('works in CommonJS programs, with types for every module resolution', async (t) => {
  const folder = join(project, 'common');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  writeFileSync(
    join(folder, 'program.ts'),
    `import { type Client, createClient, LinkfoldError } from 'linkfold-client';
declare const console: { log(...texts: unknown[]): void };
const client: Client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', retries: 0 });
const link: Promise<{ rules: unknown }> = client.links.get('a', { include: ['rules'] });
// @ts-expect-error a link has no such field
link.then(({ colour }) => colour);
link.catch((error) => console.log(error instanceof LinkfoldError, error.code, error.stack));
`,
  );
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  // TypeScript 5, which `npm run test:generators` installs. It is the last version with the `node10` resolution.
  const older = join(root, 'node_modules/.cache/generators/node_modules/typescript/bin/tsc');
  const base = { target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true, skipLibCheck: false };
  for (const resolution of [
    { module: 'commonjs', moduleResolution: 'node10' },
    { module: 'node16', moduleResolution: 'node16' },
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'preserve', moduleResolution: 'bundler', noEmit: true },
  ]) {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...base, ...resolution }, files: ['program.ts'] }),
    );
    const isOld = resolution.moduleResolution === 'node10';
    if (isOld && !existsSync(older)) {
      t.diagnostic('NOT TESTED: node10 resolution, without TypeScript 5');
      continue;
    }
    const { stdout } = await onMachine(folder, process.execPath, [isOld ? older : compiler, '-p', folder]);
    assert.equal(stdout, '', JSON.stringify(resolution));
    if ('noEmit' in resolution) continue;
    assert.match(readFileSync(join(folder, 'program.js'), 'utf8'), /require\(/);
    const ran = await onMachine(folder, process.execPath, ['program.js']);
    assert.match(ran.stdout, /^true UNREACHABLE .*\n +at attempt /, ran.stderr);
  }
});
