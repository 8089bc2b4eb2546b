import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { endLaunched, launch, linkfold, serverEnvironment } from '../../support/server/launch.ts';
import { linesOf } from '../../support/server/log.ts';
import { call, temporaryFolder } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

// Listens on NOTIFY_SOCKET, like systemd: a datagram socket in the file system, which Python supports and Node does
// not.
const listener = `
import socket, sys
end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
end.bind(sys.argv[1])
print('listening', flush=True)
while True: print(end.recv(4096).decode().replace(chr(10), ' '), flush=True)
`;
const lacks = ['systemd-notify', 'python3'].find((tool) => spawnSync(tool, ['--version']).status !== 0);
const skip = lacks === undefined ? false : `${lacks} is not there`;

after(endLaunched);

for (const workers of ['1', '2']) {
  test(`notifies systemd when ready and when stopping, WORKERS=${workers}`, {
    skip,
    timeout: 60_000,
  }, async (t) => {
    const socket = join(temporaryFolder('notify'), 'socket');
    const systemd = launch('python3', ['-c', listener, socket], { PATH: process.env['PATH'] ?? '' });
    t.after(() => systemd.child.kill('SIGKILL'));
    const heard = (): string[] =>
      systemd
        .out()
        .split('\n')
        .filter((line) => line !== '' && line !== 'BARRIER=1');
    await until('it listens', () => heard().length === 1);

    const env = await serverEnvironment(temporaryFolder('data'), { WORKERS: workers, NOTIFY_SOCKET: socket });
    const server = launch(linkfold, ['serve'], env);
    await until('it is ready', () => heard().length === 2);
    assert.equal(heard()[1], 'READY=1 STATUS=');
    // The server sends this when it is ready. Its log is read separately and may arrive later.
    const ready = () => linesOf({ output: server.out }).find(({ msg }) => msg === 'ready');
    await until('its log says so', () => ready() !== undefined);
    assert.equal((await call({ url: String(ready()?.['url']) }, 'GET', '/readyz')).status, 200);
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    await until('it says so', () => heard().length === 3);
    assert.match(heard()[2] ?? '', /^STOPPING=1 STATUS=Stopping/);
  });
}

test('starts and logs once if systemd cannot be notified', {
  timeout: 60_000,
}, async () => {
  const env = await serverEnvironment(temporaryFolder('data'), { NOTIFY_SOCKET: '/nowhere/socket' });
  const server = launch(linkfold, ['serve'], env);
  const lines = () => linesOf({ output: server.out });
  await until('it says so', () => lines().some(({ msg }) => msg.startsWith('could not notify systemd')));
  await until('it is ready', () => lines().some(({ msg }) => msg === 'ready'));
  server.child.kill('SIGTERM');
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.equal(lines().filter(({ msg }) => msg.startsWith('could not notify systemd')).length, 1);
});
