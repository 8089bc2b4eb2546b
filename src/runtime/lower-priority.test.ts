import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreaks } from './lower-priority.ts';

/** Works for 30 ms by default. @returns how often the work checked for waiting requests */
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

test('sleeps twice as long as it works', () => {
  const asked = work({ mayPause: true, isIdle: () => true }, 300);
  assert.ok(asked >= 2 && asked <= 200, `${asked} breaks`);
});

test('works without breaks once a request waits', () => {
  assert.equal(work({ mayPause: true, isIdle: () => false }), 1);
});

test('takes no breaks in work that a request waits for', () => {
  assert.equal(work({ mayPause: false, isIdle: () => true }), 0);
});
