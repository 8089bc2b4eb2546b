import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/random/any-text.ts';
import { runs } from '../../test/support/random/random.ts';
import { expiryProblem, formatTimestamp, parseTimestamp } from './timestamps.ts';

/** Maps accepted strings to the times that the API returns. */
const accepted: Readonly<Record<string, string>> = {
  '2027-01-31': '2027-01-31T00:00:00.000Z',
  '2027-12-31': '2027-12-31T00:00:00.000Z',
  '2028-02-29': '2028-02-29T00:00:00.000Z',
  '2000-02-29': '2000-02-29T00:00:00.000Z',
  '2400-02-29': '2400-02-29T00:00:00.000Z',
  '1969-12-31': '1969-12-31T00:00:00.000Z',
  '0000-01-01': '0000-01-01T00:00:00.000Z',
  '0000-02-29': '0000-02-29T00:00:00.000Z',
  '0001-01-01': '0001-01-01T00:00:00.000Z',
  '0099-12-31': '0099-12-31T00:00:00.000Z',
  '9999-12-31': '9999-12-31T00:00:00.000Z',
  '2027-01-31T09:05': '2027-01-31T09:05:00.000Z',
  '2027-01-31T09:05Z': '2027-01-31T09:05:00.000Z',
  '2027-01-31T09:05:07': '2027-01-31T09:05:07.000Z',
  '2027-01-31T09:05:07Z': '2027-01-31T09:05:07.000Z',
  '2027-01-31T00:00:00Z': '2027-01-31T00:00:00.000Z',
  '2027-01-31T23:59:59Z': '2027-01-31T23:59:59.000Z',
  '2027-01-31T09:05:07.1Z': '2027-01-31T09:05:07.100Z',
  '2027-01-31T09:05:07.12Z': '2027-01-31T09:05:07.120Z',
  '2027-01-31T09:05:07.123Z': '2027-01-31T09:05:07.123Z',
  '2027-01-31T09:05:07.003': '2027-01-31T09:05:07.003Z',
  '2027-01-31T09:05:07.1239Z': '2027-01-31T09:05:07.123Z',
  '2027-01-31T09:05:07.999999Z': '2027-01-31T09:05:07.999Z',
  '2027-01-31T23:59:59.999999999Z': '2027-01-31T23:59:59.999Z',
  '2027-01-31T09:05+02': '2027-01-31T07:05:00.000Z',
  '2027-01-31T09:05-0230': '2027-01-31T11:35:00.000Z',
  '2027-01-31T09:05:07+02:00': '2027-01-31T07:05:07.000Z',
  '2027-01-31T09:05:07+0200': '2027-01-31T07:05:07.000Z',
  '2027-01-31T09:05:07.5+05:45': '2027-01-31T03:20:07.500Z',
  '2027-01-31T09:05:07-11': '2027-01-31T20:05:07.000Z',
  '2027-01-31T09:05:07+00:00': '2027-01-31T09:05:07.000Z',
  '2027-01-31T09:05:07-00:00': '2027-01-31T09:05:07.000Z',
  '2027-01-01T00:30+01:00': '2026-12-31T23:30:00.000Z',
  '2026-12-31T23:30-01:00': '2027-01-01T00:30:00.000Z',
  '2028-02-28T23:30-01:00': '2028-02-29T00:30:00.000Z',
  '2027-01-31T09:05+23:59': '2027-01-30T09:06:00.000Z',
  '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
};

/** Maps rejected strings to the reasons. */
const refused: Readonly<Record<string, string>> = {
  '': 'nothing',
  ' ': 'only a space',
  '2027': 'a year alone',
  '2027-01': 'a month alone',
  '20270131': 'the basic format',
  '2027-1-31': 'a month of one digit',
  '2027-01-1': 'a day of one digit',
  '2027-00-10': 'month 0',
  '2027-13-01': 'month 13',
  '2027-01-00': 'day 0',
  '2027-01-32': '32 January',
  '2027-02-29': '29 February of a common year',
  '2028-02-30': '30 February of a leap year',
  '2100-02-29': 'a century is no leap year',
  '1900-02-29': 'a century is no leap year',
  '2027-04-31': '31 April',
  '2027-06-31': '31 June',
  '2027-01-31T': 'no time after T',
  '2027-01-31T09': 'an hour alone',
  '2027-01-31T9:05': 'an hour of one digit',
  '2027-01-31T24:00': 'hour 24',
  '2027-01-31T24:00:00Z': 'hour 24',
  '2027-01-31T09:60': 'minute 60',
  '2027-01-31T09:05:60Z': 'a leap second',
  '2016-12-31T23:59:60Z': 'a real leap second',
  '2027-01-31T09:05:7Z': 'a second of one digit',
  '2027-01-31T09:05.5Z': 'a fraction of a minute',
  '2027-01-31T09:05:07.Z': 'a fraction without digits',
  '2027-01-31T09:05:07,5Z': 'a comma',
  '2027-01-31T09:05:07.0123456789Z': 'more than nanoseconds',
  '2027-01-31 09:05:07Z': 'a space for T',
  '2027-01-31t09:05:07Z': 'a small t',
  '2027-01-31T09:05:07z': 'a small z',
  '2027-01-31Z': 'a zone without a time',
  '2027-01-31+02:00': 'a zone without a time',
  '2027-01-31T09:05:07+2': 'an offset of one digit',
  '2027-01-31T09:05:07+020': 'an offset of three digits',
  '2027-01-31T09:05:07+24:00': 'an offset of a day',
  '2027-01-31T09:05:07+02:60': 'offset minute 60',
  '2027-01-31T09:05:07\u221202:00': 'a minus sign that is no hyphen',
  '2027-01-31T09:05:07 +02:00': 'a space before the offset',
  '2027-01-31T09:05:07ZZ': 'two zones',
  '2027-01-31T09:05:07Z+01:00': 'two zones',
  '2027-01-31T09:05:07Z\n': 'a line break at the end',
  ' 2027-01-31': 'a space in front',
  '2027-01-31 ': 'a space at the end',
  '+002027-01-31': 'an expanded year',
  '-2027-01-31': 'a negative year',
  '12027-01-31': 'a year of five digits',
  '2027-W05-1': 'a week date',
  '2027-031': 'an ordinal date',
  '2027/01/31': 'slashes',
  '31.01.2027': 'not ISO',
  '01/31/2027': 'not ISO',
  'Sun, 31 Jan 2027 09:05:07 GMT': 'an HTTP date',
  tomorrow: 'a word',
  '1800000000': 'seconds since the epoch',
  '1800000000000': 'milliseconds since the epoch',
  '2027-01-31T09:05:07[Europe/Berlin]': 'a zone name',
  '\u0662\u0660\u0662\u0667-01-31': 'Arabic digits',
  '\uff12027-01-31': 'a fullwidth digit',
  '2027-01-31T09:05:07\u0000': 'a NUL at the end',
  '9999-12-31T23:59:59.999-00:01': 'after the year 9999',
  '0000-01-01T00:00:00+00:01': 'before the year 0',
  P1D: 'a duration',
  '2027-01-31/2027-02-01': 'an interval',
};

describe('timestamps', () => {
  for (const [text, written] of Object.entries(accepted)) {
    test(`parses ${text} as ${written}`, () => {
      const at = parseTimestamp(text);
      assert.notEqual(at, undefined);
      assert.equal(formatTimestamp(at ?? 0), written);
    });
  }

  for (const [text, why] of Object.entries(refused)) {
    test(`rejects ${JSON.stringify(text)}: ${why}`, () => assert.equal(parseTimestamp(text), undefined));
  }

  const year0 = Date.parse('0000-01-01T00:00:00.000Z');
  const year9999 = Date.parse('9999-12-31T23:59:59.999Z');
  const moment = fc.integer({ min: year0, max: year9999 });

  test('reads a written timestamp back unchanged', () => {
    fc.assert(
      fc.property(moment, (at) => assert.equal(parseTimestamp(formatTimestamp(at)), at)),
      runs(5_000),
    );
  });

  test('reads the same time from every offset', () => {
    const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    const away = 86_400_000;
    const inside = fc.integer({ min: year0 + away, max: year9999 - away });
    fc.assert(
      fc.property(inside, minutes, fc.constantFrom('', ':'), (at, offset, colon) => {
        const local = formatTimestamp(at + offset * 60_000).slice(0, -1);
        const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${two(offset / 60)}${colon}${two(offset % 60)}`;
        assert.equal(parseTimestamp(local + zone), at, local + zone);
      }),
      runs(5_000),
    );
  });

  test('accepts exactly the dates of the calendar', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(number(9999), number(13), number(32), (year, month, day) => {
        const text = [String(year).padStart(4, '0'), month, day]
          .map((n) => String(n).padStart(2, '0'))
          .join('-');
        const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
        const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        const exists = day >= 1 && day <= (days[month - 1] ?? 0);
        assert.equal(parseTimestamp(text) !== undefined, exists, text);
      }),
      runs(5_000),
    );
  });

  test('never throws, and returns only years that can be written', () => {
    const mutated = fc.tuple(moment, fc.nat(24), anyText({ maxLength: 3 })).map(([at, index, junk]) => {
      const text = formatTimestamp(at);
      return text.slice(0, index) + junk + text.slice(index + junk.length);
    });
    fc.assert(
      fc.property(fc.oneof(mutated, anyText()), (text) => {
        const at = parseTimestamp(text);
        if (at !== undefined) assert.match(formatTimestamp(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }),
      runs(5_000),
    );
  });

  test('requires a valid (400) and future (422) expiry', () => {
    const now = Date.parse('2027-01-31T09:00:00.000Z');
    assert.equal(expiryProblem('2027-01-31T09:00:00.001Z', now), undefined);
    const { reason, code } = expiryProblem('2027-01-31T09:00:00Z', now) ?? {};
    assert.deepEqual({ reason, code }, { reason: 'in_the_past', code: 'EXPIRY_IN_PAST' });
    assert.equal(expiryProblem('2027-01-31T08:59:59.999Z', now)?.code, 'EXPIRY_IN_PAST');
    assert.equal(expiryProblem('soon', now)?.code, 'VALIDATION_ERROR');
    assert.equal(expiryProblem('soon', now)?.field, 'expiresAt');
  });
});
