import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitAt } from './visit.ts';

const minute = 60_000;

test('starts a new visit after half an hour away, but not after an hour of activity', () => {
  const first = visitAt(undefined, 0, false);
  assert.deepEqual(first, { before: null, seenAt: 0 });
  const second = visitAt(first, 40 * minute, false);
  assert.deepEqual(second, { before: 0, seenAt: 40 * minute });
  const lookedOn = visitAt(second, 100 * minute, true);
  assert.deepEqual(lookedOn, { before: 0, seenAt: 100 * minute });
  assert.deepEqual(visitAt(lookedOn, 110 * minute, false), { before: 0, seenAt: 110 * minute });
  assert.equal(visitAt(lookedOn, 130 * minute, false).before, 100 * minute);
});
