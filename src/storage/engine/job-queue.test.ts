// Tests the caller's side of a worker thread, with a thread that exits or is slow on demand.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Reads } from '../../model/storage.ts';
import { createJobQueue, type JobQueue } from './job-queue.ts';

function script(start = ''): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      ${start}
      let held;
      parentPort.on('message', (message) => {
        if (message === 'close') return parentPort.close();
        const [account, what] = message.args;
        if (what === 'die') process.exit(1);
        if (what === 'throw') throw new Error('a fault');
        if (what === 'fail') parentPort.postMessage({ thrown: { kind: 'error', message: 'broken' }, fault: 'io' });
        else if (what !== 'hang') parentPort.postMessage({ value: account + ' ' + what });
      });
      parentPort.postMessage('ready');`)}`,
  );
}
const data = { path: 'none', journal: undefined };
/** Queues a read. The first argument of every read is the account. */
function ask(queue: JobQueue<Reads>, account: number, what: string): Promise<unknown> {
  return queue.run('link', account, what);
}
const unavailable = { code: 'STORAGE_UNAVAILABLE', facts: { retryAfterSeconds: 1 } };
const overloaded = { code: 'OVERLOADED', facts: { retryAfterSeconds: 1 } };

test('answers reads in order, and fails only the failing one', async () => {
  const queue = createJobQueue<Reads>(script(), data, { role: 'reader' });
  const asked = [ask(queue, 1, 'a'), ask(queue, 1, 'fail'), ask(queue, 1, 'b')];
  await assert.rejects(asked[1] ?? Promise.resolve(), /broken/);
  assert.deepEqual([await asked[0], await asked[2]], ['1 a', '1 b']);
  assert.equal(queue.faults.io, 1);
  await queue.close();
  assert.equal(queue.faults.reader_ended, 0, 'a requested exit is not a fault');
  await assert.rejects(ask(queue, 1, 'a'), unavailable);
});

test('stops an idle thread and starts another for the next job', async () => {
  const queue = createJobQueue<Reads>(script(), data, { role: 'reader', idleMs: 20 });
  assert.equal(await ask(queue, 1, 'a'), '1 a');
  const running = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = running();
  const began = performance.now();
  while (running() >= before) {
    assert.ok(performance.now() - began < 60_000, 'the thread did not end');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.deepEqual(await Promise.all([ask(queue, 1, 'b'), ask(queue, 2, 'c')]), ['1 b', '2 c']);
  assert.equal(queue.faults.reader_ended, 0, 'an idle exit is not a fault');
  await queue.close();
});

for (const end of ['die', 'throw']) {
  test(`when the thread ends (${end}), refuses waiting jobs, logs it, and restarts`, async () => {
    const alarms: string[] = [];
    const queue = createJobQueue<Reads>(script(), data, {
      role: 'reader',
      onError: (sentence) => alarms.push(sentence),
    });
    assert.equal(await ask(queue, 1, 'work'), '1 work');
    for (const one of [ask(queue, 1, end), ask(queue, 2, 'work'), ask(queue, 1, 'work')])
      await assert.rejects(one, unavailable);
    assert.deepEqual([alarms.length, queue.faults.reader_ended], [1, 1]);
    const started = performance.now();
    while ((await ask(queue, 3, 'work').catch(() => undefined)) === undefined) {
      assert.ok(performance.now() - started < 60_000, 'not started again');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await queue.close();
  });
}

test('refuses jobs if the thread cannot start', async () => {
  const queue = createJobQueue<Reads>(script(`throw new Error('SQLite is too old');`), data, {
    role: 'reader',
  });
  await assert.rejects(ask(queue, 1, 'work'), unavailable);
  await queue.close();
});

test('refuses a read after five seconds, and the jobs behind it', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const queue = createJobQueue<Reads>(script(), data, { role: 'reader' });
    const slow = ask(queue, 1, 'hang');
    mock.timers.tick(3_000);
    const behind = ask(queue, 2, 'work');
    mock.timers.tick(2_000);
    await assert.rejects(slow, unavailable);
    mock.timers.tick(3_000);
    await assert.rejects(behind, unavailable);
    await queue.close();
  } finally {
    mock.timers.reset();
  }
});

test('takes accounts in turn and lets none fill the queue', async () => {
  const queue = createJobQueue<Reads>(script(), data, { role: 'reader' });
  const order: unknown[] = [];
  const note = (answer: unknown): void => void order.push(answer);
  // One of the 33 reads is running, so it does not count as waiting.
  const first = Array.from({ length: 33 }, (_, n) => ask(queue, 1, `n${n}`).then(note));
  await assert.rejects(ask(queue, 1, 'more'), overloaded);
  const second = [ask(queue, 2, 'a').then(note), ask(queue, 2, 'b').then(note)];
  await Promise.all([...first, ...second]);
  assert.deepEqual(order.slice(0, 5), ['1 n0', '2 a', '1 n1', '2 b', '1 n2']);

  const many = Array.from({ length: 129 }, (_, n) => ask(queue, n, 'work'));
  await assert.rejects(ask(queue, 200, 'more'), overloaded);
  await Promise.all(many);
  assert.equal(await ask(queue, 100, 'more'), '100 more');
  await queue.close();
});

test('finishes the current read when closed, and refuses waiting ones', async () => {
  const queue = createJobQueue<Reads>(script(), data, { role: 'reader' });
  const [underWay, waits] = [ask(queue, 1, 'work'), ask(queue, 1, 'work')];
  const closed = queue.close();
  await assert.rejects(waits, unavailable);
  assert.equal(await underWay, '1 work');
  await closed;
});
