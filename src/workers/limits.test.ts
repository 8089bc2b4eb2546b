import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectUses } from './limits.ts';

test('a worker gets what all others have reported of its names in this minute', () => {
  const collect = collectUses<string>();
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
});
