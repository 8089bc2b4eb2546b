// Tests the caller's side of the writer thread, with a thread that exits on demand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWriteQueue, type WriteQueue } from './queue.ts';

function script(start: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      ${start}
      const perform = ({ id, args: [what] }) => {
        if (what === 'die') process.exit(1);
        if (what === 'throw') throw new Error('a fault');
        const outcomes = [{ id, result: { value: 'done', replayed: false } }];
        if (what !== 'hang') parentPort.postMessage({ outcomes, tookMs: 1, changes: [], faults: [] });
      };
      parentPort.on('message', (message) => {
        if (message === 'close') return parentPort.close();
        for (const unit of message) perform(unit);
      });
      parentPort.postMessage('ready');`)}`,
  );
}
const fullDisks = new Int32Array(new SharedArrayBuffer(4));
const data = { path: 'none', synchronous: 'FULL', fullDisks } as const;
function ask(queue: WriteQueue, what: string) {
  return queue.send({ name: 'ping', args: [what] });
}
const unavailable = { code: 'STORAGE_UNAVAILABLE', facts: { retryAfterSeconds: 1 } };

for (const end of ['die', 'throw']) {
  test(`when the thread ends (${end}), refuses waiting writes and restarts within about a second`, async () => {
    const began = performance.now();
    const queue = createWriteQueue(script(''), data);
    await queue.ready();
    await ask(queue, 'work');
    const waiting = [ask(queue, 'hang'), ask(queue, end), ask(queue, 'work')];
    for (const one of waiting) await assert.rejects(one, unavailable);
    const soon = await ask(queue, 'work').catch((error: unknown) => error);
    // On a busy machine, the thread may have run for a second or more. It is then restarted immediately.
    if (performance.now() - began < 1_000) await assert.rejects(Promise.reject(soon), unavailable);
    const started = performance.now();
    while (true) {
      const outcome = await ask(queue, 'work').catch(() => undefined);
      if (outcome !== undefined) break;
      assert.ok(performance.now() - started < 60_000, 'not started again');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(queue.stats().faults.writer_ended, 1);
    await queue.close();
    assert.equal(queue.stats().faults.writer_ended, 1, 'a requested exit is not a fault');
    await assert.rejects(ask(queue, 'work'), { code: 'STORAGE_UNAVAILABLE' });
  });
}

test('reports why a thread cannot start', async () => {
  const queue = createWriteQueue(script(`throw new Error('SQLite is too old');`), data);
  await assert.rejects(queue.ready(), /SQLite is too old/);
  await queue.close();
});

test('waits for submitted writes when closed', async () => {
  const queue = createWriteQueue(script(''), data);
  const sent = ask(queue, 'work');
  await queue.close();
  assert.deepEqual(await sent, { value: 'done', replayed: false });
});
