import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExcludedBrowsers } from './excluded-browsers.ts';

const browsers = createExcludedBrowsers(() => 'a secret');
const others = createExcludedBrowsers(() => 'another secret');
const change = { account: 7, host: 'go.example.com', excludes: true };
const until = 1_000;

test('a signed URL works for its domain, its change and ten minutes, and nothing else', () => {
  const path = browsers.path(change, until);
  assert.deepEqual(browsers.read(path, change.host, until - 1), { ...change, isExpired: false });
  assert.deepEqual(browsers.read(path, change.host, until), { ...change, isExpired: true });
  const back = { ...change, excludes: false };
  assert.deepEqual(browsers.read(browsers.path(back, until), change.host, 0), { ...back, isExpired: false });
  assert.equal(browsers.read(path, '', 0), undefined, 'the shared domain');
  assert.equal(browsers.read(path, 'other.example.com', 0), undefined);
  assert.equal(others.read(path, change.host, 0), undefined, 'another secret');
  for (const [from, to] of [
    ['/7.', '/8.'],
    ['.exclude.', '.count.'],
    ['.1000.', '.9000.'],
    ['/7.', '/07.'],
    [/.$/, '!'],
    [/.$/, ''],
    [/$/, 'A'],
    [/^\/\.well-known/, '/well-known'],
  ] as const)
    assert.equal(browsers.read(path.replace(from, to), change.host, 0), undefined, `${from} ${to}`);
});

test('a cookie marks a browser for its account and domain only', () => {
  const cookie = browsers.cookie(7, change.host);
  const includes = (header: string, account: number, host = change.host) =>
    browsers.includes(header, account, host);
  for (const header of [
    cookie,
    `a=b; ${cookie}; c=d`,
    `linkfold_uncounted_77=x;${cookie}`,
    // Another host on the same site can set a second cookie with the same name (RFC 6265, section 8.6).
    `linkfold_uncounted_7=x; ${cookie}`,
    `${cookie}; linkfold_uncounted_7=x`,
  ])
    assert.equal(includes(header, 7), true, header);
  assert.equal(includes(cookie, 8), false);
  for (const host of ['', 'other.example.com']) assert.equal(includes(cookie, 7, host), false, host);
  assert.equal(includes(cookie.replace('_7=', '_8='), 8), false, 'another account with its value');
  for (const header of [
    '',
    'a=b',
    'linkfold_uncounted_7=',
    'linkfold_uncounted_7=1',
    `${cookie}x`,
    `x${cookie}`,
  ])
    assert.equal(includes(header, 7), false, header);
  assert.equal(includes(others.cookie(7, change.host), 7), false, 'another secret');
  const unreadable = createExcludedBrowsers(() => assert.fail());
  assert.equal(unreadable.includes(cookie, 7, change.host), false, 'an unreadable secret');
  const [, mark = ''] = cookie.split('=');
  const signature = browsers.path(change, until).split('.').at(-1);
  assert.notEqual(mark, signature, 'each signature has one purpose');
});
