import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkInputs } from '../../src/client/link-inputs.ts';
import { toCsv } from '../browser/to-csv.ts';
import { readLines, readTable } from '../bulk-create/lines.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { splitUtm, withUtm } from '../data/links/utm.ts';
import { codeFault, suggestCodes } from '../fields/codes.ts';
import { presetMoment } from '../fields/expiry.ts';
import { asCli, asCurl } from './commands.ts';
import { changesBetween, decidingFields, emptyDraft, toInput, withUrl } from './draft.ts';

test('moves UTM parameters of a pasted URL into their fields and restores them in one spelling', () => {
  const draft = withUrl(
    emptyDraft,
    ' https://a.example/p?x=1&utm_source=News%20Letter&utm_medium=Email#top ',
  );
  assert.equal(draft.url, 'https://a.example/p?x=1#top');
  assert.equal(draft.utm.source, 'News Letter');
  const { url, utm } = toInput(draft);
  assert.deepEqual([url, utm], [draft.url, { source: 'news_letter', medium: 'email' }]);
  assert.equal(
    withUtm('https://a.example/p?utm_medium=x&x=1#top', { source: 'a b', medium: 'email' }).join(''),
    'https://a.example/p?x=1&utm_source=a%20b&utm_medium=email#top',
  );
});

test('leaves a URL without UTM parameters unchanged', () => {
  for (const url of [
    'https://a.example',
    'https://a.example/?q=a+b&c=%7e',
    'http://[::1]:8080/x#?utm_source=y',
  ]) {
    assert.deepEqual(splitUtm(url).url, url);
    assert.deepEqual(toInput(withUrl(emptyDraft, url)), { url });
    assert.equal(withUtm(url, null).join(''), url);
  }
});

test('adds the scheme to a bare host; rejects text that is not a URL', () => {
  assert.equal(normalUrl('hallberg.example/a b?c d#e f'), 'https://hallberg.example/a%20b?c%20d#e%20f');
  assert.equal(normalUrl('https://hallberg .example/a'), undefined);
  assert.equal(normalUrl(' münchen.example/a?b '), 'https://münchen.example/a?b');
  for (const template of ['https://{1|www}.example.com/{path}', 'https://e.example/{path?search?q={path}}'])
    assert.equal(normalUrl(template), template);
  assert.equal(normalUrl('{1|www}.example.com/'), 'https://{1|www}.example.com/');
  for (const text of ['', 'word', 'javascript:alert(1)', 'ftp://a.example', 'https://', 'mailto:a@b.example'])
    assert.equal(normalUrl(text), undefined, text);
});

test('names characters that are not allowed in a code', () => {
  assert.deepEqual(codeFault('winter rides'), { kind: 'space' });
  assert.deepEqual(codeFault('grü.ße'), { kind: 'character', character: '.' });
  assert.deepEqual(codeFault('_a1'), { kind: 'start' });
  for (const code of ['/a', 'a/', 'a//b', 'a/-b', 'a/_'])
    assert.deepEqual(codeFault(code), { kind: 'slash' }, code);
  assert.deepEqual(codeFault('a'.repeat(51)), { kind: 'long' });
  assert.deepEqual(codeFault('ab'), { kind: 'short' });
  for (const code of ['', '☕', 'grüße', '☕'.repeat(50), 'shop/sale', 'a/b/☕'])
    assert.equal(codeFault(code), undefined);
  assert.equal(codeFault('Winter_26-b'), undefined);
  // On a domain with exact codes, nearly every code is valid.
  for (const code of ['a', '.well', '~x(1)', 'a/b.html', 'x'.repeat(190)])
    assert.equal(codeFault(code, true), undefined, code);
  for (const [code, kind] of [
    ['a b', 'space'],
    ['a//b', 'slash'],
    ['a/../b', 'slash'],
    ['x'.repeat(191), 'longest'],
  ] as const)
    assert.deepEqual(codeFault(code, true), { kind }, code);
  assert.deepEqual(codeFault('50%', true), { kind: 'character', character: '%' });
});

test('suggests valid codes from the URL', () => {
  const proposed = suggestCodes('https://www.hallberg.example/touren/Größe-2026.html', 'winter', 2026);
  assert.deepEqual(proposed.slice(0, 3), ['winter-26', 'winter-2', 'winter-2026']);
  assert.ok(proposed.includes('groesse-2026') && proposed.includes('touren'), proposed.join());
  assert.ok(proposed.every((code) => codeFault(code) === undefined));
  assert.deepEqual(suggestCodes('', '', 2026), []);
});

test("ends an expiry preset in the last minute of its day in the user's time zone", () => {
  const now = new Date(2026, 11, 28, 10);
  assert.deepEqual(presetMoment('tonight', now), new Date(2026, 11, 28, 23, 59));
  assert.deepEqual(presetMoment('week', now), new Date(2027, 0, 4, 23, 59));
  assert.deepEqual(presetMoment('month', now), new Date(2026, 11, 31, 23, 59));
});

test('quotes any text for the shell', () => {
  const draft = { ...emptyDraft, url: 'https://a.example/?a=1&b=2', title: `it's "$HOME"`, tags: ['a', 'b'] };
  assert.equal(
    asCli(draft, 'http://h'),
    `linkfold shorten 'https://a.example/?a=1&b=2' --server http://h --title 'it'\\''s "$HOME"' --tag a,b`,
  );
  assert.ok(asCurl(draft, 'http://h').includes(`-d '{"url":"https://a.example/?a=1&b=2","title":"it'\\''s`));
});

test('names link fields as the CLI does', () => {
  const named = linkInputs.map(({ name }): string => name);
  const { url: _url, plain: _plain, ...all } = { ...emptyDraft, ...decidingFields(emptyDraft) };
  assert.deepEqual(
    Object.keys(all).filter((name) => !named.includes(name)),
    [],
  );
  const card = { ...emptyDraft.card, title: 'Seen' };
  assert.match(
    asCli(
      { ...emptyDraft, url: 'https://a.example', card, maxClicks: '3', plain: { externalId: 'a' } },
      'http://h',
    ),
    / --external-id a --max-clicks 3 --card '{"title":"Seen"}'$/,
  );
});

test('sends a password only when it changes, and shows it in no command', () => {
  const open = { ...emptyDraft, url: 'https://a.example' };
  const kept = { ...open, password: null };
  const typed = { ...open, password: 'open sesame' };
  assert.deepEqual(changesBetween(kept, kept), {});
  assert.deepEqual(changesBetween(kept, { ...kept, title: 'T' }), { title: 'T' });
  assert.deepEqual(changesBetween(kept, open), { password: null });
  assert.deepEqual(changesBetween(kept, typed), { password: 'open sesame' });
  assert.deepEqual(toInput(kept), { url: 'https://a.example' });
  assert.deepEqual(toInput(typed), { url: 'https://a.example', password: 'open sesame' });
  assert.doesNotMatch(asCurl(typed, 'http://h') + asCli(typed, 'http://h'), /sesame/);
});

test('parses lines and CSV alike: quotes, semicolons, tabs, a byte-order mark, named columns', () => {
  const bare = readLines('https://a.example\n\nhttps://b.example, bee ,"Title, with comma"\r\n');
  assert.deepEqual(
    bare.map(({ number, url, code, title }) => [number, url, code, title]),
    [
      [1, 'https://a.example', '', ''],
      [3, 'https://b.example', 'bee', 'Title, with comma'],
    ],
  );
  const [named] = readLines('\uFEFFTitle;URL;Tags;Custom code\n"two\nlines";https://c.example;a|b;sea\n');
  assert.deepEqual(
    [named?.title, named?.url, named?.tags, named?.code, named?.number],
    ['two\nlines', 'https://c.example', ['a', 'b'], 'sea', 2],
  );
  assert.equal(readLines('https://a.example\tx1')[0]?.code, 'x1');
  const [head] = readLines('Long URL;Short code;Name;Owner\nhttps://a.example;sea;Sea;me');
  assert.deepEqual(
    [head?.url, head?.code, head?.title, head?.number],
    ['https://a.example', 'sea', 'Sea', 2],
  );
  const [german] = readLines(
    'Kurzlink,Ziel-URL,Ordner,UTM Source\nhttps://go.example/see,https://a.example,Presse,mail',
  );
  assert.deepEqual(
    [german?.url, german?.code, german?.folder, german?.utm],
    ['https://a.example', 'see', 'Presse', { source: 'mail' }],
  );
  const { columns, unused } = readTable('Long URL;Short code;Owner\nhttps://a.example;sea;me');
  assert.deepEqual(columns, [
    ['Long URL', 'url'],
    ['Short code', 'code'],
  ]);
  assert.deepEqual(unused, ['Owner']);
});

test('exports results without spreadsheet formulas', () => {
  assert.equal(toCsv([['=1+1', 'a"b', 'c,d']]), `'=1+1,"a""b","c,d"\r\n`);
});
