import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/files/temporary.ts';

// The package of `npm run build:debian`. Installing it changes the machine, so it is looked into and unpacked.

const root = join(import.meta.dirname, '..', '..');
const isMissing = spawnSync('dpkg-deb', ['--version']).error !== undefined;
const skip = isMissing ? 'dpkg-deb is not installed' : process.arch !== 'x64' ? 'for x64' : false;

test('the package has program, unit and settings, and its scripts never touch the data', { skip }, () => {
  const out = temporaryFolder('debian');
  const script = join(root, 'scripts', 'packages', 'debian.ts');
  execFileSync(process.execPath, [script, '--out', out, '--compression', 'none'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [name = ''] = globSync('*.deb', { cwd: out });
  const contents = execFileSync('dpkg', ['--contents', join(out, name)], { encoding: 'utf8' });
  for (const line of contents.trim().split('\n'))
    assert.match(line, /^[-d]rw[-x]r-[-x](?:r-[-x]|---) root\/root /);
  const unpacked = join(out, 'unpacked');
  execFileSync('dpkg-deb', ['--raw-extract', join(out, name), unpacked]);
  const read = (path: string): string => readFileSync(join(unpacked, path), 'utf8');
  assert.equal(read('DEBIAN/conffiles'), '/etc/linkfold/linkfold.env\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    assert.equal(spawnSync('sh', ['-n'], { input: read(`DEBIAN/${script}`) }).status, 0, script);
    assert.doesNotMatch(read(`DEBIAN/${script}`), /rm .*\/var\/lib/, script);
  }
  const unit = read('lib/systemd/system/linkfold.service');
  assert.match(unit, /^ExecStart=\/usr\/bin\/linkfold serve$/m);
  assert.match(unit, /^Environment=MALLOC_ARENA_MAX=2 /m);
  assert.doesNotMatch(unit, /\/opt\//);
  assert.match(read('usr/lib/linkfold/upgrade.json'), /"isPackaged":true/);
});
