import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awkwardTexts } from '../../../test/support/random/awkward-texts.ts';
import { readCampaign, triggers } from './campaigns.ts';

const empty = { trigger: 0, utmSource: '', utmMedium: '', utmCampaign: '', utmTerm: '', utmContent: '' };

const table: readonly (readonly [string, object])[] = [
  ['', {}],
  ['a=b&c', {}],
  [
    'utm_source=News&utm_medium=e-mail&utm_campaign=Spring+Sale&utm_term=a%26b&utm_content=%C3%BC',
    { utmSource: 'News', utmMedium: 'e-mail', utmCampaign: 'Spring Sale', utmTerm: 'a&b', utmContent: 'ü' },
  ],
  ['gclid=1&utm_source=a=b', { utmSource: 'a=b' }],
  ['utm_source=first&utm_source=second', { utmSource: 'first' }],
  ['utm_source=&utm_source=second', { utmSource: 'second' }],
  ['utm_source', {}],
  ['utm_source=%20%20', {}],
  ['utm_source=%00a%0Ab%1B[31m%C2%85', { utmSource: 'ab[31m' }],
  ['utm_source=%E2%80%AEdesrever%E2%80%8B', { utmSource: 'desrever' }],
  ['utm_source=%', { utmSource: '%' }],
  ['utm_source=%zz%2', { utmSource: '%zz%2' }],
  ['utm_source=%FF', { utmSource: '\ufffd' }],
  ['utm_source=\ud800', { utmSource: '\ufffd' }],
  [`utm_source=${'a'.repeat(101)}`, { utmSource: 'a'.repeat(100) }],
  [`utm_source=${'%F0%9F%98%80'.repeat(101)}`, { utmSource: '😀'.repeat(100) }],
  ['__proto__=a&constructor=b&utm_source=__proto__', { utmSource: '__proto__' }],
  ['trigger=qr', { trigger: 1 }],
  ['utm_source=a&trigger=preview', { trigger: 2, utmSource: 'a' }],
  ['trigger=link', {}],
  ['trigger=QR', {}],
  ['trigger=else', {}],
  [`${'a&'.repeat(2000)}utm_source=late`, {}],
];

test('reads the query of a short URL', () => {
  for (const [query, expected] of table)
    assert.deepEqual(readCampaign(query), { ...empty, ...expected }, query);
});

test('keeps the trigger numbers stored in existing clicks', () => {
  assert.deepEqual(triggers.slice(0, 3), ['link', 'qr', 'preview']);
});

test('returns short, printable, well-formed values for any query', () => {
  const isFine = (word: string): boolean =>
    [...word].length <= 100 && word.isWellFormed() && !/[\p{Cc}\p{Cf}]/u.test(word) && word === word.trim();
  for (const base of ['utm_source=a', 'utm_source=a&utm_term=b'])
    for (const { text, unit } of awkwardTexts(base, 60_000))
      for (const query of [text, `utm_term=${encodeURIComponent(text.toWellFormed())}`]) {
        const { trigger, ...words } = readCampaign(query);
        assert.equal(trigger, 0);
        for (const word of Object.values(words)) assert.ok(isFine(word), `${unit}: ${word}`);
      }
});
