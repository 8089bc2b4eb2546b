import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { createPace } from './pace.ts';

const soon = { withinMs: 5_000, everyMs: 5 };
const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';

/** A server that refuses so many a second of those who do not wait for one, by a clock that stands still until it is moved. */
async function refusing(t: TestContext, perSecond = 100) {
  const clock = { now: 0 };
  const pace = createPace(perSecond, 1_000, () => clock.now);
  let answers = 0;
  const unread: number[] = [];
  const server = createServer((request, response) => {
    answers += 1;
    unread.push(pace.unreadFor(request.socket));
    pace.count(response);
    response.end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    clock,
    pace,
    answers: () => answers,
    unread,
    /** A caller who asks again as soon as it is refused. */
    caller(): Socket {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      sockets.push(socket);
      socket.on('data', () => setImmediate(() => socket.write(request))).on('error', () => {});
      socket.write(request);
      return socket;
    },
  };
}

test('beyond its burst, refusing goes on at its pace and no faster, whoever asks', async (t) => {
  const { clock, pace, answers, caller } = await refusing(t);
  const callers = Array.from({ length: 10 }, caller);
  await until('all rest', () => pace.resting() === 10, soon);
  await pause(100);
  // Each connection is read once more before it rests.
  assert.equal(answers(), 210);
  for (let seconds = 1; seconds <= 3; seconds += 1) {
    for (let step = 0; step < 20; step += 1) {
      clock.now += 50;
      await until(
        'the next five are refused',
        () => answers() === 210 + 100 * (seconds - 1) + 5 * (step + 1),
        soon,
      );
    }
  }
  for (const socket of callers) socket.destroy();
  clock.now += 10_000;
  await until('none rests', () => pace.resting() === 0, soon);
});

test('with time to spare nobody rests', async (t) => {
  const { pace, clock, answers, caller } = await refusing(t);
  const moving = setInterval(() => {
    clock.now += 10_000;
  }, 1);
  t.after(() => clearInterval(moving));
  caller();
  await until('many are refused', () => answers() > 500, soon);
  assert.equal(pace.resting(), 0);
});

test('whoever waits as told is refused at once, however many others rest', async (t) => {
  const { clock, pace, answers, caller } = await refusing(t, 0);
  const others = Array.from({ length: 10 }, caller);
  await until('all rest', () => pace.resting() === 10, soon);
  const patient = connect(others[0]?.remotePort ?? 0, '127.0.0.1').resume();
  t.after(() => patient.destroy());
  for (let count = 1; count <= 5; count += 1) {
    const before = answers();
    patient.write(request);
    await until('one is refused', () => answers() === before + 1, soon);
    await pause(20);
    assert.equal(pace.resting(), 10);
    clock.now += 1_000;
  }
});

test('what is served pays for refusals', async (t) => {
  const { pace, answers, caller } = await refusing(t);
  caller();
  await until('it rests', () => pace.resting() === 1, soon);
  const before = answers();
  for (let count = 0; count < 20; count += 1) pace.served();
  await until('ten are refused', () => answers() === before + 10, soon);
  await pause(50);
  assert.equal(answers(), before + 10);
});

test('however long a connection rests, its client has not waited', async (t) => {
  const { clock, pace, answers, caller } = await refusing(t, 5);
  Array.from({ length: 10 }, caller);
  await until('all rest', () => pace.resting() === 10, soon);
  await pause(50);
  const before = answers();
  for (let step = 1; step <= 20; step += 1) {
    clock.now += 200;
    await until('the next one is refused', () => answers() >= before + step, soon);
    await pause(20);
    assert.equal(answers(), before + step);
  }
});

test('of what was sent to a connection that rested it is known how long it lay unread', async (t) => {
  const { clock, pace, answers, unread, caller } = await refusing(t);
  caller();
  await until('it rests', () => pace.resting() === 1, soon);
  assert.deepEqual(new Set(unread), new Set([0]));
  const before = answers();
  clock.now += 1_000;
  await until('it is read again', () => answers() > before + 1, soon);
  assert.deepEqual(unread.slice(before, before + 2), [1_000, 0]);
});
