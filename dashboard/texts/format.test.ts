import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { relative } from './format.ts';
import { formatFor } from './locale.ts';

describe('relative', () => {
  const zone = process.env['TZ'];
  beforeEach(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterEach(() => {
    process.env['TZ'] = zone ?? '';
    if (zone === undefined) delete process.env['TZ'];
    formatFor('en-GB');
  });

  for (const [now, at, english, german] of [
    ['2026-11-27T04:31:00+01:00', '2026-11-27T05:01:00+01:00', 'in 30 minutes', 'in 30 Minuten'],
    ['2026-11-27T04:31:00+01:00', '2026-11-27T09:31:00+01:00', 'in 5 hours', 'in 5 Stunden'],
    ['2026-11-27T04:32:00+01:00', '2026-11-28T05:32:00+01:00', 'tomorrow', 'morgen'],
    ['2026-11-27T00:10:00+01:00', '2026-11-28T23:50:00+01:00', 'tomorrow', 'morgen'],
    ['2026-11-27T04:31:00+01:00', '2026-12-01T04:00:00+01:00', 'in 4 days', 'in 4 Tagen'],
    ['2026-11-27T23:59:00+01:00', '2026-12-01T00:01:00+01:00', 'in 4 days', 'in 4 Tagen'],
    // The clock is set back on 25 October 2026, a day with 25 hours, and forward on 29 March 2026.
    ['2026-10-25T00:10:00+02:00', '2026-10-25T23:50:00+01:00', 'today', 'heute'],
    ['2026-10-24T23:00:00+02:00', '2026-10-26T00:30:00+01:00', 'in 2 days', 'übermorgen'],
    ['2026-03-28T12:00:00+01:00', '2026-03-30T00:30:00+02:00', 'in 2 days', 'übermorgen'],
    ['2026-11-27T20:00:00+01:00', '2026-11-25T23:00:00+01:00', '2 days ago', 'vorgestern'],
    ['2026-11-27T20:00:10+01:00', '2026-11-27T20:00:00+01:00', 'just now', 'gerade eben'],
    ['2026-11-27T20:59:50+01:00', '2026-11-27T20:00:00+01:00', '59 minutes ago', 'vor 59 Minuten'],
  ] as const)
    test(`${at} from ${now}`, () => {
      assert.equal(relative(at, Date.parse(now)), english);
      formatFor('de-DE');
      assert.equal(relative(at, Date.parse(now)), german);
    });
});
