import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { whyPrivileged, withoutPrivileges } from '../../../test/support/server/privileges.ts';
import { until } from '../../../test/support/until.ts';
import { upgradeSettings } from './settings.ts';

// Upgrades to releases on a real TLS server. The executable is a small script that prints its version. It runs in a
// separate process, like the standalone executable. test/installation/executable.test.ts upgrades the standalone
// executable.

const root = join(import.meta.dirname, '..', '..', '..');
const tls = join(root, 'test', 'tls');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64');
const program = (version: string): string => `#!/bin/sh\necho ${version}\n`;

type Answer = Buffer | 'cut' | 'slow';
const files = new Map<string, Answer>();
const server = createServer(
  { cert: readFileSync(join(tls, 'server.crt')), key: readFileSync(join(tls, 'server.key')) },
  (request, response) => {
    const found = files.get(request.url ?? '');
    if (found === undefined) return void response.writeHead(404).end();
    if (Buffer.isBuffer(found)) return void response.end(found);
    response
      .writeHead(200, { 'content-length': 1_000_000 })
      .write(zstdCompressSync('#!/bin/sh\n').subarray(0, 12));
    if (found === 'cut') setTimeout(() => response.destroy(), 20);
  },
);
let url = '';
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `https://localhost:${(server.address() as AddressInfo).port}/releases/`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

interface Offer {
  readonly says?: string;
  readonly by?: typeof privateKey;
  readonly sent?: Answer;
  readonly platform?: string;
}

/** Publishes a release on the server, replacing the previous release. */
function offer(
  version: string,
  { says = version, by = privateKey, sent, platform = 'linux-x64' }: Offer = {},
): void {
  const file = zstdCompressSync(program(says));
  const name = `linkfold-${version}-${platform}.zst`;
  const list = Buffer.from(
    `${hash('sha256', file)}  ${name}\n${hash('sha256', 'x')}  linkfold_${version}_amd64.deb\n`,
  );
  files.clear();
  files.set(`/releases/${name}`, sent ?? file);
  files.set('/releases/SHA256SUMS', list);
  files.set('/releases/SHA256SUMS.sig', sign(null, list, by));
}

function installed(): string {
  const executable = join(temporaryFolder('upgrade'), 'linkfold');
  writeFileSync(executable, program('1.2.0'), { mode: 0o755 });
  return executable;
}

/** Upgrades in a separate process that trusts the server's certificate. */
function start(executable: string, within: readonly string[] = []) {
  const script = `
    import { findRelease, isNewer } from '${join(root, 'src/external/upgrade/release.ts')}';
    import { install } from '${join(root, 'src/external/upgrade/install.ts')}';
    import { upgradeSettings } from '${join(root, 'src/external/upgrade/settings.ts')}';
    const release = await findRelease('${url}', upgradeSettings.UPGRADE_KEY.read('${key}'), 'linux-x64');
    if (isNewer(release.version, '1.2.0')) await install(release, '${executable}');
    console.log(release.version);`;
  const [command = '', ...args] = [...within, process.execPath, '--input-type=module', '-e', script];
  return spawn(command, args, { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(tls, 'ca.crt') } });
}
async function upgrade(executable: string, within: readonly string[] = []) {
  const child = start(executable, within);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out: out.trim(), err };
}
function assertUntouched(executable: string): void {
  assert.equal(readFileSync(executable, 'utf8'), program('1.2.0'));
  assert.equal(existsSync(`${executable}.old`), false);
}

test('replaces the executable with a signed, newer release and keeps the old file next to it', async () => {
  offer('1.10.0');
  const executable = installed();
  chmodSync(executable, 0o750);
  const left = `${executable}.part-0badcafe`;
  writeFileSync(left, '');
  utimesSync(left, 0, 0);
  assert.deepEqual(await upgrade(executable), { code: 0, out: '1.10.0', err: '' });
  assert.equal(readFileSync(executable, 'utf8'), program('1.10.0'));
  assert.equal(statSync(executable).mode & 0o777, 0o750);
  assert.equal(readFileSync(`${executable}.old`, 'utf8'), program('1.2.0'));
  assert.deepEqual(globSync('*.part-*', { cwd: join(executable, '..') }), []);
});

for (const version of ['1.2.0', '1.1.9', '0.9.9'])
  test(`treats ${version} as not newer than 1.2.0`, async () => {
    offer(version);
    const executable = installed();
    assert.equal((await upgrade(executable)).out, version);
    assertUntouched(executable);
  });

const refusals: readonly (readonly [string, () => void, RegExp])[] = [
  [
    'the signature is of another key',
    () => offer('1.3.0', { by: generateKeyPairSync('ed25519').privateKey }),
    /not signed/,
  ],
  [
    'the list was changed after it was signed',
    () => {
      offer('1.3.0');
      const list = String(files.get('/releases/SHA256SUMS')).replace('1.3.0', '1.4.0');
      files.set('/releases/SHA256SUMS', Buffer.from(list));
    },
    /not signed/,
  ],
  [
    'there is no signature',
    () => {
      offer('1.3.0');
      files.delete('/releases/SHA256SUMS.sig');
    },
    /status 404/,
  ],
  [
    'the list is longer than lists are',
    () => files.set('/releases/SHA256SUMS', Buffer.alloc(70_000)),
    /longer than/,
  ],
  [
    'the file has another checksum',
    () => offer('1.3.0', { sent: zstdCompressSync(program('1.3.0 ')) }),
    /does not match the signed list/,
  ],
  [
    'the file is no archive',
    () => offer('1.3.0', { sent: Buffer.from('not at all') }),
    /does not match the signed list/,
  ],
  [
    'the file ends early',
    () => offer('1.3.0', { sent: zstdCompressSync(program('1.3.0')).subarray(0, -6) }),
    /does not match the signed list/,
  ],
  ['the connection breaks', () => offer('1.3.0', { sent: 'cut' }), /could not be read/],
  [
    'the file is a bomb',
    () => offer('1.3.0', { sent: zstdCompressSync(Buffer.alloc(320 * 1_048_576)) }),
    /longer than/,
  ],
  [
    'the file says that it is another version',
    () => offer('1.3.0', { says: '1.1.0' }),
    /reports version 1\.1\.0/,
  ],
  [
    'the file does not run here',
    () => offer('1.3.0', { says: '1.3.0; exit 3' }),
    /does not run on this machine/,
  ],
  [
    'nothing is for this platform',
    () => offer('1.3.0', { platform: 'linux-arm64' }),
    /no file for linux-x64/,
  ],
];
for (const [name, prepare, message] of refusals)
  test(`keeps the old file when ${name}`, async () => {
    prepare();
    const executable = installed();
    const { code, err } = await upgrade(executable);
    assert.match(err, message);
    assert.equal(code, 1);
    assertUntouched(executable);
    assert.deepEqual(globSync('*.part-*', { cwd: join(executable, '..') }), []);
  });

test('keeps the old file when the upgrade is killed midway', async () => {
  offer('1.3.0', { sent: 'slow' });
  const executable = installed();
  const child = start(executable);
  await until('it downloads', () => globSync('*.part-*', { cwd: join(executable, '..') }).length === 1);
  child.kill('SIGKILL');
  await once(child, 'close');
  assertUntouched(executable);
});

test('keeps the old file if its folder is not writable', { skip: whyPrivileged() }, async () => {
  offer('1.3.0');
  const executable = installed();
  const folder = join(executable, '..');
  chmodSync(folder, 0o555);
  const { err } = await upgrade(executable, withoutPrivileges);
  assert.match(err, /Could not write to .+: permission denied/);
  assertUntouched(executable);
});

test('settings: accepts a folder over https and a key of 32 bytes', () => {
  const { UPGRADE_URL, UPGRADE_KEY } = upgradeSettings;
  assert.equal(UPGRADE_URL.read('https://example.com/linkfold'), 'https://example.com/linkfold/');
  for (const text of ['http://example.com/', 'ftp://x/', 'releases', 'https://example.com/?a'])
    assert.throws(() => UPGRADE_URL.read(text), /https URL/, text);
  for (const text of ['', 'AAAA', `${key}AA`, 'no key'])
    assert.throws(() => UPGRADE_KEY.read(text), /32 bytes/, text);
});

test('explains how to upgrade a checkout', () => {
  const { status, stderr } = spawnSync(join(root, 'bin', 'linkfold'), ['upgrade'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /Only the standalone executable upgrades itself\. In a checkout: git pull/);
});
