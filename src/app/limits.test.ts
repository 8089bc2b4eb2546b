import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { LimitUse } from '../domain/limits.ts';
import { createLimitExchange } from './limits.ts';

test('nothing is said while nobody comes, no name is told, and a database that is away leaves the local count', async () => {
  const said: LimitUse[][] = [];
  const told: string[] = [];
  let isAway = false;
  const storage = {
    async shareUses(_node: number, _since: number, uses: readonly LimitUse[]) {
      if (isAway) throw new Error('away');
      said.push([...uses]);
      return uses.map(({ name }) => ({ name, uses: 10 }));
    },
  };
  const tell = (sentence: string): void => void told.push(sentence);
  const around = { storage, now: () => 60_000, onError: tell, onInfo: tell };
  const exchange = createLimitExchange({ ...around, intervalMs: 1, pauseAfterFaultMs: 5 });
  exchange.start();
  await pause(20);
  assert.equal(said.length, 0);

  exchange.codeMisses.take('203.0.113.7', 100);
  exchange.requests.take('203.0.113.7', 100);
  while (exchange.codeMisses.peek('203.0.113.7', 100).remaining !== 89) await pause(1);
  await pause(20);
  assert.equal(said.length, 1);
  assert.equal(new Set(said[0]?.map(({ name }) => name)).size, 2, 'each limit has names of its own');
  assert.ok(!JSON.stringify(said).includes('203.0.113'));

  isAway = true;
  for (let n = 0; n < 5; n += 1) {
    exchange.codeMisses.take('203.0.113.7', 100);
    await pause(5);
  }
  assert.equal(exchange.codeMisses.peek('203.0.113.7', 100).remaining, 84);
  assert.equal(told.length, 1);
  isAway = false;
  exchange.codeMisses.take('203.0.113.7', 100);
  while (told.length === 1) await pause(1);
  assert.deepEqual(
    said.at(-1)?.map(({ uses }) => uses),
    [7],
    'what was counted meanwhile is told',
  );
  await exchange.close();
});

test('a flood of one kind of names does not keep the others from being told', async () => {
  let exchanges = 0;
  const flood = (): void => {
    for (let n = 0; n < 1_000; n += 1) {
      exchange.requests.take(`${exchanges} ${n}`, 9);
      exchange.codeMisses.take(`${exchanges} ${n}`, 9);
    }
  };
  const storage = {
    async shareUses(_node: number, _since: number, uses: readonly LimitUse[]) {
      exchanges += 1;
      flood();
      assert.ok(uses.length < 500, 'an exchange stays small');
      return uses.map(({ name }) => ({ name, uses: 3 }));
    },
  };
  const tell = (sentence: string): void => assert.fail(sentence);
  const around = { storage, now: () => 60_000, onError: tell, onInfo: tell };
  const exchange = createLimitExchange({ ...around, intervalMs: 1 });
  flood();
  exchange.failures.take('203.0.113.7', 9);
  exchange.start();
  while (exchanges < 3) await pause(1);
  await exchange.close();
  assert.equal(exchange.failures.peek('203.0.113.7', 9).remaining, 5);
});
