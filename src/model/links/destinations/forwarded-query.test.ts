import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/random/any-text.ts';
import { forwardModes, forwardQuery } from './forwarded-query.ts';

describe('the query of a short URL', () => {
  for (const [location, query, add, override] of [
    ['https://a.example/', 'x=1', 'https://a.example/?x=1', 'https://a.example/?x=1'],
    [
      'https://a.example/?x=0#end',
      'x=1&y=2',
      'https://a.example/?x=0&y=2#end',
      'https://a.example/?x=1&y=2#end',
    ],
    ['https://a.example/?x=0&x=5', 'x=1&x=2', 'https://a.example/?x=0&x=5', 'https://a.example/?x=1&x=2'],
    ['https://a.example/?a%20b=1', 'a+b=2', 'https://a.example/?a%20b=1', 'https://a.example/?a+b=2'],
    ['https://a.example/', 'trigger=qr', 'https://a.example/', 'https://a.example/'],
    ['https://a.example/?', '&&', 'https://a.example/?', 'https://a.example/?'],
    [
      'https://a.example/#/path?x=1',
      'x=2',
      'https://a.example/?x=2#/path?x=1',
      'https://a.example/?x=2#/path?x=1',
    ],
    ...[
      ['a="<b>&c=1', 'a=%22%3Cb%3E&c=1'],
      ['filter[city]=Rome&x=1', 'filter%5Bcity%5D=Rome&x=1'],
      ['utm_content={adgroup}|1', 'utm_content=%7Badgroup%7D%7C1'],
      ['pos=[1,2]&k=`^\\`', 'pos=%5B1,2%5D&k=%60%5E%5C%60'],
      ['a=é ☕', 'a=%C3%A9%20%E2%98%95'],
      ['a=100%&%zz=%F', 'a=100%25&%25zz=%25F'],
      ['a=%FF&b=%5b', 'a=%FF&b=%5b'],
      [`${'a&'.repeat(2_000)}z=1`, `${'a&'.repeat(2_000)}z=1`],
    ].map(
      ([query = '', sent]) =>
        ['https://a.example/', query, `https://a.example/?${sent}`, `https://a.example/?${sent}`] as const,
    ),
    [
      'https://a.example/?%25z=0&%FF=0',
      '%z=1&%fe=1',
      'https://a.example/?%25z=0&%FF=0',
      'https://a.example/?%25z=1&%fe=1',
    ],
    ['https://a.example/', `a=${'b'.repeat(20_000)}`, 'https://a.example/', 'https://a.example/'],
  ] as const) {
    test(`${query.slice(0, 30)} and ${location}`, () => {
      assert.equal(forwardQuery(location, query, 'none'), location);
      assert.equal(forwardQuery(location, query, 'add'), add);
      assert.equal(forwardQuery(location, query, 'override'), override);
    });
  }
});

test("forwards the visitor's parameters, as standard URL parsers read them", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), anyText(), fc.webQueryParameters()), (text) => {
      const query = text.replaceAll('#', '');
      const sent = new URL(forwardQuery('https://a.example/', query, 'add'));
      const wanted = [...new URLSearchParams(`?${query}`)].filter(([name]) => name !== 'trigger');
      assert.deepEqual([...sent.searchParams], wanted);
    }),
    { numRuns: 2_000 },
  );
});

test('visitor input never changes scheme, host, path or fragment, and never splits the header', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.oneof(fc.string(), anyText(), fc.webQueryParameters()),
      fc.constantFrom(...forwardModes),
      (url, query, mode) => {
        const { href } = new URL(url);
        const sent = forwardQuery(href, query, mode);
        const [before, after] = [new URL(href), new URL(sent)];
        assert.match(sent, /^[\x21-\x7e]+$/);
        for (const part of ['protocol', 'host', 'pathname', 'hash', 'username'] as const)
          assert.equal(after[part], before[part]);
        if (mode === 'add')
          for (const [name, value] of before.searchParams)
            assert.ok(after.searchParams.getAll(name).includes(value));
      },
    ),
    { numRuns: 2_000 },
  );
});
