import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/support/random/random.ts';
import { createLimiter } from './limits.ts';

describe('limits', () => {
  test('take counts until the limit, and one more is too many', () => {
    const limiter = createLimiter(() => 61_000);
    const used = [1, 2, 3, 4].map(() => limiter.take('a', 3));
    assert.deepEqual(
      used.map(({ remaining, exceeded }) => [remaining, exceeded]),
      [
        [2, false],
        [1, false],
        [0, false],
        [0, true],
      ],
    );
    assert.deepEqual(used[0], { limit: 3, remaining: 2, resetsAt: 120_000, exceeded: false });
    assert.equal(limiter.take('b', 3).remaining, 2);
  });

  test('look counts nothing and says whether one more would be too many', () => {
    const limiter = createLimiter(() => 0);
    for (let n = 0; n < 10; n += 1) assert.equal(limiter.peek('a', 2).exceeded, false);
    limiter.take('a', 2);
    assert.deepEqual(limiter.peek('a', 2), { limit: 2, remaining: 1, resetsAt: 60_000, exceeded: false });
    limiter.take('a', 2);
    assert.deepEqual(limiter.peek('a', 2), { limit: 2, remaining: 0, resetsAt: 60_000, exceeded: true });
  });

  test('what others counted counts too, as long as their window lasts', () => {
    let now = 60_000;
    const [one, other] = [createLimiter(() => now), createLimiter(() => now)];
    one.take('a', 0);
    one.take('a', 0);
    other.take('a', 0);
    assert.deepEqual(one.counts(), { since: 60_000, events: [['a', 2]] });
    other.add(one.counts());
    assert.equal(other.peek('a', 3).exceeded, true);
    const late = one.counts();
    now = 120_000;
    other.add(late);
    assert.equal(other.peek('a', 3).remaining, 3);
    assert.deepEqual(one.counts(), { since: 120_000, events: [] });
  });

  test('a new window begins on the minute and forgets all', () => {
    let now = 59_999;
    const limiter = createLimiter(() => now);
    limiter.take('a', 1);
    assert.equal(limiter.peek('a', 1).exceeded, true);
    now = 60_000;
    assert.deepEqual(limiter.peek('a', 1), { limit: 1, remaining: 1, resetsAt: 120_000, exceeded: false });
  });

  test('limit 0 is no limit', () => {
    const limiter = createLimiter(() => 0);
    for (let n = 0; n < 1_000; n += 1) assert.equal(limiter.take('a', 0).exceeded, false);
    assert.equal(limiter.peek('a', 0).exceeded, false);
  });

  test('it remembers 100,000 names and forgets the oldest beyond', () => {
    const limiter = createLimiter(() => 0);
    limiter.take('first', 1);
    limiter.take('second', 1);
    for (let n = 0; n < 99_998; n += 1) limiter.take(`stranger ${n}`, 1);
    assert.equal(limiter.peek('first', 1).exceeded, true);
    limiter.take('one too many', 1);
    assert.equal(limiter.peek('first', 1).exceeded, false);
    assert.equal(limiter.peek('second', 1).exceeded, true);
  });

  test('it agrees with counting by hand, whatever the clock does', () => {
    const event = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      step: fc.constantFrom(0, 0, 0, 1, 500, 1_000, 7_000),
      count: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (events, limit) => {
        let now = 12_345;
        const limiter = createLimiter(() => now, 1_000);
        const model = new Map<string, number>();
        for (const { name, step, count } of events) {
          now += step;
          const key = `${Math.floor(now / 1_000)} ${name}`;
          if (count) model.set(key, (model.get(key) ?? 0) + 1);
          const used = model.get(key) ?? 0;
          assert.deepEqual(count ? limiter.take(name, limit) : limiter.peek(name, limit), {
            limit,
            remaining: Math.max(0, limit - used),
            resetsAt: (Math.floor(now / 1_000) + 1) * 1_000,
            exceeded: count ? used > limit : used >= limit,
          });
        }
      }),
      runs(500),
    );
  });
});
