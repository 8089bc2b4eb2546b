import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatTimeIn, parseTimeIn, zoneNamed } from '../../model/zoned-times.ts';
import { readFilter } from './filter-texts.ts';
import { type ParsedQuery, parseQuery, type StatisticsQuery, toQuestion } from './parse-query.ts';

const now = Date.parse('2027-04-10T10:30:00Z');

function understood(asked: StatisticsQuery): ParsedQuery {
  const read = parseQuery(asked, now);
  assert.ok(!('problems' in read), JSON.stringify(read));
  return read;
}

function span({ from, to }: { from: number; to: number }): string {
  return [from, to].map((at) => new Date(at).toISOString().replace(/:00\.000Z$/, 'Z')).join(' ');
}

describe('times', () => {
  for (const [text, zone, expected] of [
    ['2027-03-28', 'Europe/Berlin', '2027-03-28T00:00:00+01:00'],
    ['2027-03-29', 'Europe/Berlin', '2027-03-29T00:00:00+02:00'],
    ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T03:30:00+02:00'],
    ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T02:30:00+02:00'],
    ['2027-03-28T02:30Z', 'Europe/Berlin', '2027-03-28T04:30:00+02:00'],
    ['2027-03-28T02:30-05', 'Asia/Kathmandu', '2027-03-28T13:15:00+05:45'],
    // A day that starts at one o'clock, and a day that does not exist.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T01:00:00-02:00'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-31T00:00:00+14:00'],
  ] as const)
    test(`parses ${text} in ${zone} as ${expected}`, () => {
      assert.equal(formatTimeIn(parseTimeIn(text, zone) ?? 0, zone), expected);
    });

  test('accepts existing zone names in any case, but not offsets', () => {
    assert.deepEqual(['europe/berlin', 'UTC', '+02:00', 'Europe/Nowhere', '', '../etc'].map(zoneNamed), [
      'Europe/Berlin',
      'UTC',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('ranges', () => {
  test('default to the last 30 days in the zone, including today', () => {
    assert.equal(span(understood({})), '2027-03-12T00:00Z 2027-04-10T10:30Z');
    const tokyo = understood({ timezone: 'Asia/Tokyo' });
    assert.equal(span(tokyo), '2027-03-11T15:00Z 2027-04-10T10:30Z');
    const { range } = toQuestion(tokyo, { kind: 'account' });
    assert.equal(range.buckets.length, 30);
    assert.equal(span(understood({ to: '2027-04-01' })), '2027-03-02T00:00Z 2027-04-01T00:00Z');
  });

  test('start with the retention if it is shorter, unless a start is given', () => {
    const retained = parseQuery({ timezone: 'Asia/Tokyo' }, now, 7);
    assert.ok(!('problems' in retained));
    assert.equal(span(retained), '2027-04-04T00:00Z 2027-04-10T10:30Z');
    const asked = parseQuery({ from: '2027-03-01' }, now, 7);
    assert.ok(!('problems' in asked));
    assert.equal(span(asked), '2027-03-01T00:00Z 2027-04-10T10:30Z');
  });

  for (const [from, to, interval] of [
    ['2027-03-01', '2027-03-04', 'hour'],
    ['2027-03-01', '2027-03-04T00:00:01', 'day'],
    ['2027-01-01', '2027-07-04', 'day'],
    ['2026-07-01', '2027-07-01', 'week'],
    ['2020-07-01', '2027-07-01', 'month'],
  ] as const)
    test(`return a series from ${from} to ${to} by ${interval}`, () => {
      assert.equal(understood({ from, to }).interval, interval);
    });

  for (const [compare, asked, expected] of [
    ['previous', {}, '2027-02-10T13:30Z 2027-03-12T00:00Z'],
    ['previous', { from: '2027-03-28', to: '2027-03-30' }, '2027-03-25T23:00Z 2027-03-27T23:00Z'],
    ['previous', { from: '2027-03-27', to: '2027-03-28' }, '2027-03-25T23:00Z 2027-03-26T23:00Z'],
    ['year', { from: '2027-04-01', to: '2027-05-01' }, '2026-03-31T22:00Z 2026-04-30T22:00Z'],
    ['2026-01-01..2026-02-01T12:00Z', {}, '2025-12-31T23:00Z 2026-02-01T12:00Z'],
  ] as const)
    test(`compute ${compare} of ${JSON.stringify(asked)} as ${expected}`, () => {
      const zone = asked === undefined || !('from' in asked) ? 'UTC' : 'Europe/Berlin';
      const timezone = compare.includes('..') ? 'Europe/Berlin' : zone;
      const { compare: earlier } = understood({ ...asked, timezone, compare });
      assert.equal(earlier && span(earlier), expected);
    });

  for (const [asked, field, sentence] of [
    [{ from: 'yesterday' }, 'from', /from must be an ISO 8601 date or time, such as 2027-01-31/],
    [{ to: '2027-02-30' }, 'to', /to must be an ISO 8601/],
    [{ from: '1969-12-31' }, 'from', /must not be before 1970/],
    [{ from: '2027-04-11' }, 'from', /must be before now \(2027-04-10T10:30:00.000Z\)\. Use an earlier from/],
    [{ from: '2027-04-02', to: '2027-04-02' }, 'from', /must be before to/],
    [{ timezone: 'CEST' }, 'timezone', /IANA time zone, such as Europe\/Berlin/],
    [
      { from: '2027-01-01', interval: 'hour' },
      'interval',
      /interval hour .+2,\d\d\d buckets; the maximum is 1,000/,
    ],
    [{ from: '1970-01-01', to: '9999-01-01', interval: 'month' }, 'interval', /97,\d\d\d buckets/],
    [{ compare: 'before' }, 'compare', /previous, year, or two dates/],
    [{ compare: '2026-02-01..2026-01-01' }, 'compare', /must contain the earlier time first/],
    [{ compare: '1971-01-01..2026-01-01' }, 'compare', /buckets/],
    [{ from: '1970-02-01', to: '1970-03-01', compare: 'year' }, 'compare', /before 1970/],
  ] as const)
    test(`reject ${JSON.stringify(asked)} because of ${field}`, () => {
      const read = parseQuery(asked, now);
      assert.ok('problems' in read);
      assert.deepEqual(
        read.problems.map((one) => one.field),
        [field],
      );
      assert.match(read.problems[0]?.message ?? '', sentence);
    });

  test('report all errors at once', () => {
    const read = parseQuery({ from: 'a', to: 'b', timezone: 'c', filter: ['d', 'e:f:g'] }, now);
    assert.ok('problems' in read);
    assert.deepEqual(
      read.problems.map((one) => one.field),
      ['timezone', 'filter', 'filter', 'to', 'from'],
    );
  });
});

describe('filters', () => {
  const id = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
  for (const [text, dimension, operator, ...values] of [
    ['country:is:de,FR', 'country', 'is', 'DE', 'FR'],
    ['referrer:is-not:', 'referrer', 'is-not', ''],
    ['utmCampaign:is:Spring%2C sale%3A 50%25,b%3Ac', 'utmCampaign', 'is', 'Spring, sale: 50%', 'b:c'],
    ['referrer:contains:GOOGLE', 'referrer', 'contains', 'google'],
    [`link:is:${id.toUpperCase()}`, 'link', 'is', id],
    ['folder:is:', 'folder', 'is', ''],
    ['class:is:bot', 'class', 'is', 'bot'],
  ] as const)
    test(`parse ${text}`, () => {
      assert.deepEqual(readFilter(text), { dimension, operator, values });
    });

  for (const [text, sentence] of [
    ['country', /must be dimension:operator:values/],
    ['country:is', /must be dimension:operator:values/],
    ['county:is:DE', /unknown dimension\. Dimensions: class, trigger, country/],
    ['country:equals:DE', /unknown operator\. Operators: is, is-not, contains/],
    ['utmTerm:is:100%', /invalid percent-encoding\. Encode % as %25/],
    ['utmTerm:is:a%00', /control characters/],
    [`utmTerm:is:${'x'.repeat(256)}`, /at most 255 characters/],
    [`country:is:${Array(101).fill('DE').join(',')}`, /at most 100 values/],
    ['class:is:people', /values among human, bot, preview, prefetch/],
    ['class:contains:bo', /Use is or is-not/],
    ['link:is:launch', /link IDs/],
    ['folder:is:Spring', /folder IDs/],
    ['referrer:contains:', /a text after contains/],
  ] as const)
    test(`reject ${text.slice(0, 40)} with the fix`, () => {
      const read = readFilter(text);
      assert.ok(typeof read === 'string');
      assert.match(read, sentence);
    });
});
