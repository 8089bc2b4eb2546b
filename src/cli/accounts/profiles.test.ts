import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { good, json, run } from '../../../test/support/server/command-line.ts';
import type { TestKey } from '../../../test/support/server/server.ts';
import { type SharedServer, sharedServer } from '../../../test/support/server/shared-server.ts';

let server: SharedServer;
let [one, two]: TestKey[] = [];
before(async () => {
  server = await sharedServer();
  [one, two] = [await server.newKey(), await server.newKey()];
});

const key = (made: TestKey | undefined): string => made?.key ?? '';
function newUser() {
  const folder = temporaryFolder('profiles');
  return { env: { XDG_CONFIG_HOME: folder }, file: join(folder, 'linkfold', 'profiles.json') };
}

test('stores, names, uses, lists and removes profiles, readable by this user only, without showing the key', async () => {
  const { env, file } = newUser();
  await good(['profiles', 'create', 'one', '--server', server.url], { env, input: `${key(one)}\n` });
  await good(['profiles', 'create', 'two', '--server', server.url], { env, input: key(two) });
  assert.deepEqual([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777], [0o600, 0o700]);
  assert.deepEqual(await json(['profiles', 'list'], { env }), [
    { name: 'one', server: server.url, current: true },
    { name: 'two', server: server.url, current: false },
  ]);
  assert.equal((await json(['whoami'], { env })).account, one?.account);
  assert.equal((await json(['whoami', '--profile', 'two'], { env })).account, two?.account);
  const told = await good(['whoami'], { env: { ...env, LINKFOLD_PROFILE: 'two' } });
  assert.match(told, new RegExp(`^server +${server.url}\naccount +${two?.account}\n`));
  assert.match(told, /^links +0$/m);
  await good(['profiles', 'use', 'two'], { env });
  assert.equal((await json(['whoami'], { env })).account, two?.account);
  for (const args of [['list'], ['list', '--json'], ['use', 'one'], ['rm', 'two']]) {
    const { out, err } = await run(['profiles', ...args], { env });
    assert.doesNotMatch(out + err, /lfk_/, args.join(' '));
  }
  assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(key(two)));
  const { code, err } = await run(['whoami', '--profile', 'two'], { env });
  assert.deepEqual([code, err.includes('There is no profile "two". Profiles: one;')], [2, true]);
});

test("prefers options over environment over profile; sends a profile's key to its own server only", async () => {
  const { env } = newUser();
  await good(['profiles', 'create', 'one', '--server', `${server.url}/`], { env, input: key(one) });
  const account = async (args: readonly string[], more: object) =>
    (await json(['whoami', ...args], { env: { ...env, ...more } })).account;
  assert.equal(await account([], { LINKFOLD_API_KEY: key(two) }), two?.account);
  assert.equal(await account([], { LINKFOLD_URL: server.url }), one?.account);
  const both = { LINKFOLD_URL: 'http://127.0.0.1:9', LINKFOLD_API_KEY: key(two) };
  assert.equal(await account(['--profile', 'one'], both), one?.account);
  assert.equal(await account(['--server', server.url], { ...both, LINKFOLD_API_KEY: '' }), one?.account);

  for (const [args, more] of [
    [['--server', 'http://127.0.0.1:9'], {}],
    [[], { LINKFOLD_URL: 'http://127.0.0.1:9' }],
    [['--profile', 'one', '--server', 'http://127.0.0.1:9'], {}],
  ] as const) {
    const { code, err } = await run(['whoami', ...args], { env: { ...env, ...more } });
    assert.deepEqual(
      [code, /^error: No API key for http:\/\/127\.0\.0\.1:9\. Sign in with:/.test(err)],
      [2, true],
      err,
    );
  }
});

test('rejects profiles that others can read or that are invalid', async () => {
  const { env, file } = newUser();
  const add = (name: string, at: string, input: string) =>
    run(['profiles', 'create', name, '--server', at], { env, input });
  for (const [ended, said] of [
    [await add('a b', server.url, 'lfk_x'), /Specify 1 to 40 letters/],
    [await add('a', 'go.example.com', 'lfk_x'), /--server must be an http or https URL/],
    [await add('a', server.url, ''), /The API key must be printable ASCII/],
  ] as const) {
    assert.equal(ended.code, 2);
    assert.match(ended.err, said);
  }
  await good(['profiles', 'create', 'a', '--server', server.url], { env, input: key(one) });
  chmodSync(file, 0o640);
  const open = await run(['whoami'], { env });
  assert.deepEqual([open.code, open.err.includes(`chmod 600 ${file}`)], [2, true], open.err);
  // A command that needs no profile ignores the profiles file.
  await good(['whoami', '--server', server.url], { env: { ...env, LINKFOLD_API_KEY: key(one) } });
  chmodSync(file, 0o600);
  await good(['whoami'], { env });
  for (const text of ['', '[]', '{"current":null,"profiles":{"a":{"server":1}}}']) {
    writeFileSync(file, text);
    const { code, err } = await run(['whoami'], { env });
    assert.deepEqual([code, /is not a valid profiles file\. Delete it/.test(err)], [2, true], err);
  }
});
