import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentIn, pauseAfter, twoThirds } from './times.ts';

const minute = 60_000;

test('renews a certificate after two thirds of its lifetime', () => {
  assert.equal(twoThirds({ from: 1_000, to: 91_000 }), 61_000);
});

test('renews each certificate at a fixed time within its window', () => {
  const window = { start: 10_000, end: 20_000 };
  const moments = ['a', 'b', 'c', 'd'].map((chain) => momentIn(window, chain));
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((chain) => momentIn(window, chain)),
    moments,
  );
  assert.equal(new Set(moments).size, 4);
  for (const moment of moments) assert.ok(moment >= window.start && moment < window.end, `${moment}`);
});

test('retries failed orders with growing pauses, at most five in the first hour, up to six hours', () => {
  const pauses = Array.from({ length: 12 }, (_, at) => pauseAfter(at + 1));
  assert.deepEqual(
    pauses,
    [...pauses].sort((one, other) => one - other),
  );
  assert.equal(pauses[0], minute);
  assert.equal(pauses.at(-1), 360 * minute);
  let elapsed = 0;
  const attempts = pauses.filter((pause) => {
    const isWithin = elapsed < 60 * minute;
    elapsed += pause;
    return isWithin;
  });
  assert.ok(attempts.length <= 5, `${attempts.length} attempts`);
});
