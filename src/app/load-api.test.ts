import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadApi } from './load-api.ts';

test('loads only one zod language with the API', async () => {
  assert.equal(typeof (await loadApi()).mountApi, 'function');
  const { z } = await import('zod');
  assert.deepEqual(Object.keys(z.locales), ['default']);
  assert.match(z.string().safeParse(1).error?.issues[0]?.message ?? '', /expected string/);
});
