// Tests a worker that never becomes ready, which a real worker cannot do on demand. test/faults/workers.test.ts tests
// the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../telemetry/log.ts';
import type { Exit, WorkerProcess } from './process.ts';
import { createSupervisor } from './supervisor.ts';

const half = 30_000;

function newProcess(number: number) {
  const { promise: listening, resolve: isReady } = Promise.withResolvers<object>();
  const { promise: ended, resolve: end } = Promise.withResolvers<Exit>();
  const process: WorkerProcess = { number, pid: number, listening, ended, send() {}, end() {}, kill() {} };
  return { process, isReady, end };
}

test('logs a worker that does not become ready, whether or not another one is serving in its place', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const reports: string[] = [];
  const processes: ReturnType<typeof newProcess>[] = [];
  const tell = (_facts: unknown, sentence: string): void => void reports.push(sentence);
  const supervisor = createSupervisor({
    count: 1,
    startProcess(number) {
      const started = newProcess(number);
      processes.push(started);
      return started.process;
    },
    log: { info() {}, warn: tell, error() {} } as unknown as Logger,
    onServing() {},
    onGone() {},
    onGiveUp: (reason) => assert.fail(String(reason)),
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const started = supervisor.start();
  t.mock.timers.tick(half);
  assert.deepEqual(reports.splice(0), ['a worker is not ready yet']);
  processes[0]?.isReady({});
  await started;
  t.mock.timers.tick(half);
  assert.deepEqual(reports, []);

  void supervisor.replace();
  await tick();
  t.mock.timers.tick(half);
  assert.deepEqual(reports.splice(0), ['a worker is not ready yet; the previous one continues']);
  processes[0]?.end({ code: 1, signal: null });
  await tick();
  t.mock.timers.tick(half);
  assert.deepEqual(reports.splice(0), ['a worker is not ready yet']);
  processes[1]?.isReady({});
  await tick();

  // A crashed worker's replacement is logged in the same way.
  processes[1]?.end({ code: 1, signal: null });
  await tick();
  t.mock.timers.tick(half);
  assert.deepEqual(reports, ['a worker is not ready yet']);
  processes[2]?.isReady({});
});
