import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../model/failures.ts';
import type { Logger } from '../telemetry/log.ts';
import { createFaultLog } from './fault-log.ts';

test('logs one line per ten seconds with the number of refused requests while storage is unavailable', () => {
  let now = 0;
  const lines: unknown[] = [];
  const fault = createFaultLog(
    { error: (...line: unknown[]) => void lines.push(line) } as unknown as Logger,
    () => now,
  );
  const full = new Failure('STORAGE_UNAVAILABLE', 'the disk is full');
  const said = 'The database is unavailable; requests are rejected.';
  for (; now < 10_000; now += 10) fault(full, `r${now}`);
  assert.deepEqual(lines.splice(0), [[{ reason: 'the disk is full', requests: 1, requestId: 'r0' }, said]]);
  fault(full, 'later');
  assert.deepEqual(lines.splice(0), [
    [{ reason: 'the disk is full', requests: 1_000, requestId: 'later' }, said],
  ]);
  const bug = new Error('a bug');
  for (const requestId of ['a', 'b']) fault(bug, requestId);
  assert.deepEqual(
    lines,
    ['a', 'b'].map((requestId) => [{ err: bug, requestId }, 'request failed']),
  );
});
