import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/random/any-text.ts';
import { runs } from '../../../../test/support/random/random.ts';
import { type DestinationRules, isProblem, readDestination, readHostPattern } from './destinations.ts';

const rules: DestinationRules = {
  maxLength: 2_048,
  ownHosts: new Set(['sho.rt', 'go.example.com:8080']),
  blockedHosts: ['evil.example', '*.blocked.example'],
  isListed: (host) => host === 'listed.example',
  blockPrivate: true,
};

const pieces = fc.constantFrom(
  'http://',
  'https://',
  'HTTP://',
  'http:',
  'https:/',
  'javascript:',
  'data:',
  '//',
  '/',
  '\\',
  '@',
  ':',
  '?',
  '#',
  '.',
  '..',
  '%',
  '%00',
  '%0d%0a',
  '%2f',
  '%40',
  '[',
  ']',
  '[::1]',
  '\t',
  '\n',
  '\r',
  '\0',
  ' ',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\udc00',
  '\u3002',
  '\uff0f',
  '\u00df',
  '\u{1f600}',
  '"',
  '<',
  '>',
  'example.com',
  'sho.rt',
  'evil.example',
  'user',
  ':80',
  ':65536',
  '127.0.0.1',
  '0x7f',
  '1',
  'xn--',
  'a',
  '=',
);
const urlLike = fc.array(pieces, { minLength: 1, maxLength: 10 }).map((list) => list.join(''));
const afterScheme = fc
  .tuple(fc.constantFrom('http://', 'https://', 'hTTps://'), anyText({ maxLength: 40 }))
  .map((parts) => parts.join(''));
const anything = fc.oneof(
  { weight: 3, arbitrary: urlLike.map((text) => `http://${text}`) },
  { weight: 3, arbitrary: urlLike },
  { weight: 2, arbitrary: afterScheme },
  { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
  { weight: 1, arbitrary: anyText() },
);

/** Returns the CPU time for reading a destination, in microseconds. */
function cost(text: string, by = rules): number {
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    readDestination(text, by);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}

describe('destinations', () => {
  test('every accepted destination is printable ASCII over http or https, without user info', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anything, (text) => {
        const read = readDestination(text, rules);
        if (isProblem(read)) return;
        accepted += 1;
        assert.match(read.location, /^https?:\/\/[\x21-\x7e]+$/);
        const { protocol, username, password, hostname, host } = new URL(read.location);
        assert.match(protocol, /^https?:$/);
        assert.equal(username + password, '');
        assert.notEqual(hostname, '');
        assert.ok(!rules.ownHosts.has(host) && hostname !== 'evil.example');
        assert.doesNotMatch(read.location.split('/', 3).join('/'), /@/);
      }),
      runs(20_000),
    );
    assert.ok(
      accepted * 200 > runs(20_000).numRuns,
      `only ${accepted} were accepted: the generator proves little`,
    );
  });

  test('serializes stably: parsing the result gives the same URL', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const read = readDestination(text, rules);
        if (isProblem(read) || read.location.length > rules.maxLength) return;
        assert.deepEqual(readDestination(read.location, rules), {
          url: read.location,
          location: read.location,
        });
        const trimmed = text.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '');
        assert.equal(read.url, trimmed.replaceAll(' ', '%20'));
      }),
      runs(5_000),
    );
  });

  test('counts length in code points, after trimming', () => {
    const short = { ...rules, maxLength: 22 };
    assert.ok(!isProblem(readDestination(`  https://example.com/${'\u{1f600}'.repeat(2)} `, short)));
    const outcome = readDestination(`https://example.com/${'\u{1f600}'.repeat(3)}`, short);
    assert.ok(isProblem(outcome));
    assert.deepEqual([outcome.reason, outcome.code], ['too_long', 'VALIDATION_ERROR']);
  });

  test('takes about the same time for every text of 60 KB', () => {
    const length = 60_000;
    const plain = cost(`http://a${'a'.repeat(length)}b`);
    for (const unit of [' ', '\t', '\r\n', '\f ', '.', '/', '@', '%', '\u0301', '\ud83d\ude00']) {
      const many = unit.repeat(length / unit.length);
      for (const text of [`${many}http://a/`, `http://a${many}b`, `http://a/${many}`]) {
        const took = cost(text);
        // CPU time in microseconds. Quadratic parsing would take seconds.
        assert.ok(
          took <= 10 * plain + 10_000,
          `${JSON.stringify(unit)}: ${took} µs, plain letters ${plain} µs`,
        );
      }
    }
  });

  test('rejects a long host in a non-Latin script before parsing it', () => {
    const host = String.fromCodePoint(...Array.from({ length: 3_000 }, (_, at) => 0x4e00 + at));
    const long = { ...rules, maxLength: 8_192 };
    const [foreign, plain] = [`http://${host}/`, `http://${'a'.repeat(3_000)}/`].map((url) =>
      cost(url, long),
    );
    assert.ok((foreign ?? 0) <= 10 * (plain ?? 0) + 2_000, `${foreign} µs, plain letters ${plain} µs`);
    for (const [length, isRefused] of [
      [1_024, false],
      [1_025, true],
    ] as const) {
      const outcome = readDestination(`http://${'a'.repeat(length)}/`, long);
      assert.equal(isProblem(outcome) && outcome.message.includes('too long'), isRefused);
    }
  });

  test('recognizes our own host with its port; another port is another service', () => {
    const code = (url: string): string | undefined => {
      const read = readDestination(url, rules);
      return isProblem(read) ? read.code : undefined;
    };
    assert.equal(code('http://go.example.com:8080/a'), 'SELF_REFERENTIAL_URL');
    assert.equal(code('http://GO.example.com.:8080/a'), 'SELF_REFERENTIAL_URL');
    assert.equal(code('http://go.example.com/a'), undefined);
    assert.equal(code('https://sho.rt:8443/a'), undefined);
  });

  for (const [written, url] of [
    ['evil.com.', 'http://evil.com/'],
    ['Evil.COM', 'http://evil.com./'],
    ['[2001:DB8::0001]', 'http://[2001:db8:0::1]/'],
    ['0x0a.1', 'http://10.0.0.1/'],
    ['b\u00fccher.example', 'http://xn--bcher-kva.example/'],
    ['*.EVIL.com.', 'http://www.evil.com/'],
    ['*.b\u00fccher.example', 'http://a.b\u00fccher.example/'],
  ] as const) {
    test(`the block list entry ${written} covers ${url}`, () => {
      const blockedHosts = [readHostPattern(written) ?? 'refused'];
      const outcome = readDestination(url, { ...rules, blockPrivate: false, blockedHosts });
      assert.ok(isProblem(outcome) && outcome.code === 'DESTINATION_BLOCKED');
    });
  }

  for (const written of [
    ...['', '*', '*.', '*.*.com', 'a.*.com', 'evil.com:80', 'evil.com:443', 'http://evil.com', 'evil.com/'],
    'user@evil.com',
    '2001:db8::1',
    '[2001:db8::1',
    '[::1]:80',
    '[evil.com]',
    '*.1.2.3.4',
    '*.[::1]',
    '..',
    '.evil.com',
    'evil..com',
    'evil.com..',
    'a b',
    'a\\b',
    '%',
    '1.2.3.4.5',
    '256.1.1.1',
    '\u00ad',
  ]) {
    test(`${JSON.stringify(written)} is not a valid block list entry`, () =>
      assert.equal(readHostPattern(written), undefined));
  }
});
