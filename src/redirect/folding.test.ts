import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createFolding, type Folding, type FoldingOptions } from './folding.ts';
import { createTold } from './redirect.fixtures.ts';

const told = createTold();
let folding: Folding | undefined;
afterEach(async () => {
  await folding?.close();
  told.sentences.length = 0;
});

/** Rows of links that have recent clicks, and which of them were moved when. */
const createRows = (...rows: number[]) => {
  const state = {
    rows,
    slices: [] as number[][],
    soundSlices: Number.POSITIVE_INFINITY,
    gate: Promise.resolve(),
    /** Whether another process has the turn. */
    isOthersTurn: false,
  };
  const foldClicks = async (afterRow: number, most: number): Promise<number | undefined> => {
    await state.gate;
    if (state.slices.length >= state.soundSlices) throw new Error('the disk is full');
    const slice = state.rows.filter((row) => row > afterRow).slice(0, most);
    state.slices.push(slice);
    state.rows = state.rows.filter((row) => !slice.includes(row));
    return slice.at(-1);
  };
  const takeTurn = async (): Promise<boolean> => !state.isOthersTurn;
  return Object.assign(state, { storage: { foldClicks, takeTurn } });
};
const start = ({ storage }: ReturnType<typeof createRows>, more: Partial<FoldingOptions> = {}): void => {
  const pace = { intervalMs: 5, pauseMs: 1, sumsPerSlice: 2 };
  folding = createFolding({ storage, onAlarm: told.tell, ...pace, ...more });
  folding.start();
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};

test('a round goes through all links in slices, the next one begins anew', async () => {
  const recent = createRows(1, 2, 3, 4, 5);
  start(recent);
  await until(() => recent.rows.length === 0);
  assert.deepEqual(recent.slices.slice(0, 3), [[1, 2], [3, 4], [5]]);
  recent.rows = [2, 9];
  await until(() => recent.rows.length === 0);
});

test('between two rounds is the interval', async () => {
  const recent = createRows(1);
  start(recent, { intervalMs: 60_000 });
  await until(() => recent.slices.length === 2);
  recent.rows = [1];
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(recent.slices, [[1], []]);
});

test('a fault is told once, and the round goes on where it was', async () => {
  const recent = createRows(1, 2, 3);
  recent.soundSlices = 1;
  start(recent);
  await until(() => told.sentences.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(told.sentences.length, 1);
  recent.soundSlices = Number.POSITIVE_INFINITY;
  await until(() => recent.rows.length === 0);
  assert.deepEqual(recent.slices[1], [3]);
  recent.soundSlices = 0;
  await until(() => told.sentences.length === 2);
});

test('the age is that of the last round that moved all, by when it began', async () => {
  let now = 0;
  const recent = createRows(1, 2, 3);
  const { promise, resolve } = Promise.withResolvers<void>();
  recent.gate = promise;
  start(recent, { clock: () => now, intervalMs: 60_000 });
  const age = (): number | undefined => folding?.stats().ageSeconds;
  now = 7_000;
  assert.equal(age(), 7, 'what an earlier process left');
  await new Promise((wait) => setTimeout(wait, 10));
  now = 9_000;
  resolve();
  await until(() => recent.slices.length === 3);
  await new Promise((wait) => setTimeout(wait, 10));
  assert.equal(age(), 2);
  now = 70_000;
  assert.equal(age(), 63);
});

test('a round that fails halfway makes nothing younger', async () => {
  let now = 0;
  const recent = createRows(1, 2, 3);
  recent.soundSlices = 1;
  start(recent, { clock: () => now });
  await until(() => told.sentences.length > 0);
  now = 50_000;
  await new Promise((wait) => setTimeout(wait, 30));
  assert.equal(folding?.stats().ageSeconds, 50);
  assert.ok((folding?.stats().failures ?? 0) >= 1);
  recent.soundSlices = Number.POSITIVE_INFINITY;
  await until(() => recent.rows.length === 0);
  await new Promise((wait) => setTimeout(wait, 30));
  assert.equal(folding?.stats().ageSeconds, 0);
});

test('a round in the turn of another process is left to it, and is no older than its interval', async () => {
  let now = 0;
  const recent = createRows(1, 2, 3);
  recent.isOthersTurn = true;
  now = 90_000;
  start(recent, { clock: () => now, intervalMs: 1 });
  now = 200_000;
  await until(() => folding?.stats().ageSeconds === 0.001);
  assert.deepEqual(recent.slices, []);
  recent.isOthersTurn = false;
  await until(() => recent.rows.length === 0);
  assert.deepEqual(recent.slices.slice(0, 2), [[1, 2], [3]], 'once begun, a round is ended');
});

test('closing waits for the slice under way, and nothing follows', async () => {
  const recent = createRows(1, 2, 3);
  const { promise, resolve } = Promise.withResolvers<void>();
  recent.gate = promise;
  start(recent);
  await new Promise((wait) => setTimeout(wait, 10));
  let closed = false;
  const closing = folding?.close().then(() => {
    closed = true;
  });
  await new Promise((wait) => setTimeout(wait, 10));
  assert.ok(!closed);
  resolve();
  await closing;
  await new Promise((wait) => setTimeout(wait, 10));
  assert.deepEqual(recent.slices, [[1, 2]]);
});
