import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDue, readSchedule } from './schedule.ts';

const at = (text: string): number => Date.parse(text);

test('makes a daily backup once after its time in UTC, even if the service was down at that time', () => {
  const daily = readSchedule('03:00');
  assert.equal(isDue(daily, undefined, at('2027-03-01T00:00:00Z')), true, 'the first one');
  const last = at('2027-03-01T03:00:05Z');
  assert.equal(isDue(daily, last, at('2027-03-02T02:59:59Z')), false);
  assert.equal(isDue(daily, last, at('2027-03-02T03:00:00Z')), true);
  assert.equal(isDue(daily, last, at('2027-03-05T01:00:00Z')), true, 'missed days');
});

test('counts an interval from the last backup', () => {
  const often = readSchedule('6h');
  const last = at('2027-03-01T03:00:00Z');
  assert.equal(isDue(often, last, last + 6 * 3_600_000 - 1), false);
  assert.equal(isDue(often, last, last + 6 * 3_600_000), true);
});

test('keeps making backups after the clock is set back by more than a day', () => {
  const last = at('2027-03-01T03:00:00Z');
  for (const schedule of ['03:00', '6h'])
    assert.equal(isDue(readSchedule(schedule), last, at('2026-01-01T00:00:00Z')), true);
});

test('rejects schedules that are too short, too long or ambiguous', () => {
  for (const text of ['24:00', '3', '03:60', '5m', '32d', '0h', '6 h', 'daily', '-1h', '* * * * *'])
    assert.throws(() => readSchedule(text), /time in UTC such as 03:00, or an interval/, text);
});
