import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketStarts, type Interval } from './buckets.ts';

function starts(from: string, to: string, zone: string, interval: Interval): readonly string[] {
  return [...bucketStarts(Date.parse(from), Date.parse(to), zone, interval)].map((at) =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(zone)
      .toString({ timeZoneName: 'never', smallestUnit: 'minute' }),
  );
}

test('starts days at midnight in the zone, across clock changes', () => {
  assert.deepEqual(starts('2027-03-27T12:00:00Z', '2027-03-29T12:00:00Z', 'Europe/Berlin', 'day'), [
    '2027-03-27T00:00+01:00',
    '2027-03-28T00:00+01:00',
    '2027-03-29T00:00+02:00',
  ]);
});

test('makes two buckets for a repeated hour, none for a skipped one', () => {
  assert.deepEqual(starts('2027-10-31T00:30:00Z', '2027-10-31T02:00:00Z', 'Europe/Berlin', 'hour'), [
    '2027-10-31T02:00+02:00',
    '2027-10-31T02:00+01:00',
  ]);
  assert.deepEqual(starts('2027-03-28T00:00:00Z', '2027-03-28T02:00:00Z', 'Europe/Berlin', 'hour'), [
    '2027-03-28T01:00+01:00',
    '2027-03-28T03:00+02:00',
  ]);
});

test('starts a bucket mid-hour when clocks change by half an hour', () => {
  assert.deepEqual(starts('2027-04-03T14:00:00Z', '2027-04-03T16:30:00Z', 'Australia/Lord_Howe', 'hour'), [
    '2027-04-04T01:00+11:00',
    '2027-04-04T01:30+10:30',
    '2027-04-04T02:00+10:30',
  ]);
});

test('starts weeks on Mondays, months on their first day, hours on the hour in the zone', () => {
  assert.deepEqual(starts('2027-01-01T00:00:00Z', '2027-01-12T00:00:00Z', 'UTC', 'week'), [
    '2026-12-28T00:00+00:00',
    '2027-01-04T00:00+00:00',
    '2027-01-11T00:00+00:00',
  ]);
  assert.deepEqual(starts('2027-01-31T00:00:00Z', '2027-03-01T00:00:00Z', 'UTC', 'month'), [
    '2027-01-01T00:00+00:00',
    '2027-02-01T00:00+00:00',
  ]);
  assert.deepEqual(starts('2027-01-01T00:00:00Z', '2027-01-01T01:00:00Z', 'Asia/Kathmandu', 'hour'), [
    '2027-01-01T05:00+05:45',
    '2027-01-01T06:00+05:45',
  ]);
});

test('omits a day that the zone skipped, and rejects an unknown zone', () => {
  assert.deepEqual(starts('2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z', 'Pacific/Apia', 'day'), [
    '2011-12-29T00:00-10:00',
    '2011-12-31T00:00+14:00',
    '2012-01-01T00:00+14:00',
  ]);
  assert.throws(() => starts('2027-01-01', '2027-01-02', 'Mars/Olympus', 'day'), RangeError);
});
