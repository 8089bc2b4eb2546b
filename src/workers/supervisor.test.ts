// What a real worker does not do on demand: never to become ready. The rest is in test/faults/workers.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../telemetry/log.ts';
import type { Exit, Worker } from './process.ts';
import { createSupervisor } from './supervisor.ts';

const half = 30_000;

function newWorker(number: number) {
  const { promise: listening, resolve: isReady } = Promise.withResolvers<string | undefined>();
  const { promise: ended, resolve: end } = Promise.withResolvers<Exit>();
  const worker: Worker = { number, pid: number, listening, ended, send: () => true, end() {}, kill() {} };
  return { worker, isReady, end };
}

test('a worker that does not become ready is told of, whether another one serves in its place or not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const told: string[] = [];
  const workers: ReturnType<typeof newWorker>[] = [];
  const tell = (_facts: unknown, sentence: string): void => void told.push(sentence);
  const places = createSupervisor({
    count: 1,
    start(number) {
      const started = newWorker(number);
      workers.push(started);
      return started.worker;
    },
    log: { info() {}, warn: tell, error() {} } as unknown as Logger,
    onServing() {},
    onGone() {},
    onGiveUp: (reason) => assert.fail(String(reason)),
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const filled = places.fill();
  t.mock.timers.tick(half);
  assert.deepEqual(told.splice(0), ['a worker is not ready yet']);
  workers[0]?.isReady(undefined);
  await filled;
  t.mock.timers.tick(half);
  assert.deepEqual(told, []);

  void places.replace();
  await turn();
  t.mock.timers.tick(half);
  assert.deepEqual(told.splice(0), ['a worker is not ready yet; the one before it goes on']);
  workers[0]?.end({ code: 1, signal: null });
  await turn();
  t.mock.timers.tick(half);
  assert.deepEqual(told.splice(0), ['a worker is not ready yet']);
  workers[1]?.isReady(undefined);
  await turn();

  // The one that takes the place of a worker that crashed.
  workers[1]?.end({ code: 1, signal: null });
  await turn();
  t.mock.timers.tick(half);
  assert.deepEqual(told, ['a worker is not ready yet']);
  workers[2]?.isReady(undefined);
});
