import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { clearUndo, currentNotice, notifyWithUndo, undoLast } from './undo.ts';

beforeEach(clearUndo);
const never = (error: unknown) => assert.fail(String(error));

test('undoes the last action first, each once, for up to twenty actions', async () => {
  const undone: number[] = [];
  for (let at = 0; at < 25; at += 1) notifyWithUndo(`did ${at}`, `undid ${at}`, async () => undone.push(at));
  assert.equal(currentNotice.value?.canUndo, true);
  while (await undoLast(never));
  assert.deepEqual(
    undone,
    Array.from({ length: 20 }, (_, at) => 24 - at),
  );
  assert.equal(currentNotice.value?.text, 'undid 5');
});

test('allows retrying a failed undo', async () => {
  let isDown = true;
  const errors: unknown[] = [];
  notifyWithUndo('deleted', 'restored', async () => {
    if (isDown) throw new Error('no answer');
  });
  await undoLast((error) => errors.push(error));
  assert.equal(errors.length, 1);
  isDown = false;
  assert.equal(await undoLast(never), true);
  assert.equal(currentNotice.value?.text, 'restored');
  assert.equal(await undoLast(never), false);
});
