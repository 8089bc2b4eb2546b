import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { countUnapplied, createReports, factsOf, human, nextTick, targetOf } from '../clicks.fixtures.ts';
import { segmentsIn } from './files/directory.ts';
import type { JournalFs } from './files/io.ts';
import { byteOf, fileOfSegment, readSegment, segmentHeaderBytes, segmentOf } from './files/segment.ts';
import { type Journal, type JournalOptions, openJournal } from './journal.ts';

const target = targetOf(7);
const opened: Journal[] = [];
const reports = createReports();

function open(options: Partial<JournalOptions> = {}): Journal {
  const journal = openJournal({
    dir: temporaryFolder('clicks'),
    durability: 'default',
    onError: reports.report,
    ...options,
  });
  opened.push(journal);
  return journal;
}

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
});

/**
 * Stops time for journals that are opened from now on.
 * @returns a function that lets time pass until a condition holds
 */
function stopTime({ mock: { timers } }: TestContext): (holds: () => boolean) => Promise<void> {
  timers.enable({ apis: ['setTimeout'] });
  return async (holds) => {
    for (; !holds(); await nextTick()) timers.tick(10);
  };
}

/** Returns the number of clicks in a journal's files. */
function written(journal: Journal, from = 0): number {
  return countUnapplied(journal.dir, () => from);
}

function failing(faults: Partial<Record<keyof JournalFs, number>>, code = 'ENOSPC'): JournalFs {
  const fault = (name: keyof JournalFs): void => {
    const left = faults[name] ?? 0;
    if (left === 0) return;
    faults[name] = left - 1;
    throw Object.assign(new Error(`${code}: the disk refuses`), { code });
  };
  return {
    ...fs,
    writeSync: ((fd: number, bytes: Uint8Array, from: number, length: number, at: number) => {
      try {
        fault('writeSync');
      } catch (error) {
        // A full disk first accepts some of the bytes.
        fs.writeSync(fd, bytes, from, Math.min(length, 30), at);
        throw error;
      }
      return fs.writeSync(fd, bytes, from, length, at);
    }) as typeof fs.writeSync,
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      try {
        fault('fdatasync');
      } catch (error) {
        setImmediate(() => done(error as Error));
        return;
      }
      fs.fdatasync(fd, done);
    }) as typeof fs.fdatasync,
  };
}

function spying(events: string[]): JournalFs {
  return {
    ...fs,
    writeSync: ((...args: Parameters<typeof fs.writeSync>) => {
      events.push('write');
      return fs.writeSync(...args);
    }) as typeof fs.writeSync,
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      events.push('sync');
      fs.fdatasync(fd, (error) => {
        events.push('synced');
        done(error);
      });
    }) as typeof fs.fdatasync,
  };
}

test('default: writes all clicks of a tick once, then responds; syncs later', async (t) => {
  const passUntil = stopTime(t);
  const events: string[] = [];
  const journal = open({ fs: spying(events) });
  events.length = 0;
  for (const name of ['a', 'b', 'c']) journal.append(target, 1, human, (ok) => events.push(`${name} ${ok}`));
  assert.deepEqual(events, []);
  await nextTick();
  await nextTick();
  assert.deepEqual(events, ['write', 'a true', 'b true', 'c true']);
  assert.equal(journal.pending(7), 3);
  await passUntil(() => events.length === 6);
  assert.deepEqual(events.slice(4), ['sync', 'synced']);
});

test('strict: responds after the sync, which all waiting clicks share', async () => {
  const events: string[] = [];
  const journal = open({ durability: 'strict', fs: spying(events) });
  events.length = 0;
  const click = (name: string): Promise<void> =>
    new Promise((resolve) => {
      journal.append(target, 1, human, () => {
        events.push(name);
        resolve();
      });
    });
  const first = click('a');
  await nextTick();
  await nextTick();
  const rest = [click('b'), click('c')];
  await Promise.all([first, ...rest]);
  assert.deepEqual(events, ['write', 'sync', 'synced', 'a', 'write', 'sync', 'synced', 'b', 'c']);
});

test('strict: does not count or batch clicks that are written but not synced', async () => {
  const syncs: (() => void)[] = [];
  const held = {
    ...fs,
    fdatasync: ((_fd: number, done: (error: null) => void) => {
      syncs.push(() => done(null));
    }) as typeof fs.fdatasync,
  };
  const journal = open({ durability: 'strict', fs: held });
  const before = journal.takeBatch().to;
  journal.append(target, 1, human, () => {});
  while (syncs.length === 0) await nextTick();
  assert.equal(written(journal), 1);
  assert.equal(journal.pending(7), 0);
  assert.equal(journal.takeBatch().to, before);
  syncs.shift()?.();
  await nextTick();
  assert.equal(journal.pending(7), 1);
  assert.ok(journal.takeBatch().to > before);
});

test('relaxed: responds at once, and still writes once per tick', async () => {
  const events: string[] = [];
  const journal = open({ durability: 'relaxed', fs: spying(events) });
  events.length = 0;
  for (const name of ['a', 'b']) journal.append(target, 1, human, () => events.push(name));
  assert.deepEqual(events, ['a', 'b']);
  await nextTick();
  await nextTick();
  assert.deepEqual(events, ['a', 'b', 'write']);
  assert.equal(journal.pending(7), 2);
});

test('writes a click to the file before its response is sent', async () => {
  const journal = open();
  for (let clicks = 1; clicks <= 20; clicks += 1) {
    await new Promise((resolve) => journal.append(target, clicks, factsOf('bot'), resolve));
    assert.equal(written(journal), clicks);
  }
});

test('delays clicks while the disk fails, answers every visitor, and loses nothing', async (t) => {
  const passUntil = stopTime(t);
  for (const faults of [1, 2, 5]) {
    const counts = { writeSync: 0 };
    const ill = open({ fs: failing(counts) });
    const answers: boolean[] = [];
    const click = (): void => ill.append(target, 1, human, (ok) => answers.push(ok));
    click();
    await nextTick();
    counts.writeSync = faults;
    for (let tick = 0; tick < 5; tick += 1) {
      click();
      click();
      await nextTick();
    }
    await nextTick();
    assert.deepEqual(answers, Array(11).fill(true));
    assert.equal(ill.pending(7), 11);
    assert.equal(ill.health().ok, false);
    assert.match(ill.health().reason ?? '', /Could not write to the click journal: ENOSPC/);
    assert.equal(ill.health().clicksAtRisk, 10);
    assert.equal(written(ill), 1);
    await passUntil(() => ill.health().ok);
    assert.equal(ill.health().clicksAtRisk, 0);
    assert.equal(written(ill), 11);
    click();
    await nextTick();
    await nextTick();
    assert.equal(written(ill), 12);
    const bytes = fs.readFileSync(join(ill.dir, ill.id, fileOfSegment(0)));
    const pieces = [...readSegment(bytes, { journal: ill.id, segment: 0, last: true })];
    assert.ok(pieces.every((piece) => piece?.kind === 'frame'));
    assert.equal(written(ill, ill.takeBatch().to), 0);
  }
});

test('reports a deleted journal when its segment is full, answers visitors, and keeps every click in memory', async () => {
  const journal = open({ segmentBytes: 240 });
  const answers: boolean[] = [];
  fs.rmSync(journal.dir, { recursive: true });
  for (let click = 0; click < 10; click += 1) {
    journal.append(target, 1, human, (ok) => answers.push(ok));
    await nextTick();
    await nextTick();
  }
  assert.equal(journal.health().ok, false);
  assert.match(journal.health().reason ?? '', /Could not write to the click journal: ENOENT/);
  assert.deepEqual(answers, Array(10).fill(true));
  const { sums, to } = journal.takeBatch();
  assert.equal(sums.total(7), 10);
  journal.release(to);
  assert.equal(journal.health().clicksAtRisk, 0);
});

test('counts clicks above the memory limit, and reports them at risk until they are applied', async (t) => {
  const passUntil = stopTime(t);
  const counts = { writeSync: 0 };
  const journal = open({ fs: failing(counts), retryBytes: 110 });
  counts.writeSync = 1;
  for (let click = 0; click < 6; click += 1) {
    journal.append(target, 1, human, () => {});
    await nextTick();
    await nextTick();
  }
  assert.equal(journal.pending(7), 6);
  assert.equal(journal.health().clicksAtRisk, 6);
  await passUntil(() => journal.health().clicksAtRisk <= 4);
  assert.equal(written(journal), 2);
  assert.equal(journal.health().clicksAtRisk, 4);
  const { to } = journal.takeBatch();
  journal.release(to);
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
});

test('includes clicks in a batch while the disk fails, and writes them to no file later', async (t) => {
  const passUntil = stopTime(t);
  const counts = { writeSync: 0 };
  const journal = open({ fs: failing(counts) });
  journal.append(target, 1, human, () => {});
  await nextTick();
  await nextTick();
  // Four writes fail: the tick and the retry for the first batch, then the tick and the retry for the second batch.
  counts.writeSync = 4;
  journal.append(target, 2, human, () => {});
  await nextTick();
  await nextTick();
  const first = journal.takeBatch();
  assert.equal(first.sums.total(7), 2);
  assert.equal(journal.health().clicksAtRisk, 1);
  journal.append(target, 3, human, () => {});
  await nextTick();
  await nextTick();
  const second = journal.takeBatch();
  assert.ok(second.to > first.to, 'each batch with clicks ends after the previous one');
  assert.equal(second.sums.total(7), 1);
  await passUntil(() => journal.health().reason === undefined);
  journal.append(target, 4, human, () => {});
  await nextTick();
  await nextTick();
  assert.equal(written(journal, second.to), 1);
  journal.release(second.to);
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
});

test('applies clicks without a stored frame at their own offset', async () => {
  const counts = { writeSync: 0 };
  const journal = open({ fs: failing(counts), retryBytes: 10 });
  counts.writeSync = 1;
  journal.append(target, 1, human, () => {});
  await nextTick();
  await nextTick();
  assert.ok(journal.takeBatch().to > segmentHeaderBytes);
  journal.release(journal.takeBatch().to);
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
});

test('reports clicks at risk until they are synced, not only written', async (t) => {
  const passUntil = stopTime(t);
  const counts = { writeSync: 0 };
  const journal = open({ fs: failing(counts) });
  counts.writeSync = 1;
  journal.append(target, 1, human, () => {});
  await nextTick();
  await nextTick();
  await passUntil(() => written(journal) > 0);
  assert.deepEqual(journal.health(), { ok: false, clicksAtRisk: 1 });
  await journal.flush();
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
});

test('reports nothing at risk if a failed sync concerns applied clicks only', async () => {
  const counts: Partial<Record<keyof JournalFs, number>> = {};
  const journal = open({ fs: failing(counts) });
  counts.fdatasync = 1;
  journal.append(target, 1, human, () => {});
  await nextTick();
  await nextTick();
  journal.release(journal.takeBatch().to);
  await journal.flush();
  assert.equal(counts.fdatasync, 0);
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
});

test('strict: refuses clicks when the sync of the previous segment fails, and keeps them in no file', async () => {
  const journal = open({ durability: 'strict', fs: failing({ fdatasync: 1 }), segmentBytes: 40 });
  const click = (): Promise<boolean> => new Promise((resolve) => journal.append(target, 1, human, resolve));
  assert.equal(await click(), false);
  assert.equal(written(journal), 0);
  assert.equal(await click(), true);
  assert.equal(written(journal), 1);
});

test('strict: refuses and does not count a click whose write failed', async () => {
  for (const call of ['writeSync', 'fdatasync'] as const) {
    const counts: Partial<Record<keyof JournalFs, number>> = {};
    const journal = open({ durability: 'strict', fs: failing(counts) });
    const click = (): Promise<boolean> => new Promise((resolve) => journal.append(target, 1, human, resolve));
    assert.equal(await click(), true);
    counts[call] = 1;
    assert.equal(await click(), false);
    assert.equal(journal.health().ok, false);
    assert.equal(journal.pending(7), 1);
    assert.equal(written(journal), 1);
    assert.equal(await click(), true);
    assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
    assert.equal(written(journal), 2);
    assert.equal(written(journal, journal.takeBatch().to), 0);
  }
});

test('strict: refuses all clicks of a segment whose directory cannot be synced', async () => {
  const faults = { left: 1 };
  const journal = open({
    durability: 'strict',
    fs: {
      ...fs,
      fsync: ((fd: number, done: (error: Error | null) => void) => {
        faults.left -= 1;
        if (faults.left >= 0) setImmediate(() => done(new Error('EIO')));
        else fs.fsync(fd, done);
      }) as typeof fs.fsync,
    },
  });
  const click = (): Promise<boolean> => new Promise((resolve) => journal.append(target, 1, human, resolve));
  assert.equal(await click(), false);
  assert.equal(written(journal), 0);
  assert.equal(await click(), true);
  assert.equal(written(journal), 1);
});

test('never writes a file again after a failed sync, and reports the possible loss', async () => {
  const counts = { fdatasync: 1 };
  const journal = open({ fs: failing(counts) });
  journal.append(target, 1, human, () => {});
  await journal.flush();
  assert.equal(journal.health().clicksAtRisk, 1);
  assert.match(journal.health().reason ?? '', /Could not sync/);
  journal.append(target, 1, human, () => {});
  await nextTick();
  await nextTick();
  assert.deepEqual(segmentsIn(join(journal.dir, journal.id)), [0, 1]);
  assert.equal(written(journal), 2);
  journal.release(journal.takeBatch().to);
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
});

test('allocates segments at full size and deletes them when applied', async () => {
  const journal = open({ segmentBytes: 240 });
  for (let click = 0; click < 12; click += 1) {
    journal.append(target, 1, human, () => {});
    await nextTick();
    await nextTick();
  }
  const directory = join(journal.dir, journal.id);
  assert.deepEqual(segmentsIn(directory), [0, 1, 2]);
  assert.equal(written(journal), 12);
  const { to } = journal.takeBatch();
  assert.equal(segmentOf(to), 2);
  assert.equal(byteOf(to), fs.statSync(join(directory, '0000000000000002.jnl')).size);
  journal.release(to);
  assert.deepEqual(segmentsIn(directory), [2]);
});

test('records nothing after it is closed, and reports it', async () => {
  const journal = open();
  await journal.close();
  journal.append(target, 1, human, (recorded) => assert.equal(recorded, false));
});

test('detects an unwritable directory at startup', () => {
  const fs = failing({ writeSync: 1 }, 'EACCES');
  assert.throws(() => open({ fs }), /EACCES/);
});

for (const durability of ['default', 'strict'] as const) {
  test(`${durability}: opens with a full disk, reports it, and recovers without a click once there is space`, async (t) => {
    const passUntil = stopTime(t);
    const journal = open({ durability, fs: failing({ writeSync: 2 }) });
    assert.equal(journal.health().ok, false);
    await passUntil(() => journal.health().ok);
    await new Promise((resolve) => journal.append(target, 1, human, resolve));
    assert.equal(written(journal), 1);
  });
}

test('strict: recovers after a refused click without another one', async (t) => {
  const passUntil = stopTime(t);
  const journal = open({ durability: 'strict', fs: failing({ fdatasync: 1 }) });
  assert.equal(await new Promise((resolve) => journal.append(target, 1, human, resolve)), false);
  assert.equal(journal.health().ok, false);
  await passUntil(() => journal.health().ok);
});
