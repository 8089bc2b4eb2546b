import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createTickLimit } from './tick-limit.ts';

test('answers some hundred requests per tick, the rest in the next ticks, in order', async () => {
  const limit = createTickLimit(128);
  const answered: number[] = [];
  const ask = (which: number): void => {
    const answer = (): void => void answered.push(which);
    if (limit.isFull()) limit.later(answer);
    else answer();
  };
  for (let which = 0; which < 1_000; which += 1) ask(which);
  assert.equal(answered.length, 128);
  for (let ticks = 1; answered.length < 1_000; ticks += 1) {
    const before: number = answered.length;
    ask(1_000 + ticks);
    await tick();
    assert.ok(answered.length > before, 'it stopped');
    assert.ok(answered.length - before <= 128, `${answered.length - before} in one tick`);
  }
  for (let ticks = 0; ticks < 3; ticks += 1) await tick();
  assert.deepEqual(
    answered,
    answered.toSorted((a, b) => a - b),
  );
  ask(5_000);
  assert.equal(answered.at(-1), 5_000, 'afterwards every request is answered at once again');
});

test('never counts many ticks with few requests as a full one', async () => {
  const limit = createTickLimit(128);
  for (let ticks = 0; ticks < 200; ticks += 1) {
    for (let count = 0; count < 20; count += 1) assert.ok(!limit.isFull());
    await tick();
  }
});
