import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';
import { createHosts } from './hosts.ts';

test('queries storage only with normalized hosts, so that random hosts fill no memory', async () => {
  const requests: string[] = [];
  const hosts = createHosts(loadConfig({ BASE_URL: 'https://short.brand.test' }), {
    findHost(host) {
      requests.push(host);
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
  assert.deepEqual(requests, []);
  assert.equal(await hosts.has('short.brand.test'), true);
  assert.equal(await hosts.has('go.brand.test'), false);
  assert.deepEqual(requests, ['go.brand.test']);
});
