import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHistogram } from './histogram.ts';

test('counts a value in the first bucket whose limit it does not exceed', () => {
  const histogram = createHistogram([1, 2, 4]);
  for (const value of [0, 1, 1.5, 2, 4, 4.1, 1_000]) histogram.observe(value);
  assert.deepEqual([...histogram.counts], [2, 2, 1, 2]);
  assert.equal(histogram.sum(), 0 + 1 + 1.5 + 2 + 4 + 4.1 + 1_000);
});

test('counts one observation several times', () => {
  const histogram = createHistogram([1]);
  histogram.observe(0.5, 10);
  histogram.observe(3, 2);
  assert.deepEqual([...histogram.counts], [10, 2]);
  assert.equal(histogram.sum(), 11);
});
