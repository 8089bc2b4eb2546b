import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { type Connections, fitConnections, guardConnections, maxOpenFiles } from './connections.ts';

const mebibyte = 1_048_576;
/** Waits for bytes to arrive. */
function waitForData(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

interface Guarded {
  readonly guard: Connections;
  readonly clock: { now: number };
  /** @returns both ends of a connection; `ours` is not read until `resume` is called */
  connection(): Promise<{ ours: Socket; theirs: Socket }>;
}

async function guarded(t: TestContext, max = 100): Promise<Guarded> {
  const server = createServer();
  const clock = { now: 0 };
  const guard = guardConnections(server, { max, clock: () => clock.now });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const opened: Socket[] = [];
  t.after(() => {
    for (const socket of opened) socket.destroy();
    server.close();
  });
  return {
    guard,
    clock,
    async connection() {
      const accepted = new Promise<Socket>((resolve) => {
        server.once('connection', resolve);
        server.once('drop', () => resolve(ours));
      });
      const ours = connect((server.address() as AddressInfo).port, '127.0.0.1');
      ours.pause().on('error', () => {});
      const theirs = await accepted;
      theirs.on('error', () => {});
      opened.push(ours, theirs);
      return { ours, theirs };
    },
  };
}

describe('connections', () => {
  test('uses the configured limit, but never more than the open file limit', () => {
    const notices: unknown[] = [];
    const notice = (sentence: string, facts: object): void => void notices.push([sentence, facts]);
    assert.equal(fitConnections(10_000, 20_000, notice), 10_000);
    assert.equal(fitConnections(10_000, undefined, notice), 10_000);
    assert.deepEqual(notices, []);
    assert.equal(fitConnections(10_000, 1_024, notice), 824);
    assert.equal(fitConnections(10_000, 10, notice), 1);
    assert.match(JSON.stringify(notices[0]), /MAX_CONNECTIONS.*"wanted":10000,"most":824,"openFiles":1024/);
    const { platform } = process;
    assert.ok(platform !== 'linux' || (maxOpenFiles() ?? 0) > 0);
  });

  test('closes connections above the limit on arrival, and accepts new ones when others end', async (t) => {
    const { guard, connection } = await guarded(t, 2);
    const [first] = [await connection(), await connection()];
    const { ours } = await connection();
    await new Promise((resolve) => ours.resume().once('close', resolve));
    assert.deepEqual([guard.stats().open, guard.stats().refused], [2, 1]);
    first.ours.destroy();
    await new Promise((resolve) => first.theirs.resume().once('close', resolve));
    await connection();
    assert.deepEqual([guard.stats().open, guard.stats().refused], [2, 1]);
  });

  test('closes a connection whose reader stalls for 30 seconds, but not a slow one', async (t) => {
    const { guard, clock, connection } = await guarded(t);
    const [stuck, slow, reader, busy] = [
      await connection(),
      await connection(),
      await connection(),
      await connection(),
    ];
    for (const { theirs } of [stuck, slow, reader]) theirs.write(Buffer.alloc(20 * mebibyte));
    reader.ours.resume();
    await until('one client has read everything', () => reader.theirs.writableLength === 0);
    await waitForData();
    guard.check();
    assert.ok(guard.stats().buffered >= 20 * mebibyte, `${guard.stats().buffered}`);
    clock.now += 29_000;
    slow.ours.read(1_000);
    // The connection `busy` always has unread data, but its client keeps reading.
    busy.theirs.cork();
    busy.theirs.write('a');
    await waitForData();
    guard.check();
    assert.equal(guard.stats().slowReaders, 0);
    clock.now += 2_000;
    slow.theirs.write('more');
    busy.theirs.write('b');
    await waitForData();
    guard.check();
    assert.deepEqual(
      [stuck, slow, reader, busy].map(({ theirs }) => theirs.destroyed),
      [true, true, false, false],
    );
    await waitForData();
    assert.deepEqual([guard.stats().slowReaders, guard.stats().open], [2, 2]);
  });

  test('closes the connections with the most unread data above 64 MiB in total', async (t) => {
    const { guard, connection } = await guarded(t);
    const all = [await connection(), await connection(), await connection()];
    const sizes = [30, 40, 25];
    for (const [index, { theirs }] of all.entries())
      theirs.write(Buffer.alloc((sizes[index] ?? 0) * mebibyte));
    await waitForData();
    guard.check();
    guard.check();
    assert.deepEqual(
      all.map(({ theirs }) => theirs.destroyed),
      [false, true, false],
    );
    assert.ok(guard.stats().buffered <= 64 * mebibyte);
  });
});
