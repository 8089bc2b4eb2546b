import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { bare, good, json, linkfold, run } from '../../../test/support/server/command-line.ts';
import { newMember } from '../../../test/support/server/members.ts';
import type { Api } from '../../../test/support/server/records.ts';
import { as, type TestKey } from '../../../test/support/server/server.ts';
import { type SharedServer, sharedServer } from '../../../test/support/server/shared-server.ts';

let server: SharedServer;
let root: TestKey;
let api: Api;
before(async () => {
  server = await sharedServer();
  root = await server.newKey();
  api = as(server, root.key);
});

/** Starts a sign-in. @returns the displayed code, and a promise that resolves when the command ends */
function begin(args: readonly string[], folder: string) {
  const env = { ...bare, XDG_CONFIG_HOME: folder } as NodeJS.ProcessEnv;
  const child = spawn(linkfold, ['login', server.url, ...args], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  const code = new Promise<string>((resolve) =>
    child.stderr.on('data', (text) => {
      err += text;
      const shown = /^ {2}(\w{4}-\w{4})$/m.exec(err)?.[1];
      if (shown !== undefined) resolve(shown);
    }),
  );
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (status) => resolve({ code: status, out, err })),
  );
  return { code, ended };
}

test('signs in through a browser, stores the key for this user only, and signs out; stores nothing when denied', async () => {
  const folder = temporaryFolder('login');
  const env = { XDG_CONFIG_HOME: folder };
  const ada = await newMember(server, api, 'admin', 'Ada');
  const [approved, turned] = [
    begin(['--profile', 'work'], folder),
    begin(['--json'], temporaryFolder('login')),
  ];
  const answer = async (userCode: string, approve: boolean) =>
    assert.equal((await ada.send('POST', '/devices/answer', { userCode, approve })).status, 200);
  await Promise.all([answer(await approved.code, true), answer(await turned.code, false)]);
  const [done, refused] = await Promise.all([approved.ended, turned.ended]);
  assert.equal(done.code, 0, done.err);
  assert.match(
    done.out,
    new RegExp(`^Signed in to ${root.account} at ${server.url}\\. .*\\(profile work\\)`),
  );
  assert.match(done.err, new RegExp(`${server.url}/dashboard/device\\?code=`));
  assert.deepEqual([refused.code, /denied in the browser/.test(refused.err)], [1, true], refused.err);

  const file = join(folder, 'linkfold', 'profiles.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { key } = JSON.parse(readFileSync(file, 'utf8')).profiles.work;
  assert.ok(!(done.out + done.err).includes(key));
  const told = await json(['whoami'], { env });
  assert.deepEqual([told.account, told.key.name], [root.account, `linkfold on ${hostname()}`]);

  assert.match((await run(['logout'], { env })).err, /revoked the key and deleted the profile work/);
  assert.deepEqual(await json(['profiles', 'list'], { env }), []);
  assert.equal((await as(server, key).get('/api/v1/me')).status, 401);
  const nothing = await run(['logout'], { env });
  assert.deepEqual([nothing.code, /No current profile/.test(nothing.err)], [1, true]);
});

test('forgets a key that cannot revoke itself, and reports it', async () => {
  const env = { XDG_CONFIG_HOME: temporaryFolder('login') };
  const { key } = await server.newKey({ account: root.account, scopes: 'links:read' });
  await good(['profiles', 'create', 'reader', '--server', server.url], { env, input: key });
  assert.match((await run(['logout', 'reader'], { env })).err, /cannot revoke itself.*\/dashboard\/keys/);
  assert.equal((await as(server, key).get('/api/v1/me')).status, 200);
});

test('invites, joins, lists, demotes and removes a member', async () => {
  const env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: root.key };
  const invited = await json(['invitations', 'create', '--role', 'editor', '--email', 'cli@example.com'], {
    env,
  });
  const waiting = await json(['invitations', 'list'], { env });
  assert.ok(waiting.some(({ id }: { id: string }) => id === invited.id));
  const token = new URL(invited.url).hash.slice(1);
  const { status, json: joined } = await api.post('/api/v1/invitations/accept', { token, name: 'By Line' });
  assert.equal(status, 201);
  const { id } = joined.data.person;
  assert.match(await good(['members', 'list'], { env }), /By Line/);
  await good(['members', 'update', id, '--role', 'viewer'], { env });
  const found = (await json(['members', 'list'], { env })).find((one: { id: string }) => one.id === id);
  assert.equal(found.role, 'viewer');
  await good(['members', 'delete', id], { env });
  assert.doesNotMatch(await good(['members', 'list'], { env }), /By Line/);
  const other = await json(['invitations', 'create', '--role', 'viewer'], { env });
  await good(['invitations', 'delete', other.id], { env });
  const gone = await run(['invitations', 'delete', other.id], { env });
  assert.deepEqual(
    [gone.code, /INVITATION_NOT_FOUND|no such invitation/.test(gone.err)],
    [1, true],
    gone.err,
  );
});
