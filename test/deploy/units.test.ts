import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createProgram } from '../../src/cli/program.ts';
import { settings } from '../../src/config.ts';
import { endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { deploy, read, root } from './files.ts';

after(endServers);

const units = readdirSync(deploy).filter((name) => /\.(service|timer)$/.test(name));

/** Returns a key's values in order. */
function valuesOf(unit: string, key: string): string[] {
  return [...read(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Returns a unit as if the program were installed in this folder. */
function installedHere(unit: string): string {
  return read(unit).replaceAll('/opt/linkfold/', `${root}/`);
}

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

test("passes systemd's verification for every unit", {
  skip: hasAnalyze ? false : 'systemd-analyze is not there',
}, () => {
  assert.deepEqual(units, ['linkfold-backup.service', 'linkfold-backup.timer', 'linkfold.service']);
  const folder = temporaryFolder('units');
  for (const unit of units) writeFileSync(join(folder, unit), installedHere(unit));
  const { stdout, stderr, status } = spawnSync(
    'systemd-analyze',
    ['verify', ...units.map((unit) => join(folder, unit))],
    { encoding: 'utf8' },
  );
  // Ignores messages about keys that systemd versions before 254 do not recognize.
  const complaints = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => !/'Restart(Steps|MaxDelaySec)'|^$/.test(line));
  assert.deepEqual([complaints, status], [[], 0]);
});

test('runs only existing commands with existing settings', async () => {
  const commands = units.flatMap((unit) =>
    [...read(unit).matchAll(/^ExecStart=.*\/opt\/linkfold\/bin\/linkfold ([a-z ]+)/gm)].map(
      ([, words = '']) => words.trim(),
    ),
  );
  assert.deepEqual(commands, ['db backup', 'serve']);
  const program = await createProgram();
  for (const words of commands) {
    const [first, second] = words.split(' ');
    const command = program.commands.find((one) => one.name() === first);
    assert.ok(second === undefined ? command : command?.commands.some((one) => one.name() === second), words);
  }
  const named = units
    .flatMap((unit) => valuesOf(unit, 'Environment'))
    .map((entry) => entry.split('=')[0] ?? '');
  const ours = [...Object.keys(settings), 'NODE_COMPILE_CACHE'];
  assert.deepEqual(
    named.filter((name) => !ours.includes(name)),
    [],
  );
});

test('notifies systemd, which waits as long as needed and never gives up', () => {
  const unit = 'linkfold.service';
  assert.deepEqual(valuesOf(unit, 'Type'), ['notify']);
  assert.deepEqual(valuesOf(unit, 'NotifyAccess'), ['all']);
  assert.deepEqual(valuesOf(unit, 'TimeoutStartSec'), ['infinity']);
  assert.deepEqual(valuesOf(unit, 'StartLimitIntervalSec'), ['0']);
  assert.deepEqual(valuesOf(unit, 'RestartPreventExitStatus'), ['2']);
  // The server notifies systemd through a socket in the file system.
  assert.match(valuesOf(unit, 'RestrictAddressFamilies')[0] ?? '', /AF_UNIX/);
});

describe('linkfold-backup.service', () => {
  test('backs up next to the server, and deletes backups older than two weeks', async () => {
    const server = await startServer({ DATABASE_URL: '' });
    const folder = temporaryFolder('backups');
    const [write = '', prune = ''] = valuesOf('linkfold-backup.service', 'ExecStart').map((line) => {
      const [, script = line] = /^\/bin\/sh -c '(.*)'$/.exec(line) ?? [];
      return script
        .replaceAll('$$', '$')
        .replaceAll('%%', '%')
        .replaceAll('/opt/linkfold/', `${root}/`)
        .replaceAll('/var/lib/linkfold-backups', folder);
    });
    const env = { PATH: process.env['PATH'], DATA_DIR: server.dataDir };
    const run = (script: string) => {
      const { status, stderr } = spawnSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    };
    const now = Date.now() / 1_000;
    for (const [name, days] of [
      ['linkfold-2020-01-01.db', 20],
      ['linkfold-2020-01-02.db', 3],
      ['mine.db', 20],
    ] as const) {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), now, now - days * 86_400);
    }
    for (let times = 0; times < 2; times += 1) {
      run(write);
      run(prune);
    }
    const kept = readdirSync(folder).sort();
    const made = kept.find((name) => /^linkfold-\d{4}-\d\d-\d\d\.db$/.test(name) && !name.includes('2020'));
    assert.deepEqual(kept, ['linkfold-2020-01-02.db', made, 'mine.db']);
    await server.command('db', 'restore', join(folder, made ?? ''), '--verify');
    assert.match(readFileSync(join(server.dataDir, 'last-backup'), 'utf8'), /^\d{4}-/);
    assert.equal(await server.stop(), 0);
  });
});
