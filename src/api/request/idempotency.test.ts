import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IdempotencyClaim } from '../../model/idempotency.ts';
import { createInProgress } from './idempotency.ts';

function once(accountId: number, key: string): IdempotencyClaim {
  return { accountId, key, fingerprint: 'x', at: 0 };
}
const inProgress = { code: 'IDEMPOTENCY_IN_PROGRESS' };

describe('concurrent requests with an Idempotency-Key', () => {
  test('rejects a second request while the first is running; other keys and accounts are not affected', async () => {
    const exclusively = createInProgress();
    const first = Promise.withResolvers<string>();
    const running = exclusively(once(1, 'a'), () => first.promise);
    await assert.rejects(
      exclusively(once(1, 'a'), async () => 'never'),
      inProgress,
    );
    assert.equal(await exclusively(once(1, 'b'), async () => 'other key'), 'other key');
    assert.equal(await exclusively(once(2, 'a'), async () => 'other account'), 'other account');
    first.resolve('done');
    assert.equal(await running, 'done');
    assert.equal(await exclusively(once(1, 'a'), async () => 'after'), 'after');
  });

  test('accepts a new request after the first failed, even synchronously', async () => {
    const exclusively = createInProgress();
    for (const fail of [async () => Promise.reject(new Error('no')), () => Promise.reject(new Error('no'))]) {
      await assert.rejects(exclusively(once(1, 'a'), fail), { message: 'no' });
    }
    assert.equal(await exclusively(once(1, 'a'), async () => 'mended'), 'mended');
  });
});
