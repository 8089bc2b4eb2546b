import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTally } from './tally.ts';

test('returns the values with the most clicks first, ties by name, even among very many', () => {
  const tally = createTally(1);
  const all = Array.from({ length: 20_000 }, (_, at) => ({
    value: `v${(at * 7_919) % 20_000}`,
    clicks: at % 97,
  }));
  for (const { value, clicks } of all) {
    const group = tally.groupOf(value);
    tally.groupClicks[group] = clicks;
  }
  const expected = all
    .filter(({ clicks }) => clicks > 0)
    .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
    .map(({ value, clicks }) => ({ value, clicks, visitors: 0 }));
  for (const limit of [1, 10, 3_000, Number.POSITIVE_INFINITY])
    assert.deepEqual(tally.answer().breakdown(limit).values, expected.slice(0, limit));
});
