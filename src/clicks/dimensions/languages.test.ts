import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { awkwardTexts } from '../../../test/support/random/awkward-texts.ts';
import { languages, readLanguage } from './languages.ts';

const table: readonly (readonly [string, string])[] = [
  ['', ''],
  ['*', ''],
  ['de', 'de'],
  ['de-DE,de;q=0.9,en;q=0.8', 'de'],
  [' EN-us , fr', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['fil-PH', 'fil'],
  ['pt_BR', 'pt'],
  ['iw-IL', 'he'],
  ['in-ID', 'id'],
  ['en;q=0.5, de', 'en'],
  ['xx', 'other'],
  ['tlh', 'other'],
  ['english', ''],
  ['e', ''],
  ['-de', ''],
  [',de', ''],
  ['d\u00e9', ''],
  ['__proto__', ''],
  ['C', ''],
];

test("returns the visitor's first preference", () => {
  for (const [header, tag] of table) assert.equal(languages[readLanguage(header)], tag, header);
});

test('knows every two-letter language that Node can name, by its current code', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const tag of letters.flatMap((a) => letters.map((b) => a + b))) {
    if (names.of(tag) === undefined) continue;
    const today = Intl.getCanonicalLocales(tag)[0]?.split('-')[0] ?? '';
    const read = languages[readLanguage(tag)] ?? '';
    assert.ok(read === today || read === tag, `${tag} is read as ${read}`);
  }
  for (const tag of languages.slice(2)) assert.notEqual(names.of(tag), undefined, tag);
});

test('keeps the numbers stored in existing clicks', () => {
  const stored = languages.slice(0, 201);
  assert.deepEqual([stored[0], stored[1], stored[2], stored[200]], ['', 'other', 'aa', 'yue']);
  assert.equal(
    createHash('sha256').update(stored.join(' ')).digest('hex'),
    'f2d00f434989d65b821acc456ac6e8e12142b23e40c0e114c57e6611927d25b1',
  );
  assert.equal(new Set(languages).size, languages.length);
  assert.ok(languages.length <= 256);
});

test('parses hostile headers', () => {
  for (const { text, unit } of awkwardTexts('de-DE', 60_000))
    assert.ok(readLanguage(text) < languages.length, unit);
});
