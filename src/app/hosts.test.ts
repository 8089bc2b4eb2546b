import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';
import { createHosts } from './hosts.ts';

test('queries storage only with normalized hosts, so that random hosts fill no memory', async () => {
  const asked: string[] = [];
  const hosts = createHosts(loadConfig({ BASE_URL: 'https://short.brand.test' }), {
    findHost(host) {
      asked.push(host);
      return undefined;
    },
    isRoutedHere: () => false,
  });
  for (const host of [
    'x'.repeat(16_000),
    `${'a.'.repeat(200)}test`,
    'a b.test',
    'GO.brand.test',
    'a.test/b',
    '1.2.3.4',
  ])
    assert.equal(await hosts.has(host), false);
  assert.deepEqual(asked, []);
  assert.equal(await hosts.has('short.brand.test'), true);
  assert.equal(await hosts.has('go.brand.test'), false);
  assert.deepEqual(asked, ['go.brand.test']);
});
