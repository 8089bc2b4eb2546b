import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awkwardTexts } from '../../../test/support/random/awkward-texts.ts';
import { hostsByKind, referrerKinds, sameHost } from './referrer-hosts.ts';
import { createReadReferrer } from './referrers.ts';

const read = createReadReferrer(['sho.rt', 'l.example.com']);

const table: readonly (readonly [string, string, string])[] = [
  ['', '', ''],
  ['https://www.google.com/', 'google.com', 'search'],
  ['https://www.google.co.uk/search?q=secret', 'google.co.uk', 'search'],
  ['https://google.evil.example/', 'google.evil.example', 'other'],
  ['https://notgoogle.com/', 'notgoogle.com', 'other'],
  ['https://news.google.com/', 'news.google.com', 'news'],
  ['https://mail.google.com/mail/u/0/', 'mail.google.com', 'mail'],
  ['https://images.google.de/', 'images.google.de', 'search'],
  ['https://mail.yahoo.co.jp/', 'mail.yahoo.co.jp', 'mail'],
  ['https://l.facebook.com/l.php?u=secret', 'facebook.com', 'social'],
  ['https://lm.facebook.com/', 'facebook.com', 'social'],
  ['http://m.facebook.com', 'facebook.com', 'social'],
  ['https://l.instagram.com/', 'instagram.com', 'social'],
  ['https://t.co/AbC', 'x.com', 'social'],
  ['https://mobile.twitter.com/', 'x.com', 'social'],
  ['https://out.reddit.com/', 'reddit.com', 'social'],
  ['https://away.vk.com/', 'vk.com', 'social'],
  ['https://lnkd.in/abc', 'linkedin.com', 'social'],
  ['https://chat.openai.com/', 'chatgpt.com', 'ai'],
  ['https://m.youtube.com/watch?v=1', 'youtube.com', 'video'],
  ['https://web.whatsapp.com/', 'whatsapp.com', 'messaging'],
  ['https://workspace.slack.com/', 'workspace.slack.com', 'messaging'],
  ['https://googleads.g.doubleclick.net/', 'googleads.g.doubleclick.net', 'ads'],
  ['android-app://com.google.android.gm/', 'mail.google.com', 'mail'],
  ['android-app://com.Slack', 'slack.com', 'messaging'],
  ['android-app://org.example.reader/', 'org.example.reader', 'other'],
  ['android-app://single', '', ''],
  ['android-app://a.b<script>', '', ''],
  ['HTTPS://User:Secret@WWW.Example.COM.:8443/path?query#fragment', 'example.com', 'other'],
  ['https://www.m.example.com/', 'example.com', 'other'],
  ['https://www.com/', 'www.com', 'other'],
  ['https://m.com/', 'm.com', 'other'],
  ['http://intranet1/wiki', 'intranet1', 'other'],
  ['https://sho.rt/code+', '', ''],
  ['https://SHO.RT:443/', '', ''],
  ['https://l.example.com/code+', '', ''],
  ['https://www.example.com/', 'example.com', 'other'],
  // IP addresses are not stored, in any notation.
  ['http://203.0.113.7/', '', 'other'],
  ['http://3405803783/', '', 'other'],
  ['http://0xcb.0.0x71.7/', '', 'other'],
  ['http://[2001:db8::1]:8080/', '', 'other'],
  ['android-app://www.203.0.113.7', '', 'other'],
  [Buffer.from('https://www.bücher.example/').toString('latin1'), 'xn--bcher-kva.example', 'other'],
  ['https://b\xfccher.example/', '', ''],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example', 'other'],
  [`https://${'a.'.repeat(126)}b/`, `${'a.'.repeat(126)}b`, 'other'],
  [`https://${'a.'.repeat(127)}bc/`, '', ''],
  ...['about:blank', 'data:text/html,x', 'file:///etc', 'javascript:1', 'https://', 'http:///', '//a.b'].map(
    (text) => [text, '', ''] as const,
  ),
  ...['https://a b/', 'https://a\0b/', 'null', '-', '__proto__', 'android-app://__proto__.a'].map(
    (text) => [text, '', ''] as const,
  ),
  ['https://__proto__/', '__proto__', 'other'],
  ['https://constructor/', 'constructor', 'other'],
];

test("finds a referrer's host and kind", () => {
  for (const [header, host, kind] of table) {
    const { referrer, referrerKind } = read(header);
    assert.deepEqual([referrer, referrerKinds[referrerKind]], [host, kind], header);
  }
});

test('returns a short, lower-case, safe host for any header', () => {
  for (const base of ['https://www.example.com/', 'android-app://com.example.app/'])
    for (const { unit, text } of awkwardTexts(base, 60_000)) {
      const { referrer, referrerKind } = read(text);
      assert.match(referrer, /^[^\s/\\@:?#<>A-Z\x80-\uffff]{0,253}$/, unit);
      assert.ok(referrerKinds[referrerKind] !== undefined, unit);
    }
});

test('lists every host of the table once, with its kind', () => {
  const seen = new Set<string>();
  for (const [kind, hosts] of Object.entries(hostsByKind))
    for (const host of hosts.trim().split(/\s+/)) {
      assert.equal(seen.has(host), false, host);
      seen.add(host);
      const { referrer, referrerKind } = read(`https://${host.replace('*', 'com')}/`);
      assert.deepEqual([referrer, referrerKinds[referrerKind]], [host.replace('*', 'com'), kind]);
    }
  for (const [other, host] of sameHost) {
    assert.equal(sameHost.has(host), false, host);
    assert.equal(seen.has(other), false, other);
    assert.notEqual(referrerKinds[read(`https://${host}/`).referrerKind], 'other', host);
  }
});

test('keeps the kind numbers stored in existing clicks', () => {
  assert.deepEqual(referrerKinds.slice(0, 10), [
    '',
    'other',
    'search',
    'social',
    'mail',
    'ai',
    'messaging',
    'video',
    'news',
    'ads',
  ]);
});
