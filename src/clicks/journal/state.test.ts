import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAtRisk } from './state.ts';

test('reports clicks at risk until storage has reached their end', () => {
  const atRisk = createAtRisk();
  atRisk.add(100, 3);
  atRisk.add(200, 4);
  atRisk.release(99);
  assert.equal(atRisk.clicks(), 7);
  atRisk.release(100);
  assert.equal(atRisk.clicks(), 4);
  atRisk.release(200);
  assert.equal(atRisk.clicks(), 0);
});

test('loses none of many entries and calls none safe too early', () => {
  const atRisk = createAtRisk(2);
  for (const to of [100, 200, 300, 400]) atRisk.add(to, 1);
  atRisk.release(100);
  assert.equal(atRisk.clicks(), 3);
  atRisk.release(399);
  assert.equal(atRisk.clicks(), 3);
  atRisk.release(400);
  assert.equal(atRisk.clicks(), 0);
});
