import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { endLaunched, launch, root, serverEnvironment } from '../../support/server/launch.ts';
import { linesOf } from '../../support/server/log.ts';
import { temporaryFolder } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

after(endLaunched);

const timeout = 120_000;

/** Sends all of a request except its last byte. */
async function sendMost(port: number, key: string) {
  const body = JSON.stringify({ url: 'https://example.com/' });
  const head = [
    'POST /api/v1/shorten HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => (answer += text)).on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`, () => resolve()),
  );
  return {
    async finish(): Promise<string> {
      socket.write(body.slice(-1));
      await closed;
      return answer;
    },
  };
}

// In a terminal, Ctrl-C sends a signal to both npm and the server. npm forwards its signal, so the server gets two.
for (const workers of ['1', '2']) {
  test(`finishes running requests on Ctrl-C in npm start, WORKERS=${workers}`, {
    timeout,
  }, async () => {
    const dataDir = temporaryFolder('npm');
    const env = await serverEnvironment(dataDir, { WORKERS: workers });
    const npm = launch('npm', ['start', '--silent'], env, { cwd: root, detached: true });
    const output = { output: npm.out };
    await until('it is ready', () => linesOf(output).some(({ msg }) => msg === 'ready'));
    const ready = linesOf(output).find(({ msg }) => msg === 'ready');
    const key = readFileSync(join(dataDir, 'first-key.txt'), 'utf8').trim();
    const request = await sendMost(Number(new URL(String(ready?.['url'])).port), key);
    await pause(100);
    process.kill(-(npm.child.pid ?? 0), 'SIGINT');
    await until('it stops', () => linesOf(output).some(({ msg }) => msg.startsWith('shutting down')));
    // This pause is longer than npm needs to forward its signal, but shorter than a user needs to press Ctrl-C again.
    await pause(300);
    assert.match(await request.finish(), /^HTTP\/1\.1 201 /);
    assert.deepEqual(await npm.ended, { code: 0, signal: null }, npm.err());
    assert.equal(linesOf(output).at(-1)?.msg, 'stopped');
  });
}
