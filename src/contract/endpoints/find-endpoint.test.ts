import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPrefix, type Endpoint } from '../endpoint.ts';
import { endpoints } from './endpoints.ts';
import { findEndpoint } from './find-endpoint.ts';

const id = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const all: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints);

for (const [name, endpoint] of all) {
  test(`finds ${name} by method and path`, () => {
    const url = apiPrefix + endpoint.path.replace(/:\w+/g, id);
    for (const more of ['', '/', '?a=/b', '/?a'])
      assert.equal(findEndpoint(endpoint.method, url + more), endpoint, more);
    if (endpoint.method === 'GET') assert.equal(findEndpoint('HEAD', url), endpoint);
    for (const other of [`${url}//`, `${url}/a/b/c`, url.replace('v1', 'v2'), url.slice(1)])
      assert.equal(findEndpoint(endpoint.method, other), undefined, other);
  });
}

test('prefers literal segments over parameters; parameters are never empty', () => {
  assert.equal(findEndpoint('GET', '/api/v1/links/by-code/move'), endpoints.getLinkByCode);
  assert.equal(findEndpoint('PATCH', '/api/v1/links/by-code/move'), endpoints.moveLink);
  assert.equal(findEndpoint('PATCH', '/api/v1/links//move'), undefined);
  assert.equal(findEndpoint('BREW', '/api/v1/links'), undefined);
  assert.equal(findEndpoint(undefined, undefined), undefined);
});
