import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClickBatch } from '../domain/clicks.ts';
import type { Target } from '../domain/link-records.ts';
import { createTold } from './clicks.fixtures.ts';
import { createDatabaseSink, type DatabaseSinkOptions } from './database-sink.ts';

const told = createTold();
afterEach(() => void told.sentences.splice(0));

type Fate = 'done' | 'refused' | 'answer lost' | 'late';

/** A database of one journal's position and one number, of which a test says what becomes of each batch. */
function createDatabase() {
  const late: (() => void)[] = [];
  const state = {
    position: 0,
    clicks: 0,
    batches: [] as number[],
    fate: 'done' as Fate,
    isAway: false,
    gate: Promise.resolve(),
    sent: 0,
    /** Positions that were asked for since the last commit. */
    attempts: new Set<number>(),
  };
  const commit = ({ from, to, sums }: ClickBatch): boolean => {
    if (from !== state.position) return false;
    state.position = to;
    state.attempts.clear();
    for (let at = 3; at < sums.length; at += 4) state.clicks += sums[at] ?? 0;
    state.batches.push(sums.length / 4);
    return true;
  };
  const storage: DatabaseSinkOptions['storage'] = {
    async appliedTo() {
      if (state.isAway) throw new Error('away');
      return state.position;
    },
    async applyClicks(batch) {
      const { fate } = state;
      state.sent += 1;
      state.attempts.add(batch.to);
      await state.gate;
      if (state.isAway || fate === 'refused') throw new Error('refused');
      if (fate === 'late') late.push(() => commit(batch));
      const done = fate !== 'late' && commit(batch);
      if (fate !== 'done') throw new Error('nobody knows');
      return done;
    },
    async forgetJournal() {
      state.position = 0;
    },
  };
  const commitLate = (): void => {
    for (const one of late.splice(0)) one();
  };
  return Object.assign(state, { storage, commitLate });
}

function start(more: Partial<DatabaseSinkOptions> = {}) {
  const database = createDatabase();
  const sink = createDatabaseSink({ id: 'j', storage: database.storage, onError: told.tell, ...more });
  const click = (): Promise<boolean> =>
    new Promise((resolve) => {
      sink.log.append({ row: 1 } as Target, 3_600_000, 'human', resolve);
    });
  const clicks = (count: number) => Promise.all(Array.from({ length: count }, click));
  return { database, sink, click, clicks };
}
function count(answers: readonly boolean[]): number {
  return answers.filter(Boolean).length;
}

test('a visitor goes on when the click is in the database; what comes meanwhile is the next batch', async () => {
  const { database, sink, click, clicks } = start();
  const gate = Promise.withResolvers<void>();
  database.gate = gate.promise;
  let gone = 0;
  const first = click().finally(() => (gone += 1));
  while (database.sent === 0) await pause(1);
  const others = clicks(50);
  await pause(5);
  assert.equal(gone, 0);
  gate.resolve();
  assert.equal(count([await first, ...(await others)]), 51);
  assert.deepEqual([database.clicks, database.batches.length], [51, 2]);
  await sink.applier.close();
  assert.equal(await click(), false);
  assert.deepEqual([database.position, told.sentences], [0, []]);
});

test('a commit whose answer was lost is asked for, and not repeated', async () => {
  const { database, sink, clicks } = start();
  for (const fate of ['answer lost', 'refused', 'late'] as const) {
    const before = database.clicks;
    database.fate = fate;
    const answers = clicks(3);
    while (sink.log.health().ok) await pause(1);
    database.fate = 'done';
    assert.equal(count(await answers), 3, fate);
    database.commitLate();
    assert.equal(database.clicks, before + 3, fate);
    assert.equal(sink.log.health().ok, true);
  }
  assert.equal(told.sentences.length, 3);
  await sink.applier.close();
});

test('a database that lacks what it had taken, because a standby took over, takes clicks again', async () => {
  const { database, sink, click, clicks } = start();
  for (let n = 0; n < 3; n += 1) assert.equal(await click(), true);
  for (const [position, fate] of [
    [1, 'done'],
    [0, 'answer lost'],
  ] as const) {
    Object.assign(database, { position, clicks: position, fate });
    const answers = clicks(2);
    while (sink.log.health().ok && database.clicks === position) await pause(1);
    database.fate = 'done';
    assert.equal(count(await answers), 2, fate);
    assert.equal(database.clicks, position + 2, 'each once');
  }
  assert.ok(told.sentences.some((sentence) => sentence.includes('lacks clicks')));
  await sink.applier.close();
});

test('a commit that comes late is no second one, whenever it comes', async () => {
  const { database, sink, click, clicks } = start();
  database.fate = 'late';
  const answers = clicks(3);
  while (sink.log.health().ok) await pause(1);
  const one = click();
  database.commitLate();
  database.fate = 'done';
  assert.equal(count([...(await answers), await one]), 4);
  assert.equal(database.clicks, 4);
  await sink.applier.close();
});

test('while the database is away a visitor waits so long and is refused, and so is who comes when many wait', async () => {
  const { database, sink, click, clicks } = start({ patienceMs: 600, maxWaiting: 10 });
  database.isAway = true;
  const began = performance.now();
  const answers = clicks(10);
  assert.equal(await click(), false);
  assert.ok(performance.now() - began < 500, 'at once');
  assert.equal(count(await answers), 0);
  const took = performance.now() - began;
  assert.ok(took > 590 && took < 1_500, `${took} ms`);
  database.isAway = false;
  assert.equal(await click(), true);
  assert.equal(database.clicks, 1, 'nobody who was refused counts');
  await sink.applier.close();
  assert.equal(database.clicks, 1);
});

test('a database that says nothing at all is waited for no longer', async () => {
  const { database, sink, clicks } = start({ patienceMs: 50 });
  const gate = Promise.withResolvers<void>();
  database.gate = gate.promise;
  assert.equal(count(await clicks(3)), 0);
  gate.resolve();
  await sink.applier.close();
  assert.equal(database.clicks, 0);
});

test('a click that was refused and turns out to be committed is taken out again', async () => {
  const { database, sink, click, clicks } = start({ patienceMs: 600 });
  for (const fate of ['answer lost', 'late'] as const) {
    const before = database.clicks;
    database.fate = fate;
    const answers = clicks(5);
    while (sink.log.health().ok) await pause(1);
    database.isAway = true;
    assert.equal(count(await answers), 0);
    if (fate === 'late') database.commitLate();
    assert.equal(database.clicks, before + 5);
    database.fate = 'done';
    database.isAway = false;
    assert.equal(await click(), true);
    await sink.applier.drain();
    assert.equal(database.clicks, before + 1, fate);
  }
  await sink.applier.close();
});

test('however long the database is away, only so many attempts are remembered, and none counts twice', async () => {
  const soon = (work: () => void, ms = 0) => setTimeout(work, Math.min(ms, 5));
  const timers = { setTimeout: soon as typeof setTimeout, clearTimeout, setImmediate };
  for (const fate of ['refused', 'late'] as const) {
    const { database, sink, click, clicks } = start({ patienceMs: 20, timers });
    database.fate = fate;
    for (let sent = database.sent; database.sent - sent < 30; ) assert.equal(count(await clicks(5)), 0);
    assert.equal(database.attempts.size, 8);
    database.fate = 'done';
    database.commitLate();
    for (let isBack = false; !isBack; ) isBack = await click();
    await sink.applier.drain();
    assert.equal(database.clicks, 1, fate);
    await sink.applier.close();
    assert.equal(database.clicks, 1, fate);
  }
});
