import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectUses } from './limits.ts';

test('sends a worker the counts of all others for its names in this minute', () => {
  let now = 60_000;
  const collect = collectUses<string>(() => now);
  const exchange = (from: string, since: number, ...uses: [string, number][]) => {
    const own = uses.map(([name, count]) => ({ name, uses: count }));
    return collect(from, since, own).map(({ name, uses: count }) => [name, count]);
  };
  assert.deepEqual(exchange('one', 60_000, ['a', 3], ['b', 1]), []);
  assert.deepEqual(exchange('two', 60_000, ['a', 2], ['c', 4]), [['a', 3]]);
  assert.deepEqual(exchange('one', 60_000, ['a', 4], ['c', 1]), [
    ['a', 2],
    ['c', 4],
  ]);
  for (const again of [1, 2]) assert.deepEqual(exchange('three', 60_000, ['a', again]), [['a', 6]]);
  assert.deepEqual(exchange('one', 120_000, ['a', 1]), [], 'a new minute');
  assert.deepEqual(exchange('one', 3_540_000, ['hour', 1]), []);
  now = 180_001;
  assert.deepEqual(exchange('two', 180_000, ['a', 1]), []);
  assert.deepEqual(exchange('two', 60_000, ['a', 1]), [], 'a minute that has ended is forgotten');
  assert.deepEqual(exchange('two', 3_540_000, ['hour', 2]), [['hour', 1]], 'the current hour is not');
});
