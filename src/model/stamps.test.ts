import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRandom, randomBytesFrom, seed } from '../../test/support/random/random.ts';
import { createStamps, type Stamp } from './stamps.ts';

const start = Date.parse('2027-01-31T09:00:00Z');
const day = 86_400_000;

describe('stamps', () => {
  const randomBytes = randomBytesFrom();

  test('use the current time while the clock moves forward', () => {
    let now = start;
    const next = createStamps({ now: () => now, randomBytes });
    for (const step of [0, 0, 1, 5, day]) {
      now += step;
      assert.equal(next().createdAt, now);
    }
  });

  test('never go back when the clock does, nor in the next process', () => {
    const random = createRandom(seed);
    let now = start;
    let newest: Stamp | undefined;
    for (let process = 0; process < 50; process += 1) {
      const next = createStamps({ now: () => now, randomBytes: randomBytesFrom(random), newest });
      for (let n = 0; n < 50; n += 1) {
        const made = next();
        if (newest !== undefined) {
          assert.ok(made.id > newest.id, `${made.id} after ${newest.id}`);
          assert.equal(made.createdAt, Math.max(newest.createdAt, now));
        }
        newest = made;
        now += Math.round((random.next() - 0.5) * (random.next() < 0.1 ? 800 * day : 5));
      }
    }
  });

  test('a clock set back before the first record dates nothing', () => {
    let now = start + day;
    const next = createStamps({ now: () => now, randomBytes });
    now = start;
    assert.equal(next().createdAt, start);
  });

  test('continue IDs after the newest one, even once the clock is right again', () => {
    const wrong = createStamps({ now: () => start + 400 * day, randomBytes })();
    // Simulates an operator who has corrected the creation times that the wrong clock had set.
    const next = createStamps({ now: () => start, randomBytes, newest: { ...wrong, createdAt: start - 1 } });
    for (let n = 0; n < 100; n += 1) {
      const { id, createdAt } = next();
      assert.ok(id > wrong.id);
      assert.equal(createdAt, start);
    }
  });

  test('report a late clock once, even at startup, until it has caught up', () => {
    let now = start;
    const reported: number[] = [];
    const onClockBehind = (until: number): void => void reported.push(until - start);
    const newest = { id: createStamps({ now: () => start + day, randomBytes })().id, createdAt: start + day };
    const next = createStamps({ now: () => now, randomBytes, newest, onClockBehind });
    assert.deepEqual(reported, [day]);
    for (let n = 0; n < 3; n += 1) next();
    now = start + day;
    next();
    // Clock corrections of a few seconds are normal.
    now -= 10_000;
    next();
    assert.deepEqual(reported, [day]);
    now -= 1;
    next();
    next();
    assert.deepEqual(reported, [day, day]);
  });
});
