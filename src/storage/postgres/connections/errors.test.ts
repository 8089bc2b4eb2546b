import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusedCommit } from './errors.ts';

test('reports a commit with unknown outcome as unknown, not refused', () => {
  const answered = (code: string): boolean => isRefusedCommit(Object.assign(new Error('said'), { code }));
  for (const code of ['40001', '40P01', '23505', '25P02']) assert.ok(answered(code), code);
  for (const code of ['40003', '08006', '57P01']) assert.ok(!answered(code), code);
});
