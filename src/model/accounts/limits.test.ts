import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createRandom, runs } from '../../../test/support/random/random.ts';
import { createLimiter, type SharedLimiter } from './limits.ts';

describe('limits', () => {
  test('take counts up to the limit and refuses one more', () => {
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

  test('remembers 100,000 names and evicts the oldest above that', () => {
    const limiter = createLimiter(() => 0);
    limiter.take('first', 1);
    limiter.take('second', 1);
    for (let n = 0; n < 99_998; n += 1) limiter.take(`other ${n}`, 1);
    assert.equal(limiter.peek('first', 1).exceeded, true);
    limiter.take('one too many', 1);
    assert.equal(limiter.peek('first', 1).exceeded, false);
    assert.equal(limiter.peek('second', 1).exceeded, true);
    assert.equal(limiter.unreported(1).uses[0]?.name, 'second', 'forgotten attempts are not reported');
  });

  test('agrees with a reference count under any clock', () => {
    const event = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      step: fc.constantFrom(0, 0, 0, 1, 500, 1_000, 7_000),
      count: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), fc.integer({ min: 0, max: 5 }), (events, limit) => {
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
            exceeded: limit > 0 && (count ? used > limit : used >= limit),
          });
        }
      }),
      runs(500),
    );
  });
});

describe('limits across several processes', () => {
  const minute = 60_000;
  /** Creates limiters, and a function that exchanges the counts that they report. */
  const createProcesses = (count: number, now: () => number) => {
    const limiters = Array.from({ length: count }, () => createLimiter(now));
    const reported = new Map<SharedLimiter, Map<string, number>>(
      limiters.map((limiter) => [limiter, new Map()]),
    );
    const exchange = (limiter: SharedLimiter, max = 100): string[] => {
      const report = limiter.unreported(max);
      for (const { name, uses } of report.uses) reported.get(limiter)?.set(name, uses);
      limiter.applyResponse(report, (name) => {
        const others = [...reported].filter(([other, counts]) => other !== limiter && counts.has(name));
        if (others.length === 0) return undefined;
        return others.reduce((sum, [, counts]) => sum + (counts.get(name) ?? 0), 0);
      });
      return report.uses.map(({ name }) => name);
    };
    return { limiters: limiters as [SharedLimiter, ...SharedLimiter[]], exchange };
  };

  test("applies other processes' counts after the next exchange, even to peek", () => {
    const { limiters, exchange } = createProcesses(3, () => minute);
    for (const limiter of limiters) {
      limiter.take('a', 8);
      limiter.take('a', 8);
    }
    for (const limiter of [...limiters, ...limiters]) exchange(limiter);
    limiters[0].take('a', 8);
    exchange(limiters[0]);
    assert.deepEqual(
      limiters.map((limiter) => limiter.peek('a', 8).remaining),
      [1, 4, 2],
      'each with the attempts reported to it',
    );
    assert.deepEqual(
      [limiters[0].take('a', 8), limiters[0].peek('a', 8), limiters[0].take('a', 8)].map(
        (one) => one.exceeded,
      ),
      [false, true, true],
    );
  });

  test('ignores a repeated report, and makes up for a lost one at the next count', () => {
    const { limiters, exchange } = createProcesses(2, () => minute);
    const [one, other] = limiters;
    one.take('a', 9);
    one.unreported(10);
    one.take('a', 9);
    exchange(one);
    one.take('a', 9);
    exchange(one);
    other?.take('a', 9);
    if (other !== undefined) exchange(other);
    assert.equal(other?.peek('a', 9).remaining, 5);
  });

  test('reports no name that is over its limit or unlimited; takes many names in turn', () => {
    const { limiters, exchange } = createProcesses(2, () => minute);
    const [one] = limiters;
    for (let n = 0; n < 5; n += 1) one.take('a', 3);
    one.take('b', 0);
    assert.deepEqual(exchange(one), ['a']);
    one.take('a', 3);
    assert.deepEqual(exchange(one), []);
    for (const name of ['c', 'd', 'e']) one.take(name, 9);
    assert.deepEqual(exchange(one, 2), ['c', 'd']);
    one.take('c', 9);
    assert.deepEqual(exchange(one, 2), ['e', 'c']);
  });

  test('starts a new minute at zero, even when late reports of the previous one arrive', () => {
    let now = minute;
    const { limiters, exchange } = createProcesses(2, () => now);
    const [one] = limiters;
    one.take('a', 3);
    const report = one.unreported(10);
    now = 2 * minute;
    assert.equal(one.peek('a', 3).remaining, 3);
    one.take('a', 3);
    one.applyResponse(report, () => 3);
    assert.equal(
      one.peek('a', 3).remaining,
      2,
      'attempts counted by others in the previous minute no longer count',
    );
    assert.deepEqual(exchange(one), ['a']);
  });

  test('never refuses a client early, and lets it exceed the limit for at most two exchanges', () => {
    const intervalMs = 200;
    const longestExchangeMs = 20;
    // One process reports at the end of its interval; the other reads the report at the end of its own interval.
    const boundMs = 2 * (intervalMs + longestExchangeMs);
    const { below } = createRandom(7);
    let latest = 0;
    for (let round = 0; round < 300; round += 1) {
      let now = minute;
      const limit = 20 + below(80);
      const reported = [0, 0, 0];
      const processes = reported.map((_, index) => ({
        limiter: createLimiter(() => now),
        index,
        answered: 0,
        firstBeyond: 0,
        paceMs: 1 + below(40) * below(10),
      }));
      type Process = (typeof processes)[number];
      const events: { at: number; happen: () => void }[] = [];
      const later = (ms: number, happen: () => void): void => void events.push({ at: now + ms, happen });
      const ask = (process: Process): void => {
        const isOver = processes.reduce((sum, { answered }) => sum + answered, 0) >= limit;
        if (isOver && process.firstBeyond === 0) process.firstBeyond = now;
        const { exceeded } = process.limiter.take('a', limit);
        if (exceeded) assert.ok(isOver, 'refused early');
        else {
          process.answered += 1;
          if (isOver) latest = Math.max(latest, now - process.firstBeyond);
        }
        later(1 + below(2 * process.paceMs), () => ask(process));
      };
      const exchange = (process: Process): void => {
        const report = process.limiter.unreported(100);
        const takesMs = below(longestExchangeMs);
        let others = 0;
        later(below(takesMs), () => {
          for (const { uses } of report.uses) reported[process.index] = uses;
          others = reported.reduce((sum, uses, index) => (index === process.index ? sum : sum + uses), 0);
        });
        later(takesMs, () => {
          process.limiter.applyResponse(report, () => (others === 0 ? undefined : others));
          later(intervalMs, () => exchange(process));
        });
      };
      for (const process of processes) {
        later(below(intervalMs), () => exchange(process));
        later(below(3_000) * below(2), () => ask(process));
      }
      while (now < minute + 6_000) {
        const next = events.reduce((one, other) => (other.at < one.at ? other : one));
        events.splice(events.indexOf(next), 1);
        now = next.at;
        next.happen();
      }
      for (const { answered } of processes) assert.ok(answered <= limit);
    }
    assert.ok(latest <= boundMs, `${latest} ms`);
    assert.ok(
      latest > intervalMs + longestExchangeMs,
      `a bound of one exchange would be too low: ${latest} ms`,
    );
  });
});
