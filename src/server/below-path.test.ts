import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOfBase, pathProblems } from '../runtime/base-path.ts';
import { createBelowPath } from './below-path.ts';

const hostOf = (header: string): string => (header === 'own.example' ? header : '');
const below = createBelowPath('https://example.com/go', hostOf);
assert.ok(below);
const { targetOf } = below;

test('removes the path of BASE_URL on the shared domain, and answers nothing outside it', () => {
  for (const [target, rest] of [
    ['/go', '/'],
    ['/go/', '/'],
    ['/go?a=b', '/?a=b'],
    ['/go#a', '/#a'],
    ['/go/spring?a=/go', '/spring?a=/go'],
    ['/go/go', '/go'],
    ['/go//x', '//x'],
    ['http://example.com/go/spring', 'http://example.com/spring'],
    ['http://example.com/go', 'http://example.com/'],
    ['/', undefined],
    ['/gone', undefined],
    ['/GO/spring', undefined],
    ['/spring', undefined],
    ['/x/go/spring', undefined],
    ['http://example.com/spring', undefined],
    ['http://example.com', undefined],
    ['*', undefined],
    ['', undefined],
    ['/healthz', '/healthz'],
    ['/readyz/?a', '/readyz/?a'],
    ['/metrics', '/metrics'],
    ['/metricsx', undefined],
    ['/.well-known/assetlinks.json', '/.well-known/assetlinks.json'],
    ['/robots.txt', undefined],
  ] as const)
    assert.equal(targetOf(target, 'example.com'), rest, target);
});

test('leaves custom domains alone', () => {
  for (const target of ['/', '/go', '/go/spring', '/spring'])
    assert.equal(targetOf(target, 'own.example'), target);
});

test('refuses settings that need the root of a host', () => {
  assert.equal(pathOfBase('https://example.com/a/go'), '/a/go');
  assert.equal(pathOfBase('https://example.com'), '');
  assert.equal(createBelowPath('https://example.com', hostOf), undefined);
  assert.deepEqual(pathProblems({ BASE_URL: 'https://example.com', OTHER_HOSTS: 'shared' }), []);
  const below = { BASE_URL: 'https://example.com/go', OTHER_HOSTS: 'refuse', DASHBOARD_HOST: null };
  assert.deepEqual(pathProblems(below), []);
  assert.match(pathProblems({ ...below, OTHER_HOSTS: 'shared' }).join(), /^OTHER_HOSTS=shared requires/);
  assert.match(pathProblems({ ...below, DASHBOARD_HOST: 'd.example' }).join(), /^DASHBOARD_HOST requires/);
});
