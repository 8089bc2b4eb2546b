import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../support/files/temporary.ts';
import { whyPrivileged, withoutPrivileges } from '../support/server/privileges.ts';
import { until } from '../support/until.ts';

// Tests what `npm start`, `npm test` and the launcher install. Each test uses the real npm in a project with three tiny
// packages: one for serving, one for tests, and one in place of the pinned Node. No registry is used.

const root = join(import.meta.dirname, '..', '..');
const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());

interface Project {
  readonly folder: string;
  has(name: string): boolean;
  /** Returns how often npm was run. */
  npmRuns(): number;
}

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

let template: string;
const manifests = ['package.json', 'package-lock.json'];

/** Packs a package that contains one file, as npm does. */
function pack(folder: string, name: string, version: string, more: object = {}): void {
  const inside = join(folder, 'package');
  mkdirSync(inside);
  writeFileSync(join(inside, 'package.json'), JSON.stringify({ name, version, ...more }));
  writeFileSync(join(inside, 'node.sh'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  execFileSync('tar', ['-czf', `${name}-${version}.tgz`, 'package'], { cwd: folder });
  rmSync(inside, { recursive: true });
}

function writeManifest(folder: string, served = '1.0.0', pinned = '1.0.0'): void {
  const manifest = {
    name: 'project',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { served: `file:served-${served}.tgz` },
    devDependencies: { tool: 'file:tool-1.0.0.tgz' },
    optionalDependencies: { 'node-pinned': `file:node-pinned-${pinned}.tgz` },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  runNpm(folder, 'install', '--package-lock-only');
}

function runNpm(folder: string, ...args: string[]): void {
  execFileSync(process.execPath, [npm, ...args, '--offline', '--no-audit', '--loglevel=error'], {
    cwd: folder,
    stdio: 'ignore',
  });
}

before(() => {
  template = temporaryFolder('install-template');
  for (const version of ['1.0.0', '2.0.0']) {
    pack(template, 'served', version);
    pack(template, 'node-pinned', version, { bin: { node: 'node.sh' } });
  }
  pack(template, 'tool', '1.0.0');
  for (const path of ['scripts/ensure-deps.mjs', 'bin/linkfold'])
    cpSync(join(root, path), join(template, path));
  mkdirSync(join(template, 'src'));
  writeFileSync(join(template, 'src', 'main.ts'), `console.log('runs', process.argv[2]);\n`);
  mkdirSync(join(template, 'docs'));
  writeFileSync(join(template, 'docs', 'errors.md'), '');
  writeFileSync(
    join(template, 'scripts', 'generated-files.ts'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
    const folder = new URL('../src/api/reference/files/', import.meta.url);
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL('errors.html', folder), '');\n`,
  );
  // A replacement for npm that counts its runs and delays them on request.
  writeFileSync(
    join(template, 'npm.mjs'),
    `import { appendFileSync } from 'node:fs';
    appendFileSync(new URL('runs', import.meta.url), 'x');
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.NPM_DELAY ?? 0)));
    process.argv[1] = ${JSON.stringify(npm)};
    await import(${JSON.stringify(npm)});\n`,
  );
  for (const versions of [['2.0.0', '1.0.0'], ['2.0.0', '2.0.0'], []]) {
    writeManifest(template, ...versions);
    for (const file of manifests) cpSync(join(template, file), join(template, `${file} ${versions}`));
  }
});

/** Gives a project a later version's lock file, as `git pull` would. */
function pull(project: Project, served: string, pinned: string): void {
  for (const file of manifests)
    cpSync(join(template, `${file} ${served},${pinned}`), join(project.folder, file));
}

function makeProject(): Project {
  const folder = temporaryFolder('install');
  chmodSync(folder, 0o755);
  cpSync(template, folder, { recursive: true });
  const runs = join(folder, 'runs');
  return {
    folder,
    has: (name) => existsSync(join(folder, 'node_modules', name, 'package.json')),
    npmRuns: () => (existsSync(runs) ? readFileSync(runs, 'utf8').length : 0),
  };
}

function ensure(
  { folder }: Project,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  as: object = {},
): ChildProcess {
  return spawn(process.execPath, [join(folder, 'scripts', 'ensure-deps.mjs'), ...args], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      npm_execpath: join(folder, 'npm.mjs'),
      npm_config_offline: 'true',
      ...env,
    },
    ...as,
  });
}

async function end(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

test('installs server packages on start and others for tests; a later start removes nothing', async () => {
  const project = makeProject();
  const first = await end(ensure(project));
  assert.deepEqual([first.code, first.stdout], [0, ''], first.stderr);
  assert.match(
    first.stderr,
    /^Installing the dependencies of Linkfold .*\n(?: .*\n)*Installed 2 packages in \d+ s\.\n$/,
  );
  assert.deepEqual(
    [project.has('served'), project.has('node-pinned'), project.has('tool')],
    [true, true, false],
  );

  // A server may be running from this installation, so existing files must not change.
  const served = join(project.folder, 'node_modules', 'served', 'package.json');
  const { ino } = statSync(served);
  const lock = readFileSync(join(project.folder, 'package-lock.json'), 'utf8');
  const second = await end(ensure(project, ['--dev'], { NODE_ENV: 'production' }));
  assert.equal(second.code, 0, second.stderr);
  assert.ok(project.has('tool'));
  assert.equal(statSync(served).ino, ino);
  assert.equal(readFileSync(join(project.folder, 'package-lock.json'), 'utf8'), lock);

  for (const args of [[], ['--dev']]) {
    assert.deepEqual(await end(ensure(project, args)), { code: 0, stdout: '', stderr: '' });
  }
  assert.ok(project.has('tool'));
  assert.equal(project.npmRuns(), 2);
});

test('reinstalls packages with another version in the lock file, and deleted ones', async () => {
  const project = makeProject();
  await end(ensure(project, ['--dev']));
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(join(project.folder, 'node_modules', name, 'package.json'), 'utf8')).version;

  pull(project, '2.0.0', '1.0.0');
  await end(ensure(project));
  assert.equal(versionOf('served'), '2.0.0');
  assert.ok(project.has('tool'), 'installed test packages are kept');

  pull(project, '2.0.0', '2.0.0');
  await end(ensure(project));
  assert.equal(versionOf('node-pinned'), '2.0.0');

  rmSync(join(project.folder, 'node_modules', 'served'), { recursive: true });
  await end(ensure(project));
  assert.ok(project.has('served'));
  assert.equal(project.npmRuns(), 4);
});

test('accepts packages installed by hand', async () => {
  const project = makeProject();
  runNpm(project.folder, 'ci', '--omit=dev');
  assert.deepEqual(await end(ensure(project)), { code: 0, stdout: '', stderr: '' });
  runNpm(project.folder, 'ci');
  assert.deepEqual(await end(ensure(project, ['--dev'])), { code: 0, stdout: '', stderr: '' });
  assert.equal(project.npmRuns(), 0);
});

test('installs once for several concurrent starts, while the others wait', async () => {
  const project = makeProject();
  const env = { NPM_DELAY: '300' };
  const ended = await Promise.all([[], [], []].map((args) => end(ensure(project, args, env))));
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 0, 0],
  );
  assert.equal(project.npmRuns(), 1);
  assert.equal(ended.filter(({ stderr }) => stderr.startsWith('Waiting for another')).length, 2);
});

test('repairs an installation killed at any time', async () => {
  const project = makeProject();
  for (const [at, killedAfterMs] of [0, 300, 600, 1_000].entries()) {
    // Alternates between installations with and without test packages, so that every run has something to install.
    const args = at % 2 === 0 ? ['--dev'] : [];
    rmSync(join(project.folder, 'node_modules', 'served'), { recursive: true, force: true });
    const child = ensure(project, args, {}, { detached: true });
    const ended = end(child);
    await pause(killedAfterMs);
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {} // The process had already ended.
    await ended;
    const { code, stderr } = await end(ensure(project, ['--dev']));
    assert.equal(code, 0, stderr);
    for (const name of ['served', 'tool', 'node-pinned']) assert.ok(project.has(name), name);
  }
});

test('waits for an npm whose parent was killed', async () => {
  const project = makeProject();
  const child = ensure(project, [], { NPM_DELAY: '1500' });
  const ended = end(child);
  await until('npm works', () => project.npmRuns() === 1);
  child.kill('SIGKILL');
  const next = await end(ensure(project));
  await ended;
  assert.match(next.stderr, /^Waiting for another installation to finish/);
  assert.equal(next.code, 0);
  assert.equal(project.npmRuns(), 1);
});

test('SIGTERM stops npm too and leaves no lock', async () => {
  const project = makeProject();
  const child = ensure(project, [], { NPM_DELAY: '20000' });
  const ended = end(child);
  await until('npm works', () => project.npmRuns() === 1);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 1);
  assert.equal(existsSync(join(project.folder, '.installing')), false);
});

test('explains a failed installation', async () => {
  const project = makeProject();
  rmSync(join(project.folder, 'served-1.0.0.tgz'));
  const failed = await end(ensure(project));
  assert.notEqual(failed.code, 0);
  assert.match(
    failed.stderr,
    /\nCould not install the dependencies\. Check that the npm registry is reachable, then run: npm ci\n$/,
  );

  const without = await end(ensure(project, [], { npm_execpath: '', PATH: '/nonexistent' }));
  assert.equal(without.code, 1);
  assert.match(without.stderr, /Could not run npm \(ENOENT\)\. Install npm, and put it on the PATH\./);
});

test('names a machine without a pinned Node', async () => {
  const project = makeProject();
  const path = join(project.folder, 'package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  lock.packages['node_modules/node-pinned'].cpu = ['none'];
  writeFileSync(path, JSON.stringify(lock));
  const { code, stderr } = await end(ensure(project));
  assert.equal(code, 1);
  assert.match(
    stderr,
    /\nnpm has no package of the pinned Node for this machine \(\w+, \w+\)\. Install Node 1\.0\.0, and link node_modules\/\.bin\/node to it\.\n$/,
  );
});

test('installs with npm under another package manager', async () => {
  const project = makeProject();
  const path = join(project.folder, 'path');
  mkdirSync(path);
  const launcher = `#!/bin/sh\nexec '${process.execPath}' '${project.folder}/npm.mjs' "$@"\n`;
  writeFileSync(join(path, 'npm'), launcher, { mode: 0o755 });
  const env = { npm_execpath: '/opt/pnpm/bin/pnpm.cjs', PATH: `${path}:${process.env['PATH']}` };
  const { code, stderr } = await end(ensure(project, [], env));
  assert.deepEqual([code, project.npmRuns()], [0, 1], stderr);
});

const privileged = whyPrivileged() ?? false;
if (privileged !== false)
  process.stderr.write(`SKIPPED: another user's checkout is not tested: ${privileged}.\n`);

test("reports another user's checkout in one sentence, and runs once it is complete", {
  skip: privileged,
}, async () => {
  const project = makeProject();
  chmodSync(project.folder, 0o555);
  const [program = '', ...args] = [...withoutPrivileges, join(project.folder, 'bin', 'linkfold'), 'it'];
  const launch = (): ChildProcess =>
    spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', HOME: '/', NODE_COMPILE_CACHE: '/nonexistent' },
    });
  const refused = await end(launch());
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^Could not install Linkfold's dependencies, which are missing or outdated: this user cannot write to \S+ \(EACCES\)\. As its owner, run in that folder: npm ci --omit=dev\n$/,
  );

  chmodSync(project.folder, 0o755);
  assert.equal((await end(ensure(project))).code, 0);
  chmodSync(project.folder, 0o555);
  assert.deepEqual(await end(launch()), { code: 0, stdout: 'runs it\n', stderr: '' });
  chmodSync(project.folder, 0o755);
});

test('completes a killed installation in the launcher', async () => {
  const project = makeProject();
  await end(ensure(project));
  rmSync(join(project.folder, 'node_modules', '.package-lock.json'));
  rmSync(join(project.folder, 'node_modules', 'served'), { recursive: true });
  const child = spawn(join(project.folder, 'bin', 'linkfold'), ['it'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: project.folder, npm_config_offline: 'true' },
  });
  const { code, stdout } = await end(child);
  assert.deepEqual([code, stdout], [0, 'runs it\n']);
  assert.ok(project.has('served'));
});
