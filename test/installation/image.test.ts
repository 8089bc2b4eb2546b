import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/files/temporary.ts';
import { ask } from '../support/http/ask.ts';
import { freePort } from '../support/http/ports.ts';
import { until } from '../support/until.ts';

// Tests the image that `npm run build:image` builds. It is built and run without a daemon.

const root = join(import.meta.dirname, '..', '..');
const missing = ['buildah', 'apt-get', 'dpkg-deb'].find(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);
const skip =
  missing !== undefined
    ? `${missing} is not installed`
    : process.getuid?.() !== 0 || process.arch !== 'x64'
      ? 'only root on x64 runs it without a daemon'
      : false;

test('runs as its own user, and stops with 0', { skip, timeout: 900_000 }, async () => {
  const out = temporaryFolder('image');
  execFileSync(process.execPath, [join(root, 'scripts', 'packages', 'image.ts'), '--out', out], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [name = ''] = globSync('*.tar.gz', { cwd: out });
  assert.ok(statSync(join(out, name)).size < 50e6);
  execFileSync('gunzip', [join(out, name)]);
  const store = ['--root', join(out, 'root'), '--runroot', join(out, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: readonly string[]) =>
    execFileSync('buildah', [...store, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const container = buildah('from', '--pull-never', `docker-archive:${join(out, name.replace(/\.gz$/, ''))}`);
  const { Docker } = JSON.parse(buildah('inspect', container));
  const { User, Volumes, Healthcheck, Entrypoint, StopSignal } = Docker.config;
  assert.deepEqual(
    [User, Volumes, Entrypoint, StopSignal],
    ['65532:65532', { '/data': {} }, ['/usr/bin/linkfold'], 'SIGTERM'],
  );
  assert.deepEqual(Healthcheck.Test, ['CMD', '/usr/bin/linkfold', 'ready', '--live']);

  const port = await freePort();
  const run = ['run', '--isolation', 'chroot', '--env', `PORT=${port}`, container, '--', '/usr/bin/linkfold'];
  const child: ChildProcess = spawn('buildah', [...store, ...run, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    await until('it is ready', () => /"msg":"ready"/.test(said));
    assert.equal(buildah(...run, 'ready'), 'ready');
    const to = { host: '127.0.0.1', port };
    assert.equal((await ask(to, { method: 'GET', path: '/dashboard' })).status, 200);
    const pid = Number(/"pid":(\d+)/.exec(said)?.[1]);
    const status = execFileSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' });
    assert.match(status, /^Uid:\t65532\t/m);
    process.kill(pid, 'SIGTERM');
    await ended;
    assert.equal(child.exitCode, 0, said);
  } finally {
    child.kill('SIGKILL');
  }
  const upgrade = spawnSync('buildah', [...store, ...run, 'upgrade'], { encoding: 'utf8' });
  assert.match(upgrade.stderr, /install the new release/);
});
