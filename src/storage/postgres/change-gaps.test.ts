import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGaps } from './change-gaps.ts';

test('closes a gap as its numbers appear, and drops it when no transaction can fill it', () => {
  const gaps = createGaps();
  gaps.add(3, 6);
  gaps.add(9, 9);
  assert.ok(gaps.hasUnbounded());
  assert.equal(gaps.dropExpired(1_000), undefined, 'not until the transactions that may fill it are known');
  gaps.setBound(50);
  gaps.fill(4);
  assert.deepEqual(gaps.columns(), { lows: [3, 5, 9], highs: [3, 6, 9] });
  gaps.add(12, 13);
  assert.equal(gaps.dropExpired(49), undefined);
  assert.equal(gaps.dropExpired(50), 3);
  assert.deepEqual(gaps.columns(), { lows: [12], highs: [13] }, 'the later one has another bound');
  for (const seq of [12, 13, 14]) gaps.fill(seq);
  assert.deepEqual(gaps.columns(), { lows: [], highs: [] });
});

test('keeps at most a thousand gaps and merges the oldest', () => {
  const gaps = createGaps();
  for (let n = 1; n <= 1_500; n += 1) gaps.add(2 * n, 2 * n);
  const { lows, highs } = gaps.columns();
  assert.equal(lows.length, 1_000);
  // Every second number is known. Known numbers inside the merged gap are read again with the gap.
  for (let n = 1; n < 1_500; n += 1) gaps.fill(2 * n + 1);
  assert.equal(gaps.columns().lows.length, 1_000);
  assert.deepEqual([Math.min(...lows), Math.max(...highs)], [2, 3_000]);
  gaps.setBound(7);
  assert.equal(gaps.dropExpired(7), 2);
});
