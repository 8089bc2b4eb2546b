import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { LimitUse } from '../../model/accounts/limits.ts';
import { createLimitExchange, createLimits } from './limits.ts';

test('reports nothing when idle, sends no names, and keeps the local count when others are unreachable', async () => {
  const reports: (readonly LimitUse[])[] = [];
  const warnings: string[] = [];
  let isAway = false;
  const limits = createLimits(() => 60_000);
  const tell = (sentence: string): void => void warnings.push(sentence);
  const loop = createLimitExchange({
    limits,
    onError: tell,
    onInfo: tell,
    intervalMs: 1,
    pauseAfterFaultMs: 5,
    async exchange(since, uses) {
      assert.equal(since, 60_000);
      if (isAway) throw new Error('away');
      reports.push(uses);
      return uses.map(({ name }) => ({ name, uses: 10 }));
    },
  });
  loop.start();
  await pause(20);
  assert.equal(reports.length, 0);

  limits.codeMisses.take('203.0.113.7', 100);
  limits.requests.take('203.0.113.7', 100);
  while (limits.codeMisses.peek('203.0.113.7', 100).remaining !== 89) await pause(1);
  await pause(20);
  assert.equal(reports.length, 1);
  assert.equal(new Set(reports[0]?.map(({ name }) => name)).size, 2, 'each limit has its own names');
  assert.ok(!JSON.stringify(reports).includes('203.0.113'));

  isAway = true;
  for (let n = 0; n < 5; n += 1) limits.codeMisses.take('203.0.113.7', 100);
  while (warnings.length === 0) await pause(1);
  assert.equal(limits.codeMisses.peek('203.0.113.7', 100).remaining, 84);
  isAway = false;
  limits.codeMisses.take('203.0.113.7', 100);
  while (warnings.length === 1) await pause(1);
  const last = reports.at(-1)?.map(({ uses }) => uses);
  assert.deepEqual(last, [7], 'attempts counted in the meantime are reported');
  await loop.close();
});

test('shares each window by its last minute', async () => {
  const sinces = new Set<number>();
  const limits = createLimits(() => 3_720_000);
  const fail = (sentence: string): void => assert.fail(sentence);
  const loop = createLimitExchange({
    limits,
    onError: fail,
    onInfo: fail,
    intervalMs: 1,
    async exchange(since, uses) {
      sinces.add(since);
      return uses.map(({ name }) => ({ name, uses: 3 }));
    },
  });
  limits.codeMisses.take('203.0.113.7', 9);
  limits.wrongByAddress.take('1 203.0.113.7', 9);
  limits.wrongByLink.take('1', 9);
  loop.start();
  while (limits.wrongByLink.peek('1', 9).remaining !== 5) await pause(1);
  await loop.close();
  assert.equal(limits.wrongByAddress.peek('1 203.0.113.7', 9).remaining, 5);
  assert.equal(limits.codeMisses.peek('203.0.113.7', 9).remaining, 5);
  assert.deepEqual([...sinces].toSorted(), [3_720_000, 4_140_000, 7_140_000]);
});

test('reports all kinds of names during a flood of one kind', async () => {
  let exchanges = 0;
  const limits = createLimits(() => 60_000);
  const flood = (): void => {
    for (let n = 0; n < 1_000; n += 1) {
      limits.requests.take(`${exchanges} ${n}`, 9);
      limits.codeMisses.take(`${exchanges} ${n}`, 9);
    }
  };
  const fail = (sentence: string): void => assert.fail(sentence);
  const loop = createLimitExchange({
    limits,
    onError: fail,
    onInfo: fail,
    intervalMs: 1,
    async exchange(_since, uses) {
      exchanges += 1;
      flood();
      assert.ok(uses.length < 500, 'an exchange stays small');
      return uses.map(({ name }) => ({ name, uses: 3 }));
    },
  });
  flood();
  limits.failures.take('203.0.113.7', 9);
  loop.start();
  while (exchanges < 3) await pause(1);
  await loop.close();
  assert.equal(limits.failures.peek('203.0.113.7', 9).remaining, 5);
});
