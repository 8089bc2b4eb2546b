import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { all } from './db.ts';

async function after(ms: number, outcome: string | Error): Promise<string> {
  await pause(ms);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

test('throws the first failure of statements in one round trip, because others may depend on it', async () => {
  let ended = 0;
  const last = after(40, 'late').finally(() => {
    ended += 1;
  });
  const failing = all(
    after(30, new Error('the transaction is aborted')),
    after(10, new Error('a deadlock')),
    last,
  );
  await assert.rejects(failing, /a deadlock/);
  assert.equal(ended, 1, 'no transaction is open when the error is thrown');
  assert.deepEqual(await all(after(5, 'a'), 'b', after(1, 'c')), ['a', 'b', 'c']);
});
