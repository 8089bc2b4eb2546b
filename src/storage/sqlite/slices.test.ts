import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createSlices } from './slices.ts';

/** Creates slices in which each item takes 1 ms, half of it in a promise callback. */
function context(few: number, sliceMs: number) {
  const state = { now: 0, done: [] as number[] };
  const perform = (item: number): void => {
    state.done.push(item);
    state.now += 0.5;
    void Promise.resolve().then(() => {
      state.now += 0.5;
    });
  };
  return { state, slices: createSlices<number>({ perform, few, sliceMs, clock: () => state.now }) };
}

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

test('runs few jobs at once', () => {
  const { slices, state } = context(3, 1);
  slices.add(numbers(0, 3));
  assert.deepEqual(state.done, [0, 1, 2]);
  assert.equal(slices.length(), 0);
});

test('runs many jobs in order, a slice per tick; new ones wait behind them', async () => {
  const { slices, state } = context(3, 10);
  slices.add(numbers(0, 100));
  assert.deepEqual(state.done, []);
  for (let ticks = 0; slices.length() > 0; ticks += 1) {
    const before: number = state.done.length;
    const since: number = state.now;
    await tick();
    // A tick may take more than 10 ms, because items that were started together also end together.
    assert.ok(state.now - since <= 14, `${state.now - since} ms in one tick`);
    assert.ok(state.done.length > before, 'it continues');
    assert.ok(ticks < 20);
    if (ticks === 0) slices.add(numbers(100, 2));
  }
  assert.deepEqual(state.done, numbers(0, 102));
});

test('finishes the remaining jobs at the end', async () => {
  const { slices, state } = context(3, 2);
  slices.add(numbers(0, 50));
  await tick();
  slices.finish();
  assert.deepEqual(state.done, numbers(0, 50));
  await tick();
  assert.equal(state.done.length, 50);
});
