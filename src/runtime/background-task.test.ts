import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { createReports } from '../clicks/clicks.fixtures.ts';
import { type BackgroundTask, type BackgroundTaskOptions, createBackgroundTask } from './background-task.ts';

const reports = createReports();
let rounds: BackgroundTask | undefined;
afterEach(async () => {
  await rounds?.close();
  reports.sentences.length = 0;
});

/** Creates rows with work to do, and the task functions that process them and record the slices. */
function createRows(...rows: number[]) {
  const state = {
    rows,
    slices: [] as number[][],
    soundSlices: Number.POSITIVE_INFINITY,
    gate: Promise.resolve(),
    /** Whether another process holds the lease. */
    isOthersLease: false,
  };
  const acquireLease = async (): Promise<boolean> => !state.isOthersLease;
  const slice = async (afterRow: number): Promise<number | undefined> => {
    await state.gate;
    if (state.slices.length >= state.soundSlices) throw new Error('the disk is full');
    const done = state.rows.filter((row) => row > afterRow).slice(0, 2);
    state.slices.push(done);
    state.rows = state.rows.filter((row) => !done.includes(row));
    return done.at(-1);
  };
  return Object.assign(state, { slice, acquireLease });
}
function start(
  { slice, acquireLease }: ReturnType<typeof createRows>,
  more: Partial<BackgroundTaskOptions> = {},
): void {
  const pace = { intervalMs: 5, pauseMs: 1 };
  rounds = createBackgroundTask({
    slice,
    acquireLease,
    fault: 'It fails.',
    onError: reports.report,
    ...pace,
    ...more,
  });
  rounds.start();
}

test('processes everything in slices, then starts again', async () => {
  const work = createRows(1, 2, 3, 4, 5);
  start(work);
  await until('all is done', () => work.rows.length === 0);
  assert.deepEqual(work.slices.slice(0, 3), [[1, 2], [3, 4], [5]]);
  work.rows = [2, 9];
  await until('all is done', () => work.rows.length === 0);
});

test('takes no lease and starts no slice while there is no work', async () => {
  const work = createRows();
  let looks = 0;
  let ticks = 0;
  const acquireLease = async (): Promise<boolean> => {
    ticks += 1;
    return true;
  };
  const hasWork = (): boolean => {
    looks += 1;
    return work.rows.length > 0;
  };
  start(work, { hasWork, acquireLease });
  await until('many checks', () => looks > 10);
  assert.deepEqual([ticks, work.slices.length], [0, 0]);
  assert.ok((rounds?.stats().ageSeconds ?? 9) < 5, 'nothing has waited');
  work.rows = [1, 2, 3];
  await until('all is done', () => work.rows.length === 0);
  assert.ok(ticks > 0);
});

test('waits for the interval between two runs', async () => {
  const work = createRows(1);
  start(work, { intervalMs: 60_000 });
  await until('two runs', () => work.slices.length === 2);
  work.rows = [1];
  await pause(30);
  assert.deepEqual(work.slices, [[1], []]);
});

test('reports an error once and continues where it stopped', async () => {
  const work = createRows(1, 2, 3);
  work.soundSlices = 1;
  start(work);
  await until('the fault is reported', () => reports.sentences.length > 0);
  await pause(30);
  assert.equal(reports.sentences.length, 1);
  work.soundSlices = Number.POSITIVE_INFINITY;
  await until('all is done', () => work.rows.length === 0);
  assert.deepEqual(work.slices[1], [3]);
  work.soundSlices = 0;
  await until('the next fault is reported', () => reports.sentences.length === 2);
});

test('reports the age of the last complete run, from its start', async () => {
  let now = 0;
  const work = createRows(1, 2, 3);
  const { promise, resolve } = Promise.withResolvers<void>();
  work.gate = promise;
  start(work, { clock: () => now, intervalMs: 60_000 });
  const age = (): number | undefined => rounds?.stats().ageSeconds;
  now = 7_000;
  assert.equal(age(), 7, 'work left by an earlier process');
  await pause(10);
  now = 9_000;
  resolve();
  await until('the run is complete', () => work.slices.length === 3);
  await pause(10);
  assert.equal(age(), 2);
  now = 70_000;
  assert.equal(age(), 63);
});

test('does not reset the age after a run that fails halfway', async () => {
  let now = 0;
  const work = createRows(1, 2, 3);
  work.soundSlices = 1;
  start(work, { clock: () => now });
  await until('the fault is reported', () => reports.sentences.length > 0);
  now = 50_000;
  await pause(30);
  assert.equal(rounds?.stats().ageSeconds, 50);
  assert.ok((rounds?.stats().failures ?? 0) >= 1);
  work.soundSlices = Number.POSITIVE_INFINITY;
  await until('a whole run is complete', () => rounds?.stats().ageSeconds === 0);
  assert.deepEqual(work.rows, []);
});

test('leaves a run to the process with the lease, with an age of at most the interval', async () => {
  let now = 0;
  const work = createRows(1, 2, 3);
  work.isOthersLease = true;
  now = 90_000;
  start(work, { clock: () => now, intervalMs: 1 });
  now = 200_000;
  await until('the age is the interval', () => rounds?.stats().ageSeconds === 0.001);
  assert.deepEqual(work.slices, []);
  work.isOthersLease = false;
  await until('all is done', () => work.rows.length === 0);
  assert.deepEqual(work.slices.slice(0, 2), [[1, 2], [3]], 'a run that has started is completed');
});

test('waits for the current slice when closed, and starts no other', async () => {
  const work = createRows(1, 2, 3);
  const { promise, resolve } = Promise.withResolvers<void>();
  work.gate = promise;
  start(work);
  await pause(10);
  let closed = false;
  const closing = rounds?.close().then(() => {
    closed = true;
  });
  await pause(10);
  assert.ok(!closed);
  resolve();
  await closing;
  await pause(10);
  assert.deepEqual(work.slices, [[1, 2]]);
});
