import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createProgram } from '../../src/cli/program.ts';
import { requireNode } from '../../src/cli/terminal/node-version.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import { onMachine } from '../support/server/npm.ts';
import { sharedServer } from '../support/server/shared-server.ts';

// Tests the package as `npm install linkfold --omit=optional` installs it, without its own Node.

const root = join(import.meta.dirname, '..', '..');
const modules = temporaryFolder('modules');
const linkfold = join(modules, 'linkfold', 'bin', 'linkfold');
const major = (version: string): number => Number.parseInt(version.replace('v', ''), 10);
let onPath: string;

before(async () => {
  const { stdout } = await onMachine('/', 'node', ['--version']);
  onPath = stdout.trim();
  const built = await onMachine(root, process.execPath, [join(root, 'scripts', 'build-server.ts')]);
  assert.equal(built.code, 0, built.stderr);
  // Copies no sources, because a checkout with sources would install its own Node.
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(modules, 'linkfold', part), { recursive: true });
});

/** Commands to run against a server, in order. */
const remote: readonly (readonly string[])[] = [
  ['shorten', 'https://example.com/one', '--code', 'first', '--tag', 'red'],
  ['shorten', '--file', 'urls.txt'],
  ['links', 'upsert', 'crm-1', 'https://example.com/crm', '--code', 'crm-code'],
  ['links', 'import', 'links.csv'],
  ['links', 'list', '--search', 'example'],
  ['links', 'get', 'external:crm-1'],
  ['links', 'update', 'first', '--title', 'One'],
  ['links', 'alias', 'first', 'second'],
  ['links', 'aliases', 'first'],
  ['links', 'unalias', 'second'],
  ['links', 'simulate', 'first', '--device', 'mobile'],
  ['links', 'share', 'first'],
  ['links', 'shares', 'first'],
  ['links', 'export', '--format', 'csv'],
  ['links', 'delete', 'first'],
  ['folders', 'create', 'Campaigns'],
  ['folders', 'list'],
  ['tags', 'list'],
  ['utm-templates', 'create', 'Spring', '--utm', '{"source":"news"}'],
  ['shares', 'list'],
  ['domains', 'list'],
  ['members', 'list'],
  ['invitations', 'list'],
  ['audit', '--limit', '3'],
  ['webhooks', 'list'],
  ['whoami'],
  ['status'],
  ['account', 'get'],
  ['branding', 'get'],
  ['apply', 'kept.json', '--yes'],
  ['plan', 'kept.json'],
  ['drift', 'kept.json'],
  ['export', 'kept'],
  ['qr', 'crm-code', '--out', 'code.png'],
  ['stats', '--group-by', 'country'],
  ['stats', 'crm-code'],
  ['clicks', '--limit', '3'],
];
const notTalking = ['ready', 'events', 'logout', 'profiles', 'config', 'completion', 'help'];

test('runs every command on a server with Node 20, or names the required Node', async (t) => {
  const others = (await createProgram()).commands.map((command) => command.name());
  for (const name of others) {
    const talks = notTalking.includes(name) || remote.some(([one]) => one === name);
    const check = () => requireNode([name], '20.16.0');
    if (talks) check();
    else assert.throws(check, { exit: 1, message: /requires Node 26, but this is 20\.16\.0\./ }, name);
    requireNode([name], '26.0.0');
    requireNode([name, '--help'], '20.16.0');
  }
  if (major(onPath) < 20 || major(onPath) >= 26)
    return t.skip(`NOT TESTED with an older Node: the PATH has ${onPath}`);

  const server = await sharedServer();
  const { key } = await server.newKey();
  const env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
  writeFileSync(join(modules, 'urls.txt'), 'https://example.com/a\nhttps://example.com/b\n');
  writeFileSync(join(modules, 'links.csv'), 'url,customCode,title\nhttps://example.com/c,third,Three\n');
  const kept = { manifest: 'kept', links: [{ customCode: 'kept', url: 'https://example.com/kept' }] };
  writeFileSync(join(modules, 'kept.json'), JSON.stringify(kept));
  for (const args of remote) {
    const { code, stderr } = await onMachine(modules, linkfold, args, env);
    assert.equal(code, 0, `linkfold ${args.join(' ')}: ${stderr}`);
  }
  for (const args of [['--version'], ['--help']]) {
    const { code, stderr } = await onMachine(modules, linkfold, args);
    assert.equal(code, 0, `linkfold ${args.join(' ')}: ${stderr}`);
  }
  const { stdout } = await onMachine(modules, linkfold, ['links', 'export', '--format', 'csv'], env);
  for (const code of ['crm-code', 'third']) assert.ok(stdout.includes(code), code);

  const events = onMachine(modules, linkfold, ['events', '--count', '1', '--json'], env);
  let isOver = false;
  void events.finally(() => (isOver = true));
  // The command ends with the first change that it receives. The test does not know when the command starts listening,
  // so it repeats changes.
  for (let times = 0; times < 100 && !isOver; times += 1)
    await onMachine(modules, linkfold, ['links', 'update', 'crm-code', '--title', `${times}`], env);
  assert.match((await events).stdout, /^\{.*"type":"link\.updated"/);

  for (const args of [['serve'], ['keys', 'list'], ['db', 'status']]) {
    const { code, stderr } = await onMachine(modules, linkfold, args, { DATA_DIR: join(modules, 'data') });
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`^error: linkfold ${args[0]} requires Node 26, but this is ${onPath.slice(1)}\\.`),
    );
  }
});

test("finds the package's Node below or next to it, and reports what it needs otherwise", async () => {
  const path = temporaryFolder('oldest-node');
  writeFileSync(join(path, 'node'), '#!/bin/sh\necho false\n');
  chmodSync(join(path, 'node'), 0o755);
  const launch = () => onMachine(modules, linkfold, ['--version'], { PATH: `${path}:/usr/bin:/bin` });
  const { code, stderr } = await launch();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: Linkfold requires Node 26 to serve, or Node 20\.16 or later for commands .*\n$/,
  );
  for (const folder of [
    join(modules, 'node-beside'),
    join(modules, 'linkfold', 'node_modules', 'node-below'),
  ]) {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(folder, 'bin', 'node'));
    assert.equal((await launch()).code, 0, folder);
  }
});
