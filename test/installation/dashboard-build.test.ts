import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build as esbuild } from 'esbuild';
import { buildOptions } from '../../scripts/build-dashboard.ts';
import { createBuildReader } from '../../src/server/dashboard/build.ts';
import { temporaryFolder } from '../support/files/temporary.ts';

const root = join(import.meta.dirname, '..', '..');

function makeProject(): string {
  const folder = temporaryFolder('dashboard-build');
  for (const part of ['dashboard', 'scripts', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function build(project: string, ...args: string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [join(project, 'scripts', 'build-dashboard.ts'), ...args], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}

test('builds the dashboard when its sources changed, by one of several starts or by all, and never partially', async () => {
  const project = makeProject();
  const path = join(project, '.dashboard.json');
  const read = createBuildReader(pathToFileURL(path));
  assert.equal(await read(), undefined);
  assert.deepEqual(await Promise.all([build(project), build(project), build(project)]), [
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  const first = await read();
  const names = [...(first?.keys() ?? [])];
  assert.ok(
    names.includes('index.html') && names.some((name) => /^assets\/main-\w+\.js$/.test(name)),
    `${names}`,
  );
  assert.equal(statSync(path).mode & 0o777, 0o644, "another user's server can read it");

  const before = statSync(path).ino;
  await build(project);
  assert.equal(statSync(path).ino, before, 'nothing changed, nothing was built');

  appendFileSync(join(project, 'dashboard', 'main.css'), '\nbody { margin: 1px; }\n');
  await build(project);
  const second = await read();
  assert.notDeepEqual([...(second?.keys() ?? [])], names, 'the new style has another name');

  writeFileSync(join(project, 'dashboard', 'main.tsx'), 'this is no program {');
  const broken = await build(project, '--optional');
  assert.equal(broken.code, 0, 'the start continues');
  assert.match(
    broken.stderr,
    /^Could not build the dashboard: .+ Short links and the API work without the dashboard\. To build it: npm run build:dashboard\n/m,
  );
  assert.equal((await build(project)).code, 1);
  assert.equal(await read(), second, 'the earlier build is still served');
  assert.ok(readFileSync(path, 'utf8').length > 0);
});

test('NOTICE has the copyright and license of every package in the dashboard', async () => {
  const { metafile } = await esbuild(buildOptions());
  const inside = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const packages = [...new Set(inside)];
  assert.ok(packages.length > 3, `${packages}`);
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8').replace(/\s+/g, ' ');
  for (const name of packages) {
    const licence = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
    const copyrights = licence.match(/^Copyright .*$/gm) ?? [];
    const terms = licence.slice(licence.indexOf('Permission')).replace(/\s+/g, ' ').trim();
    for (const text of [name === 'preact' ? 'Preact' : name, ...copyrights, terms])
      assert.ok(notice.includes(text), `${name}: ${text}`);
  }
});
