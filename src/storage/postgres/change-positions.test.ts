import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ChangePositions, createChangePositions } from './change-positions.ts';

async function later(): Promise<number> {
  const now = performance.now();
  while (performance.now() <= now) await undefined;
  return performance.now();
}

function lookedAt(position: number): ChangePositions {
  const positions = createChangePositions();
  positions.looked(performance.now(), position);
  return positions;
}

describe('the position from which on a replica knows of every change of a name', () => {
  test('is unknown before the first look, then what the look found, and for what changes later its own', () => {
    const positions = createChangePositions();
    positions.changed('early', 90);
    assert.equal(positions.needed('early'), Number.POSITIVE_INFINITY);
    positions.looked(performance.now(), 100);
    assert.deepEqual([positions.needed('early'), positions.needed('never')], [100, 100]);
    positions.changed('later', 120);
    positions.changed('later', 130);
    assert.deepEqual([positions.needed('later'), positions.needed('never')], [130, 100]);
  });

  test('of a change of this process is told by a look that began after it, not by one under way', async () => {
    const positions = lookedAt(100);
    const began = performance.now();
    await later();
    positions.changedHere('mine');
    positions.changed('mine', 110); // somebody else's, from before
    positions.looked(began, 110);
    assert.equal(positions.needed('mine'), Number.POSITIVE_INFINITY);
    positions.looked(await later(), 120);
    assert.equal(positions.needed('mine'), 120);
  });

  test('what is forgotten is below the floor: after half a minute, or beyond 20,000 names', () => {
    const positions = lookedAt(100);
    const began = performance.now();
    positions.changed('old', 150);
    positions.looked(began + 1, 200);
    positions.changed('young', 250);
    positions.looked(began + 30_500, 300);
    assert.deepEqual([positions.needed('old'), positions.needed('young')], [200, 250]);
    assert.equal(positions.floor(), 200);
    for (let n = 0; n < 20_000; n += 1) positions.changed(`n${n}`, 400 + n);
    assert.equal(positions.floor(), 20_399);
    assert.equal(positions.needed('young'), 20_399);
  });

  test('of more own changes than are kept is unknown until a look began after the last', async () => {
    const positions = lookedAt(100);
    for (let n = 0; n <= 20_000; n += 1) positions.changedHere(`n${n}`);
    const began = performance.now() - 1;
    positions.unknown(110);
    positions.looked(began - 1_000, 110);
    assert.equal(positions.needed('n0'), Number.POSITIVE_INFINITY);
    positions.looked(await later(), 120);
    assert.equal(positions.needed('n0'), 120);
  });

  test('on another timeline may be lower than before', () => {
    const positions = lookedAt(500);
    positions.changed('moved', 600);
    positions.unknown(300);
    assert.deepEqual([positions.needed('moved'), positions.needed('never')], [300, 300]);
  });
});
