import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreaks } from './lower-priority.ts';

/** Works on, for 30 ms unless told. @returns how often the work checked whether a request waits */
function work({ mayPause, isIdle }: { mayPause: boolean; isIdle: () => boolean }, forMs = 30): number {
  let asked = 0;
  const breaks = createBreaks(() => {
    asked += 1;
    return isIdle();
  });
  breaks.begin(mayPause);
  for (const end = performance.now() + forMs; performance.now() < end; ) breaks.between();
  return asked;
}

test('long work sleeps for twice as long as it works', () => {
  const asked = work({ mayPause: true, isIdle: () => true }, 300);
  assert.ok(asked >= 2 && asked <= 200, `${asked} breaks`);
});

test('once a request waits, the work goes on without a break', () => {
  assert.equal(work({ mayPause: true, isIdle: () => false }), 1);
});

test('work that a request waits for has no breaks', () => {
  assert.equal(work({ mayPause: false, isIdle: () => true }), 0);
});
