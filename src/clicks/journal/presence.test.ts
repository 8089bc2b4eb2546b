import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { until } from '../../../test/support/until.ts';
import { createApplier } from '../applier.ts';
import {
  countUnapplied,
  createReferenceStorage,
  createReports,
  human,
  targetOf,
} from '../clicks.fixtures.ts';
import { drainOrphans } from '../recovery.ts';
import { journalsIn, segmentsIn } from './directory.ts';
import { type Durability, type Journal, type JournalOptions, openJournal } from './journal.ts';
import { isLocked } from './lock.ts';
import { fileOfSegment } from './segment.ts';

const reports = createReports();
const opened: Journal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  reports.sentences.length = 0;
});

function start(options: Partial<JournalOptions> = {}) {
  const dir = join(temporaryFolder('presence'), 'clicks');
  const reference = createReferenceStorage();
  const journal = openJournal({
    dir,
    durability: 'default' as Durability,
    lookEveryMs: 10,
    onError: reports.report,
    ...options,
  });
  opened.push(journal);
  const applier = createApplier({ storage: reference.storage, journal, onError: reports.report });
  const click = (): Promise<boolean> =>
    new Promise((resolve) => journal.append(targetOf(7), 3_600_000, human, resolve));
  return { dir, directory: join(dir, journal.id), reference, journal, applier, click };
}

function deletions(): number {
  return reports.sentences.filter((sentence) => sentence.includes('was deleted or replaced')).length;
}

for (const durability of ['default', 'strict', 'relaxed'] as const) {
  test(`${durability}: a deleted journal is noticed and begun anew, and no click is lost or counted twice`, async () => {
    const { dir, directory, reference, journal, applier, click } = start({ durability });
    for (let clicks = 0; clicks < 3; clicks += 1) await click();
    await applier.drain();
    for (let clicks = 0; clicks < 4; clicks += 1) await click();
    rmSync(dir, { recursive: true });
    await until('it is there again', () => existsSync(directory));
    await until('it is noticed', () => deletions() > 0);
    assert.deepEqual(journal.health(), {
      ok: false,
      reason: 'The click journal was deleted.',
      clicksAtRisk: 4,
    });
    assert.equal(isLocked(directory), true, 'no other process takes it for an orphan');
    assert.equal(await drainOrphans({ dir, storage: reference.storage, onError: reports.report }), 0);
    // What follows is in a file again: also when the process is killed before it is applied.
    for (let clicks = 0; clicks < 5; clicks += 1) assert.equal(await click(), true);
    await journal.flush();
    assert.equal(countUnapplied(dir), 5);
    assert.equal(applier.unapplied.of(7, reference.offsets.get(journal.id) ?? 0), 9);
    const copy = join(temporaryFolder('killed'), 'clicks');
    cpSync(dir, copy, { recursive: true });
    const killed = createReferenceStorage();
    for (const [id, offset] of reference.offsets) killed.offsets.set(id, offset);
    assert.equal(await drainOrphans({ dir: copy, storage: killed.storage, onError: reports.report }), 5);

    await applier.drain();
    assert.equal(reference.total(7), 12);
    assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
    await click();
    await applier.close();
    assert.equal(reference.total(7), 13);
    assert.deepEqual(readdirSync(dir), []);
    assert.equal(deletions(), 1, 'told once');
  });
}

test('a journal that is made anew has its name on the disk before anything is in it', async () => {
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const fs = {
    ...nodeFs,
    openSync: ((path: string, ...rest: [string]) => {
      const fd = nodeFs.openSync(path, ...rest);
      paths.set(fd, path);
      return fd;
    }) as typeof nodeFs.openSync,
    renameSync: ((from: string, to: string) => {
      calls.push(`rename ${to}`);
      nodeFs.renameSync(from, to);
    }) as typeof nodeFs.renameSync,
    fsyncSync: (fd: number) => {
      calls.push(`sync ${paths.get(fd)}`);
      nodeFs.fsyncSync(fd);
    },
    writeSync: ((fd: number, ...rest: [Uint8Array]) => {
      calls.push(`write ${paths.get(fd)}`);
      return nodeFs.writeSync(fd, ...rest);
    }) as typeof nodeFs.writeSync,
  };
  const { dir, directory, click } = start({ fs });
  await click();
  rmSync(dir, { recursive: true });
  const renamed = `rename ${directory}`;
  await until('it is begun anew', () => calls.includes(renamed) && calls.indexOf(renamed) + 2 < calls.length);
  const [, second, third = ''] = calls.slice(calls.indexOf(renamed));
  assert.equal(second, `sync ${dir}`);
  assert.ok(third.startsWith(`write ${directory}`), third);
});

test('a file of the journal that is deleted or replaced is left, and the next one begun', async () => {
  for (const replaced of [false, true]) {
    const { dir, directory, reference, applier, click } = start();
    await click();
    const path = join(directory, fileOfSegment(0));
    rmSync(path);
    if (replaced) writeFileSync(path, 'something else');
    const before = deletions();
    await until('it is noticed', () => deletions() > before);
    await until('the next one is begun', () => segmentsIn(directory).some((segment) => segment > 0));
    await click();
    if (!replaced) assert.equal(countUnapplied(dir), 1);
    await applier.drain();
    assert.equal(reference.total(7), 2);
    assert.equal(isLocked(directory), true);
  }
});

test('a lock that is deleted is taken again', async () => {
  const { directory, reference, applier, click } = start();
  await click();
  rmSync(join(directory, 'lock'));
  await until('it is locked again', () => existsSync(join(directory, 'lock')) && isLocked(directory));
  assert.equal(deletions(), 1);
  await click();
  await applier.close();
  assert.equal(reference.total(7), 2);
  assert.equal(existsSync(directory), false);
});

test('a folder that was moved away is left alone, and one that cannot be made is tried again', async () => {
  const { dir, directory, reference, journal, applier, click } = start();
  await click();
  renameSync(dir, `${dir}.moved`);
  writeFileSync(dir, 'in its place');
  await until('it cannot be written', () => journal.health().reason?.includes('cannot be written') ?? false);
  // Visitors are sent on all the same, and their clicks wait in memory.
  assert.equal(await click(), true);
  assert.equal(journal.health().ok, false);
  rmSync(dir);
  await until('the click is in a file', () => existsSync(directory) && countUnapplied(dir) === 1);
  await applier.drain();
  await until('it is well', () => journal.health().ok);
  assert.equal(reference.total(7), 2);
  assert.equal(countUnapplied(`${dir}.moved`), 1, 'what was moved away is as it was');
});

test('while storage takes nothing, what only memory holds is said to be at risk', async () => {
  const { dir, reference, journal, applier, click } = start();
  reference.gates.before = async () => {
    throw new Error('away');
  };
  await click();
  await assert.rejects(applier.drain(), /away/);
  await click();
  rmSync(dir, { recursive: true });
  await until('it is noticed', () => deletions() > 0);
  await click();
  assert.equal(journal.health().clicksAtRisk, 2);
  assert.equal(journal.health().ok, false);
  reference.gates.before = async () => {};
  await applier.drain();
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
  assert.equal(reference.total(7), 3);
});

test('files that are applied and removed are not missed, and a disk that does not answer is no deletion', async () => {
  let isSilent = false;
  const fs = {
    ...nodeFs,
    stat: ((path: string, options: object, done: (error: Error | null) => void) => {
      if (isSilent) return setImmediate(() => done(Object.assign(new Error('EIO'), { code: 'EIO' })));
      return nodeFs.stat(path, options as never, done as never);
    }) as unknown as typeof nodeFs.stat,
  };
  const { directory, reference, journal, applier, click } = start({ fs, segmentBytes: 100, lookEveryMs: 1 });
  for (let round = 0; round < 60; round += 1) {
    for (let clicks = 0; clicks < 4; clicks += 1) await click();
    await applier.drain();
    isSilent = round % 2 === 0;
  }
  assert.equal(reference.total(7), 240);
  assert.equal(deletions(), 0);
  assert.deepEqual(journal.health(), { ok: true, clicksAtRisk: 0 });
  assert.equal(segmentsIn(directory).length, 1);
  await applier.close();
  assert.deepEqual(journalsIn(join(directory, '..')), []);
});
