import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createTickLimit } from './tick-limit.ts';

test('a turn answers some hundred, the next ones the rest, in the order in which they came', async () => {
  const limit = createTickLimit(128);
  const answered: number[] = [];
  const ask = (which: number): void => {
    const answer = (): void => void answered.push(which);
    if (limit.isFull()) limit.later(answer);
    else answer();
  };
  for (let which = 0; which < 1_000; which += 1) ask(which);
  assert.equal(answered.length, 128);
  for (let turns = 1; answered.length < 1_000; turns += 1) {
    const before: number = answered.length;
    ask(1_000 + turns);
    await turn();
    assert.ok(answered.length > before, 'it stopped');
    assert.ok(answered.length - before <= 128, `${answered.length - before} in one turn`);
  }
  for (let turns = 0; turns < 3; turns += 1) await turn();
  assert.deepEqual(
    answered,
    answered.toSorted((a, b) => a - b),
  );
  ask(5_000);
  assert.equal(answered.at(-1), 5_000, 'afterwards everybody is answered at once again');
});

test('many turns of little never make one full', async () => {
  const limit = createTickLimit(128);
  for (let turns = 0; turns < 200; turns += 1) {
    for (let count = 0; count < 20; count += 1) assert.ok(!limit.isFull());
    await turn();
  }
});
