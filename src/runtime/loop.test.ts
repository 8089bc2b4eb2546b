import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLoop } from './loop.ts';

/** Waits for one turn of the event loop without advancing the clock. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Creates a loop with a mock clock. Its work records its start times, and returns these pauses in turn. */
function startWork(t: TestContext, pauses: readonly number[]) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const began: number[] = [];
  const state = { began, gate: Promise.resolve() };
  let now = 0;
  const loop = createLoop(10, async () => {
    began.push(now);
    await state.gate;
    return pauses[began.length - 1] ?? 1_000;
  });
  const pass = async (ms: number): Promise<void> => {
    for (const end = now + ms; now < end; await settled()) {
      now += 1;
      t.mock.timers.tick(1);
    }
  };
  return { state, loop, pass };
}

test('runs repeatedly, after the pause requested by the previous run', async (t) => {
  const { state, loop, pass } = startWork(t, [5, 40]);
  await pass(50);
  assert.deepEqual(state.began, [], 'it is not started');
  loop.start();
  loop.start();
  await pass(100);
  assert.deepEqual(state.began, [60, 65, 105]);
  await loop.close();
  await pass(2_000);
  assert.equal(state.began.length, 3);
});

test('waits for the current run when closed, and starts no other', async (t) => {
  const { state, loop, pass } = startWork(t, [5]);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  loop.start();
  await pass(10);
  let isClosed = false;
  const closing = loop.close().then(() => {
    isClosed = true;
  });
  await pass(10);
  assert.ok(!isClosed);
  resolve();
  await closing;
  await pass(100);
  assert.deepEqual(state.began, [10]);
});
