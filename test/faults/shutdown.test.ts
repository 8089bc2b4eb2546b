import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { journalsIn } from '../../src/clicks/journal/files/directory.ts';
import { dropUnanswered, newLedger, prepare, startLoad } from '../support/load/load.ts';
import { verify, verifyFile } from '../support/load/verify.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { call, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { untilUnready } from '../support/server/unready.ts';

const drainSeconds = 1;
/** Time limit for a stopping server, including draining and last requests. */
const goneWithinMs = 10_000;
const loadMs = 400;

const { seed, count } = effort(1);
/** Number of rounds in the other tests. It is lower, because these tests take longer and vary less. */
const fewer = Math.ceil(count / 2.5);
const timeout = 60_000 + count * 15_000;

/**
 * Sends a request in two halves. The second half is sent only on demand.
 * @returns the status line of the response
 */
function sendInHalves(server: Server, key: string) {
  const body = JSON.stringify({ url: 'https://example.com/slow', customCode: 'slow' });
  const head = `POST /api/v1/shorten HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(server.port, '127.0.0.1');
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.on('error', reject).on('close', () => resolve(text));
  });
  socket.write(head + body.slice(0, 10));
  return {
    finish(): Promise<string> {
      socket.write(body.slice(10));
      return answer;
    },
  };
}

describe('shutdown', { timeout }, () => {
  // Servers left behind by a failed test would keep this process alive.
  after(endServers);

  test('SIGTERM under load: unready at once, answers every accepted request, exits with 0, loses no click', (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const dataDir = temporaryFolder('shutdown');
      const ledger = newLedger();
      const env = { SHUTDOWN_DELAY: String(drainSeconds) };
      let server = await startServer(env, dataDir);
      const { key } = await server.newKey();
      const slowKey = (await server.newKey()).key;
      const target = () => ({ port: server.port, token: key });
      await prepare(ledger, target());
      for (let round = 0; round < count; round += 1) {
        const load = startLoad({ ledger, random, target: target(), writers: 3, clickers: 6 });
        await sleep(random.below(loadMs));
        const slow = round === 0 ? sendInHalves(server, slowKey) : undefined;
        await sleep(50);

        const told = performance.now();
        const ended = server.stop();
        await untilUnready(server);
        const unreadyMs = performance.now() - told;
        const late = await call(server, 'GET', '/healthz');
        assert.deepEqual([late.status, late.headers.get('connection')], [200, 'close']);
        await sleep(drainSeconds * 800 - unreadyMs);
        assert.deepEqual(load.broken, [], 'while it drains, it answers');
        await sleep(drainSeconds * 400);
        if (slow !== undefined) assert.match(await slow.finish(), /^HTTP\/1\.1 201 /);

        assert.equal(await ended, 0);
        assert.deepEqual(journalsIn(join(dataDir, 'clicks')), [], 'no click is left for the next start');
        const goneMs = performance.now() - told;
        assert.ok(goneMs <= goneWithinMs, `It took ${goneMs} ms to stop.`);
        await load.stop();
        assert.deepEqual(ledger.problems, []);
        // The kernel resets connections that it accepts while the port is being closed. Such a reset counts as a closed
        // port.
        const unusual = load.broken.filter((code) => !/^(ECONNREFUSED|ECONNRESET)$/.test(code));
        assert.deepEqual(unusual, [], 'only the closed port refuses connections');
        t.diagnostic(
          `unready after ${Math.round(unreadyMs)} ms, gone after ${Math.round(goneMs)} ms, refused: ${load.broken}`,
        );
        server = await startServer(env, dataDir);
        // Requests without a response were not accepted, so they must not have had any effect.
        dropUnanswered(ledger);
        await verify(ledger, target());
      }
      assert.equal(await server.stop(), 0);
      verifyFile(dataDir);
    }));

  test('a second signal ends it at once without losing anything', (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const dataDir = temporaryFolder('shutdown');
      const ledger = newLedger();
      let server = await startServer({ SHUTDOWN_DELAY: '60' }, dataDir);
      const { key } = await server.newKey();
      const target = () => ({ port: server.port, token: key });
      await prepare(ledger, target());
      for (let round = 0; round < fewer; round += 1) {
        const load = startLoad({ ledger, random, target: target(), writers: 3, clickers: 6 });
        await sleep(random.below(loadMs));
        server.child.kill('SIGTERM');
        await untilUnready(server);
        // A signal sent sooner would count as a repetition of the first signal.
        await sleep(500 + random.below(100));
        const told = performance.now();
        assert.equal(await server.stop(round % 2 === 0 ? 'SIGTERM' : 'SIGINT'), 1);
        const goneMs = performance.now() - told;
        assert.ok(goneMs <= 30_000, `It took ${goneMs} ms to stop.`);
        await load.stop();
        server = await startServer({ SHUTDOWN_DELAY: '60' }, dataDir);
        await verify(ledger, target());
      }
      await server.stop('SIGKILL');
      verifyFile(dataDir);
    }));

  test('two servers on one folder: each counts its own clicks, both show all, nothing is lost afterwards', (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const dataDir = temporaryFolder('shutdown');
      const ledger = newLedger();
      let pair = await Promise.all([startServer({}, dataDir), startServer({}, dataDir)]);
      const { key } = await pair[0].newKey();
      const targetOf = ({ port }: Server) => ({ port, token: key });
      await prepare(ledger, targetOf(pair[0]));
      for (let round = 0; round < fewer; round += 1) {
        const load = () =>
          pair.map((server) =>
            startLoad({ ledger, random, target: targetOf(server), writers: 2, clickers: 4 }),
          );
        const first = load();
        await sleep(loadMs);
        for (const one of first) await one.stop();
        assert.deepEqual(
          first.flatMap(({ broken }) => broken),
          [],
        );
        // Other processes show a click within a second (CONTRACT §6), and a busy machine gets more time.
        await sleep(2_000);
        for (const server of pair) await verify(ledger, targetOf(server));

        const second = load();
        await sleep(random.below(loadMs));
        const ends = round % 2 === 0 ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGTERM', 'SIGTERM'] as const);
        await Promise.all(pair.map((server, index) => server.stop(ends[index])));
        for (const one of second) await one.stop();
        pair = await Promise.all([startServer({}, dataDir), startServer({}, dataDir)]);
        for (const server of pair) await verify(ledger, targetOf(server));
      }
      assert.deepEqual(await Promise.all(pair.map((server) => server.stop())), [0, 0]);
      verifyFile(dataDir);
    }));
});
