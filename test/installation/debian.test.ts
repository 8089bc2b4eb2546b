import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/files/temporary.ts';

// Tests the Debian package that `npm run build:debian` builds. Installing it would change the machine, so the tests
// inspect and unpack it.

const root = join(import.meta.dirname, '..', '..');
const isMissing = spawnSync('dpkg-deb', ['--version']).error !== undefined;
const skip = isMissing ? 'dpkg-deb is not installed' : process.arch !== 'x64' ? 'for x64' : false;

test('has program, unit and settings in the package, and its scripts never touch the data', { skip }, () => {
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
  assert.match(
    read('lib/systemd/system/linkfold-backup.service'),
    /^ExecStart=.*\/usr\/bin\/linkfold db backup /m,
  );
  assert.match(read('lib/systemd/system/linkfold-backup.timer'), /^OnCalendar=daily$/m);
  for (const file of globSync('lib/systemd/system/*', { cwd: unpacked }))
    assert.doesNotMatch(read(file), /\/opt\//, file);
  for (const script of ['postinst', 'prerm', 'postrm'])
    assert.doesNotMatch(read(`DEBIAN/${script}`), /enable .*backup/, 'the timer is off by default');
  assert.match(read('usr/lib/linkfold/upgrade.json'), /"isPackaged":true/);
});

const isRoot = process.getuid?.() === 0;

test("runs root's commands with the service's data and settings", {
  skip: isRoot ? false : 'for root',
}, () => {
  const folder = temporaryFolder('debian-command');
  const program = join(folder, 'program');
  const settings = join(folder, 'linkfold.env');
  writeFileSync(
    program,
    '#!/bin/sh\nprintf "%s|" "$DATA_DIR" "$BASE_URL" "$SECRET" "$MAIL_FROM" "$*"; id -un\n',
    {
      mode: 0o755,
    },
  );
  const text = [
    '# settings',
    'BASE_URL=https://go.example.com',
    'SECRET="a $(touch /tmp/no) # b"',
    'not a setting',
    'PATH-LIKE=1',
  ];
  writeFileSync(settings, `${text.join('\n')}\nMAIL_FROM=Links <links@example.com>`);
  const script = readFileSync(join(root, 'scripts', 'packages', 'linkfold.sh'), 'utf8')
    .replace('/usr/lib/linkfold/linkfold', program)
    .replace('/etc/linkfold/linkfold.env', settings);
  const command = join(folder, 'linkfold');
  writeFileSync(command, script, { mode: 0o755 });
  const run = (env: Record<string, string>, args: readonly string[]): string =>
    execFileSync(command, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } });
  const values = 'a $(touch /tmp/no) # b|Links <links@example.com>|';
  assert.equal(
    run({}, ['keys', 'list']),
    `/var/lib/linkfold|https://go.example.com|${values}keys list|root\n`,
  );
  const own = { DATA_DIR: folder, BASE_URL: 'https://other.example.com' };
  assert.equal(run(own, ['config']), `${folder}|https://other.example.com|${values}config|root\n`);
  rmSync(settings);
  assert.equal(run({}, ['config']), '||||config|root\n');
});
