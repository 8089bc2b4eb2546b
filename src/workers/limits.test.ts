import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Counts } from '../domain/limits.ts';
import { createAskingLimiter, createToldLimiter, type Take, type ToldLimiter } from './limits.ts';

function now() {
  return 60_000;
}

describe('limits that are told of', () => {
  /** As many limiters as workers, each of which tells the others; messages arrive when they are let through. */
  const connected = (workers: number) => {
    const waiting: (() => void)[] = [];
    let messages = 0;
    const limiters: ToldLimiter[] = Array.from({ length: workers }, (_, from) =>
      createToldLimiter(now, (counts: Counts) => {
        messages += 1;
        for (const [to, limiter] of limiters.entries()) {
          if (to !== from) waiting.push(() => limiter.hear(counts));
        }
      }),
    );
    const deliver = (): void => {
      for (const hear of waiting.splice(0)) hear();
    };
    return { limiters, deliver, messages: () => messages };
  };

  test('from half of the limit on, the others know after the turn; nobody counts more than there was', async () => {
    const { limiters, deliver } = connected(3);
    for (let taken = 1; taken <= 30; taken += 1) {
      const allowance = limiters[taken % 3]?.take('a', 20);
      assert.equal(allowance?.exceeded, taken > 20, `event ${taken}`);
      // The first ones are told together, some ms later.
      if (taken <= 10) await new Promise((resolve) => setTimeout(resolve, 15));
      await turn();
      await turn();
      deliver();
    }
  });

  test('what is beyond a limit, or has none, is not told', async () => {
    const { limiters, deliver, messages } = connected(2);
    for (let taken = 0; taken < 5; taken += 1) limiters[0]?.take('a', 5);
    await turn();
    deliver();
    assert.equal(messages(), 1, 'a turn in one message');
    for (const limiter of limiters) for (let taken = 0; taken < 50; taken += 1) limiter.take('a', 5);
    for (let taken = 0; taken < 50; taken += 1) limiters[0]?.take('b', 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(messages(), 1);
    assert.deepEqual(
      limiters.map((limiter) => limiter.peek('a', 5).exceeded),
      [true, true],
    );
  });
});

describe('limits that are asked for', () => {
  test('the takes of a turn are asked for together, and answered by what was heard', async () => {
    const asked: (readonly [number, readonly Take[]])[] = [];
    const limiter = createAskingLimiter(now, (id, takes) => asked.push([id, takes]) > 0);
    const first = [limiter.take('a', 3), limiter.take('b', 3)];
    await turn();
    const second = [limiter.take('a', 3)];
    await turn();
    const [one = [0, []], other = [0, []]] = asked;
    assert.deepEqual(
      asked.map(([, takes]) => takes),
      [
        [
          ['a', 3],
          ['b', 3],
        ],
        [['a', 3]],
      ],
    );
    const left = (remaining: number) => ({ limit: 3, remaining, resetsAt: 120_000, exceeded: false });
    limiter.hear(one[0], [left(2), left(1)]);
    limiter.hear(other[0], [left(0)]);
    limiter.hear(other[0], [left(7)]);
    const remaining = (await Promise.all([...first, ...second])).map((allowance) => allowance.remaining);
    assert.deepEqual(remaining, [2, 1, 0]);
  });

  test('without an answer within a second, or nobody to ask, each counts alone', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    for (const isHeard of [true, false]) {
      const limiter = createAskingLimiter(now, () => isHeard);
      const answers = Promise.all([1, 2, 3].map(() => limiter.take('a', 2)));
      await turn();
      t.mock.timers.tick(1_000);
      limiter.hear(0, [{ limit: 2, remaining: 7, resetsAt: 0, exceeded: false }]);
      assert.deepEqual(
        (await answers).map(({ remaining, exceeded }) => [remaining, exceeded]),
        [
          [1, false],
          [0, false],
          [0, true],
        ],
      );
    }
  });

  test('a primary that is silent is not asked again before it has answered', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const asked: number[] = [];
    const limiter = createAskingLimiter(now, (id) => asked.push(id) > 0);
    const take = async (): Promise<number> => {
      const taken = limiter.take('a', 9);
      await turn();
      t.mock.timers.tick(1_000);
      return (await taken).remaining;
    };
    for (const left of [8, 7, 6]) assert.equal(await take(), left);
    assert.deepEqual(asked, [0]);
    limiter.hear(0, [{ limit: 9, remaining: 3, resetsAt: 0, exceeded: false }]);
    assert.equal(await take(), 5);
    assert.equal(asked.length, 2);
  });
});
