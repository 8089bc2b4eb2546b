import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadRow, type DateOrder, readCount, readTime } from './values.ts';

/** Returns the result of `read`, or its error message. */
function result<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    assert.ok(error instanceof BadRow);
    return error.message;
  }
}

test('counts: parses group and decimal separators, units, exponents, placeholders; nothing else is a number', () => {
  const cases: [number | undefined, ...string[]][] = [
    [0, '0', '000', '0.0', '0,00'],
    [5, '5', ' 5 ', '+5', '5.', '5.0', '5,00', '5e0'],
    [12_345, '12,345', '12.345', '12 345', '12\u00a0345', '12\u202f345', '12\u2009345', "12'345", '12’345'],
    [12_345, '12,345.00', '12.345,00', '12 345,0', '12.345k', '1.2345e4', '1.2345E+04'],
    [1_234_567, '1,234,567', '1.234.567', '1 234 567', '12,34,567', '1,234,567.0', '1.234567M'],
    [1_200, '1.2k', '1.2K', '1,2k', '1.2 k'],
    [3_000_000, '3M', '3m', '3mn', '3 Mio.'],
    [2_000_000_000, '2B', '2bn'],
    [
      undefined,
      '',
      ' ',
      'N/A',
      'n/a',
      '#N/A',
      'NA',
      '-',
      '–',
      '—',
      'null',
      'None',
      'NaN',
      'undefined',
      '\\N',
    ],
  ];
  for (const [expected, ...texts] of cases)
    for (const text of texts)
      assert.equal(
        result(() => readCount(text)),
        expected,
        text,
      );
  const wrong = [
    '0x10',
    '0b1',
    '-5',
    '1.5',
    '0.500',
    '1,5',
    '1,234k',
    '1,2,3',
    '1.2.3',
    '12,34',
    '1 2345',
    '1,234.567,8',
  ];
  for (const text of [...wrong, '5 clicks', '~5', '1_000', '9'.repeat(30), 'k', ',5', '1e400', '1k5'])
    assert.equal(
      result(() => readCount(text)),
      `${JSON.stringify(text)} is not an integer`,
    );
});

test('dates: parses formats of APIs, databases, spreadsheets and email; nothing else is a date', () => {
  const cases: [string | undefined, ...string[]][] = [
    [
      '2024-01-31T00:00:00.000Z',
      '2024-01-31',
      '2024/01/31',
      '2024.1.31',
      '20240131',
      '31.01.2024',
      '31.1.24',
      '1/31/2024',
    ],
    [
      '2024-01-31T00:00:00.000Z',
      '31/01/2024',
      '31-1-2024',
      'Jan 31, 2024',
      'January 31 2024',
      '31 Jan 2024',
      '31-Jan-24',
    ],
    [
      '2024-01-31T00:00:00.000Z',
      '31. Januar 2024',
      'Wed, 31 Jan 2024',
      'Mittwoch, 31. Januar 2024',
      'January 31st, 2024',
    ],
    [
      '2024-01-31T15:30:00.000Z',
      '2024-01-31 15:30:00',
      '2024-01-31T15:30Z',
      '2024-01-31 15:30:00 UTC',
      '20240131153000',
    ],
    ['2024-01-31T15:30:00.000Z', '2024-01-31 15:30:00 +0000 UTC', '2024-01-31 17:30:00.0 +0200 CEST m=+0.01'],
    [
      '2024-01-31T15:30:00.000Z',
      '1/31/2024 15:30',
      '1/31/2024, 3:30:00 PM',
      '31.01.2024, 15:30 Uhr',
      '20240131T153000Z',
    ],
    [
      '2024-01-31T15:30:00.000Z',
      'Wed, 31 Jan 2024 15:30:00 GMT',
      'Wed, 31 Jan 2024 10:30:00 EST',
      '31-Jan-2024 03:30 p.m.',
    ],
    ['2024-01-31T15:30:00.000Z', 'Wed Jan 31 2024 16:30:00 GMT+0100 (Central European Standard Time)'],
    [
      '2024-01-31T15:30:00.000Z',
      'Wed Jan 31 15:30:00 2024',
      'Wed Jan 31 15:30:00 UTC 2024',
      'Jan 31, 2024 at 3:30 PM',
    ],
    [
      '2024-01-31T15:30:00.000Z',
      '1706715000',
      '1706715000000',
      '1706715000000000',
      '1706715000000000000',
      '1706715000.0',
    ],
    ['2024-01-31T00:05:09.250Z', '1/31/2024 12:05:09.25 AM', '2024-01-31 00:05:09.250000'],
    ['2024-01-01T12:00:00.000Z', '45292.5', '45292,5'],
    ['1999-12-31T00:00:00.000Z', '12/31/1999', '31.12.99'],
    [
      undefined,
      '',
      '0',
      '0000-00-00',
      '0000-00-00 00:00:00',
      '0001-01-01T00:00:00Z',
      'never',
      'null',
      'N/A',
      '-',
      'infinity',
    ],
  ];
  const read = (text: string, dates?: DateOrder, zone = 'UTC') => {
    const at = result(() => readTime(text, { zone, dates }));
    return typeof at === 'number' ? new Date(at).toISOString() : at;
  };
  for (const [expected, ...texts] of cases)
    for (const text of texts) assert.equal(read(text), expected, text);
  const wrong = [
    'soon',
    '30.02.2024',
    '31/31/2024',
    '13:00',
    '2024-01-31T24:00',
    '5',
    '1234567',
    '2024-01-31 13:00 PM',
  ];
  for (const text of [
    ...wrong,
    'Jan 2024',
    'Foo 5, 2024',
    '2024-01-31 10:00 XYZ',
    '2024-01-31 10',
    '9'.repeat(30),
    '-1',
  ])
    assert.equal(read(text), `${JSON.stringify(text)} is not a date`);
  // A date with ambiguous day and month is accepted only if the user specifies the order.
  const which = '"2/1/2024" could be day/month or month/day: use --dates dmy or --dates mdy';
  assert.equal(read('2/1/2024'), which);
  assert.deepEqual(
    [
      read('2/1/2024', 'dmy'),
      read('2/1/2024', 'mdy'),
      read('2.1.2024', 'mdy'),
      read('5/5/2024'),
      read('1/31/2024', 'dmy'),
    ],
    ['2024-01-02', '2024-02-01', '2024-01-02', '2024-05-05', '2024-01-31'].map(
      (day) => `${day}T00:00:00.000Z`,
    ),
  );
  // Times without an offset are in the given time zone.
  for (const text of ['31.01.2024 15:30', '45322.645833333', '2024-01-31T15:30:00'])
    assert.equal(read(text, undefined, 'Europe/Berlin'), '2024-01-31T14:30:00.000Z', text);
});
