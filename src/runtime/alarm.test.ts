import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAlarm } from './alarm.ts';

test('reports a fault at most once in ten seconds, and its end only if the fault was reported', () => {
  let now = 0;
  const told: string[] = [];
  const alarm = createAlarm({
    fault: 'It fails',
    onError: (sentence, facts) => told.push(`${sentence}: ${facts?.['reason']}`),
    over: 'It works again',
    onInfo: (sentence) => told.push(sentence),
    clock: () => now,
  });
  const toldAt = (at: number, happens: () => void): string[] => {
    now = at;
    happens();
    return told.splice(0);
  };

  assert.deepEqual(toldAt(0, alarm.clear), [], 'nothing was wrong');
  assert.deepEqual(
    toldAt(0, () => alarm.raise({ reason: 'one' })),
    ['It fails: one'],
  );
  assert.deepEqual(
    toldAt(9_999, () => alarm.raise({ reason: 'two' })),
    [],
  );
  assert.deepEqual(toldAt(9_999, alarm.clear), ['It works again']);
  assert.deepEqual(
    toldAt(9_999, () => alarm.raise({ reason: 'three' })),
    [],
    'the fault starts and ends',
  );
  assert.deepEqual(toldAt(9_999, alarm.clear), [], 'the end of an unreported fault is not reported');
  assert.deepEqual(
    toldAt(10_000, () => alarm.raise({ reason: 'four' })),
    ['It fails: four'],
  );
  assert.deepEqual(
    toldAt(20_000, () => alarm.raise({ reason: 'five' })),
    ['It fails: five'],
  );
  assert.deepEqual(toldAt(20_001, alarm.clear), ['It works again']);
});
