import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/files/temporary.ts';

// Runs `npm run release` in a separate repository. Nothing may be pushed to its remote.

const root = join(import.meta.dirname, '..', '..');
const parts = [
  ...['.gitignore', 'bin', 'deploy', 'docs/errors.md', 'scripts', 'src'],
  ...['package.json', 'package-lock.json', 'openapi.json'],
];
const notes = '### Added\n\n- Links in two colours.\n- Nothing is lost.';

function makeRepository() {
  const folder = temporaryFolder('release');
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    `# Changelog\n\nWords.\n\n## Unreleased\n\n${notes}\n\n## 0.0.9\n\n- The first.\n`,
  );
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, version: '0.1.9' }, null, 2)}\n`,
  );
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const remote = temporaryFolder('remote');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  git('init', '--quiet');
  appendFileSync(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.com'],
    ['commit.gpgsign', 'false'],
    ['tag.gpgsign', 'false'],
  ] as const)
    git('config', name, value);
  git('remote', 'add', 'origin', remote);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  return {
    folder,
    git,
    remote,
    read: (file: string): string => readFileSync(join(folder, file), 'utf8'),
    release: (...args: string[]) =>
      spawnSync(process.execPath, [join(folder, 'scripts', 'release.ts'), ...args], {
        cwd: '/',
        encoding: 'utf8',
      }),
    state: () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')],
  };
}

test('a release sets the version everywhere, dates the changelog, commits and tags, and prints its notes', () => {
  const { folder, git, read, release, remote, state } = makeRepository();
  const before = state();
  const dry = release('0.2.0', '--dry-run');
  assert.deepEqual([dry.status, dry.stdout], [0, `${notes}\n`], dry.stderr);
  assert.match(dry.stderr, /Nothing was changed\.\n$/);
  assert.deepEqual(state(), before);

  const done = release('0.2.0');
  assert.deepEqual([done.status, done.stdout], [0, `${notes}\n`], done.stderr);
  const today = new Date().toISOString().slice(0, 10);
  assert.equal(
    read('CHANGELOG.md'),
    `# Changelog\n\nWords.\n\n## Unreleased\n\n## 0.2.0 (${today})\n\n${notes}\n\n## 0.0.9\n\n- The first.\n`,
  );
  assert.equal(JSON.parse(read('package.json')).version, '0.2.0');
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], ['0.2.0', '0.2.0']);
  assert.match(read('src/client/endpoints.ts'), /^export const version: string = "0\.2\.0";$/m);
  const chart = read('deploy/helm/linkfold/Chart.yaml');
  assert.deepEqual(chart.match(/^.*ersion: 0\.2\.0$/gm), ['version: 0.2.0', 'appVersion: 0.2.0']);
  const printed = execFileSync(join(folder, 'bin', 'linkfold'), ['openapi'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  assert.equal(read('openapi.json'), printed);
  assert.equal(git('log', '-1', '--format=%s'), 'Release 0.2.0');
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(git('describe'), 'v0.2.0');
  assert.equal(git('tag', '--list', '--format=%(contents)', 'v0.2.0'), `Linkfold 0.2.0\n\n${notes}`);
  assert.equal(execFileSync('git', ['-C', remote, 'for-each-ref'], { encoding: 'utf8' }), '');

  const again = release('0.3.0');
  assert.deepEqual(
    [again.status, again.stderr],
    [1, 'CHANGELOG.md has no entries under "## Unreleased". Add the changes of this release.\n'],
  );
  const file = join(temporaryFolder('notes'), 'notes.md');
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- More.\n'),
  );
  git('commit', '--quiet', '--all', '--message', 'More');
  assert.equal(release('0.3.0', '--notes', file).stdout, '');
  assert.equal(readFileSync(file, 'utf8'), '- More.\n');
});

test('explains an impossible release and changes nothing', () => {
  const { folder, git, release, state } = makeRepository();
  const refuse = (says: RegExp, ...args: string[]): void => {
    const before = state();
    const { status, stdout, stderr } = release(...args);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, says);
    assert.deepEqual(state(), before);
  };
  refuse(/^"" is not a version such as 0\.2\.0\.\n\nUsage: npm run release/);
  refuse(/^"v0\.2\.0" is not a version/, 'v0.2.0');
  refuse(/^0\.1\.9 is not greater than the current version, 0\.1\.9\.\n$/, '0.1.9');
  refuse(/^0\.0\.10 is not greater than/, '0.0.10');
  git('tag', 'v0.2.0');
  refuse(/^The tag v0\.2\.0 already exists\.\n$/, '0.2.0');
  writeFileSync(join(folder, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\necho no >&2\nexit 1\n', {
    mode: 0o755,
  });
  refuse(/\nno\n$/, '0.1.10');
  writeFileSync(join(folder, 'left.txt'), '');
  refuse(/^The working tree is not clean\. Commit or remove these files first:\n\?\? left\.txt\n$/, '0.1.10');
});
