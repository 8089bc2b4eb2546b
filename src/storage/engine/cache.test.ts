import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCache } from './cache.ts';

test('distinguishes names with the same hash', () => {
  const stored = new Map([
    ['Aa', 1],
    ['BB', 2],
  ]);
  const cache = createCache(10, (name) => stored.get(name));
  for (const [name, value] of [...stored, ...stored]) assert.equal(cache.find(name), value);
  assert.equal(cache.find('BB'), 2);
  cache.drop('Aa');
  stored.set('BB', 3);
  assert.equal(cache.find('BB'), 2, 'another entry was dropped');
  cache.drop('BB');
  assert.equal(cache.find('BB'), 3);
  assert.equal(cache.find('C#'), undefined);
});

test('reloads a changed entry, however old', () => {
  let version = 1;
  const cache = createCache(4, (name) => `${name} ${version}`);
  // The first two reads fill the younger generation and the third starts a new generation. Then `a` is read again.
  for (const name of ['a', 'b', 'c', 'a']) cache.find(name);
  version = 2;
  for (const name of ['a', 'b', 'c']) cache.drop(name);
  assert.deepEqual(
    ['d', 'a', 'b', 'c'].map((name) => cache.find(name)),
    ['d 2', 'a 2', 'b 2', 'c 2'],
  );
});

test('reloads an entry that was not used while the younger half filled up', () => {
  let loads = 0;
  const cache = createCache(4, (name) => {
    loads += 1;
    return name;
  });
  for (const name of ['a', 'b', 'c', 'a', 'd', 'e']) cache.find(name);
  assert.equal(loads, 5);
  cache.find('a');
  assert.equal(loads, 5);
  cache.find('b');
  assert.equal(loads, 6);
  assert.ok(cache.stats().entries <= 4);
});
