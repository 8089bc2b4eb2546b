import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCursor } from '../../model/cursors.ts';
import type { ApiContext } from '../request/handler.ts';
import { pageProblems } from './statistics.ts';

test('accepts a cursor from a node whose clock is slightly ahead, and rejects cursors from other times', () => {
  const context = { now: () => 1_800_000_000_000, statisticsDays: null } as unknown as ApiContext;
  const query = { groupBy: 'link' } as const;
  const problemsAhead = (ms: number) => {
    const list = ['account', ...Array(4), 'link', ...Array(2)];
    const cursor = writeCursor(list, [context.now() + ms, 5, 'value']);
    return pageProblems(context, ['account'], { ...query, cursor }).map(({ reason }) => reason);
  };
  assert.deepEqual(problemsAhead(0), []);
  assert.deepEqual(problemsAhead(30_000), []);
  assert.deepEqual(problemsAhead(3_600_000), ['invalid_format']);
});
