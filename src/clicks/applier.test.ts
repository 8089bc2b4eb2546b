import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import { type Applier, createApplier } from './applier.ts';
import {
  createReferenceStorage,
  createReports,
  factsOf,
  human,
  nextTick,
  targetOf,
  unappliedIn,
} from './clicks.fixtures.ts';
import { journalsIn } from './journal/files/directory.ts';
import { createEncoder, encodeHeader, fileOfSegment } from './journal/files/segment.ts';
import { type Journal, type JournalOptions, openJournal } from './journal/journal.ts';
import { drainOrphans } from './recovery.ts';

const reports = createReports();
const opened: Journal[] = [];

function start(
  storage: ReturnType<typeof createReferenceStorage>,
  options: Partial<JournalOptions> = {},
): { journal: Journal; applier: Applier } {
  const journal = openJournal({
    dir: temporaryFolder('clicks'),
    durability: 'default',
    onError: reports.report,
    ...options,
  });
  opened.push(journal);
  const applier = createApplier({
    storage: storage.storage,
    journal,
    onError: reports.report,
    intervalMs: 5,
  });
  return { journal, applier };
}

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  reports.sentences.length = 0;
});

function click(journal: Journal, row: number, times = 1): Promise<unknown> {
  return Promise.all(
    Array.from(
      { length: times },
      (_, index) =>
        new Promise((resolve) => journal.append(targetOf(row), 3_600_000 * 5 + index, human, resolve)),
    ),
  );
}

/** Applies the journals of killed processes. */
function drain(journal: Journal, { storage }: ReturnType<typeof createReferenceStorage>): Promise<number> {
  return drainOrphans({ dir: journal.dir, storage, onError: reports.report });
}

/** Returns the number of clicks that a client would see if it read storage now. */
function shown(
  reference: ReturnType<typeof createReferenceStorage>,
  journal: Journal,
  applier: Applier,
  row: number,
) {
  return reference.total(row) + applier.unapplied.of(row, reference.offsets.get(journal.id) ?? 0);
}

/** Writes a journal as a killed process would leave it. */
function writeOrphan(dir: string, journal: string, segments: readonly (readonly number[])[]): string {
  const directory = join(dir, journal);
  mkdirSync(directory, { recursive: true });
  for (const [segment, frames] of segments.entries()) {
    const encoder = createEncoder();
    const parts: Uint8Array[] = [encodeHeader(journal, segment)];
    for (const records of frames) {
      for (let index = 0; index < records; index += 1)
        encoder.add(targetOf(index + 1).id, index * 3_000_000, unknownFacts(index % 4));
      parts.push(Buffer.from(encoder.take()));
    }
    writeFileSync(join(directory, fileOfSegment(segment)), Buffer.concat(parts));
  }
  return directory;
}

const orphan = '0198c0de-0000-7000-8000-00000000000a';
function sumOf(totals: ReadonlyMap<number, number>): number {
  return [...totals.values()].reduce((a, b) => a + b, 0);
}

test('counts are exact before, during and after a batch, on both sides of its commit', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  await click(journal, 7, 3);
  const seen: number[] = [];
  const check = (): void => {
    seen.push(shown(reference, journal, applier, 7));
  };
  check();
  reference.gates.before = async () => check();
  reference.gates.after = async () => {
    check();
    if (reference.batches.length > 1) return;
    await click(journal, 7, 2);
    check();
  };
  await applier.drain();
  check();
  assert.deepEqual(seen, [3, 3, 3, 5, 5, 5, 5]);
  assert.equal(reference.total(7), 5);
});

test('completes counts read before a commit that arrive after it', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  await click(journal, 7, 3);
  const early = { total: reference.total(7), appliedTo: reference.offsets.get(journal.id) ?? 0 };
  await applier.drain();
  await click(journal, 7, 1);
  await applier.drain();
  assert.equal(early.total + applier.unapplied.of(7, early.appliedTo), 4);
  assert.equal(shown(reference, journal, applier, 7), 4);
});

test('sums by link, hour and class, ordered by row', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  const hour = 3_600_000;
  const clicks = [
    [9, hour * 2, 'human'],
    [3, hour * 2 - 1, 'bot'],
    [3, hour * 2, 'bot'],
    [3, hour * 2 + 1, 'bot'],
    [3, hour, 'prefetch'],
  ] as const;
  for (const [row, at, kind] of clicks) journal.append(targetOf(row), at, factsOf(kind), () => {});
  await applier.drain();
  const sums = [...(reference.batches[0]?.sums ?? [])];
  const quads = Array.from({ length: sums.length / 4 }, (_, index) =>
    sums.slice(index * 4, index * 4 + 4).join(' '),
  );
  assert.deepEqual(
    quads.map((quad) => quad.split(' ')[0]),
    ['3', '3', '3', '9'],
  );
  assert.deepEqual(quads.toSorted(), ['3 1 1 1', '3 1 3 1', '3 2 1 2', '9 2 0 1']);
});

test('applies each click once when storage fails or its response is lost after the commit', async () => {
  for (const gate of ['before', 'after'] as const) {
    const reference = createReferenceStorage();
    const { journal, applier } = start(reference);
    let faults = 2;
    reference.gates[gate] = async () => {
      if (faults > 0) {
        faults -= 1;
        throw new Error('connection lost');
      }
    };
    await click(journal, 7, 3);
    await assert.rejects(applier.drain(), /connection lost/);
    await click(journal, 7, 2);
    assert.equal(shown(reference, journal, applier, 7), 5);
    while (true) {
      try {
        await applier.drain();
        break;
      } catch {
        assert.equal(shown(reference, journal, applier, 7), 5);
      }
    }
    assert.equal(reference.total(7), 5);
    assert.equal(shown(reference, journal, applier, 7), 5);
    assert.deepEqual(reports.sentences, []);
  }
});

test('applies on a timer, backs off while storage fails, and logs failure and recovery once', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  let faults = 3;
  reference.gates.before = async () => {
    if (faults-- > 0) throw new Error('away');
  };
  applier.start();
  await click(journal, 7, 3);
  while (reference.total(7) < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(reports.sentences.filter((sentence) => sentence.includes('Could not apply clicks')).length, 1);
  await applier.close();
});

test('does not reapply clicks that another process applied from our journal', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  await click(journal, 7, 2);
  const [half] = unappliedIn(journal.dir, () => 0);
  await click(journal, 7, 3);
  reference.offsets.set(journal.id, half?.to ?? 0);
  reference.totals.set(7, 2);
  await assert.rejects(applier.drain(), /Another process applied clicks/);
  await applier.close();
  assert.match(reports.sentences.join(), /applied at the next start/);
  await drain(journal, reference);
  assert.equal(reference.total(7), 5);
});

test('reapplies clicks that storage has lost, and counts none twice', async () => {
  for (const how of ['an earlier offset', 'none', 'none, and the files are gone'] as const) {
    const reference = createReferenceStorage();
    const { journal, applier } = start(reference);
    await click(journal, 7, 2);
    await applier.drain();
    const earlier = { offset: reference.offsets.get(journal.id) ?? 0, total: reference.total(7) };
    await click(journal, 7, 3);
    await applier.drain();
    if (how === 'an earlier offset') {
      reference.offsets.set(journal.id, earlier.offset);
      reference.totals.set(7, earlier.total);
    } else {
      reference.offsets.delete(journal.id);
      reference.totals.clear();
    }
    if (how === 'none, and the files are gone') rmSync(join(journal.dir, journal.id, fileOfSegment(0)));
    await click(journal, 7, 4);
    await assert.doesNotReject(applier.drain());
    assert.equal(reference.total(7), how === 'none, and the files are gone' ? 4 : 9, how);
    assert.equal(shown(reference, journal, applier, 7), reference.total(7));
    assert.match(reports.sentences.join(), /Storage lost clicks that it had acknowledged/);
    await click(journal, 7, 1);
    await applier.drain();
    assert.equal(shown(reference, journal, applier, 7), reference.total(7));
  }
});

test('close applies everything and leaves neither files nor an offset', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  await click(journal, 7, 4);
  await applier.close();
  assert.equal(reference.total(7), 4);
  assert.deepEqual(journalsIn(journal.dir), []);
  assert.equal(reference.offsets.size, 0);
});

test('close without storage leaves the clicks for the next process, which counts them once', async () => {
  const reference = createReferenceStorage();
  const { journal, applier } = start(reference);
  await click(journal, 7, 3);
  await applier.drain();
  await click(journal, 7, 4);
  reference.gates.before = async () => {
    throw new Error('away');
  };
  await applier.close();
  assert.equal(reference.total(7), 3);
  reference.gates.before = async () => {};
  const next = start(reference, { dir: journal.dir });
  await drain(next.journal, reference);
  await drain(next.journal, reference);
  assert.equal(reference.total(7), 7);
  assert.deepEqual(journalsIn(journal.dir), [next.journal.id]);
});

test('leaves the journal of a running process alone', async () => {
  const reference = createReferenceStorage();
  const one = start(reference);
  const other = start(reference, { dir: one.journal.dir });
  await click(one.journal, 7, 4);
  await drain(other.journal, reference);
  assert.equal(reference.total(7), 0);
  await one.applier.drain();
  assert.equal(reference.total(7), 4);
});

test('neither loses nor doubles a click from a killed process', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  const script = `
    const { openJournal } = await import(${JSON.stringify(import.meta.resolve('./journal/journal.ts'))});
    const { human, targetOf } = await import(${JSON.stringify(import.meta.resolve('./clicks.fixtures.ts'))});
    const { writeSync } = await import('node:fs');
    const journal = openJournal({ dir: ${JSON.stringify(dir)}, durability: 'default', segmentBytes: 4000, onError() {} });
    const again = () => { for (let n = 0; n < 5; n += 1) journal.append(targetOf(7), 1, human, () => writeSync(1, '.')); setImmediate(again); };
    again();`;
  for (let round = 0; round < 3; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let answered = 0;
    child.stdout.on('data', (dots: Buffer) => {
      answered += dots.length;
      if (answered > 500) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.once('close', resolve));
    const before = reference.total(7);
    await drainOrphans({ dir, storage: reference.storage, onError: reports.report });
    const counted = reference.total(7) - before;
    // The last tick's clicks may have been written although their responses were not sent.
    assert.ok(counted >= answered && counted <= answered + 5, `${counted} counted, ${answered} answered`);
    assert.deepEqual(journalsIn(dir), []);
  }
  assert.deepEqual(reports.sentences, []);
});

test('totals are the same after a crash at any point and any number of replays', async () => {
  const shape = [
    [3, 1, 4],
    [1, 5],
    [9, 2, 6],
  ];
  const clicks = shape.flat().reduce((sum, records) => sum + records, 0);
  // Crashes at every storage call: before and after each commit, and before and after the journal is deleted.
  for (let crashAt = 0; crashAt < 14; crashAt += 1) {
    for (const replays of [1, 2, 4]) {
      const dir = temporaryFolder('clicks');
      writeOrphan(dir, orphan, shape);
      const reference = createReferenceStorage();
      let step = 0;
      const crash = async (): Promise<void> => {
        step += 1;
        if (step % 14 === crashAt) throw new Error('killed');
      };
      reference.gates.before = crash;
      reference.gates.after = crash;
      const { deleteJournal } = reference.storage;
      const storage = {
        ...reference.storage,
        async deleteJournal(journal: string) {
          await crash();
          await deleteJournal(journal);
          await crash();
        },
      };
      for (let replay = 0; replay < replays || journalsIn(dir).length > 0; replay += 1) {
        await drainOrphans({ dir, storage, onError: reports.report }).catch(() => {});
      }
      assert.equal(sumOf(reference.totals), clicks, `crash at ${crashAt}`);
      assert.deepEqual(journalsIn(dir), []);
    }
  }
});

test('cuts a torn tail of the last segment at any byte and counts the frames before it', async () => {
  const shape = [[2], [1, 3]];
  const whole = temporaryFolder('clicks');
  writeOrphan(whole, orphan, shape);
  const last = readFileSync(join(whole, orphan, fileOfSegment(1)));
  for (let length = 0; length <= last.length; length += 1) {
    const dir = temporaryFolder('clicks');
    cpSync(whole, dir, { recursive: true });
    writeFileSync(join(dir, orphan, fileOfSegment(1)), last.subarray(0, length));
    const reference = createReferenceStorage();
    await drainOrphans({ dir, storage: reference.storage, onError: reports.report });
    const expected = 2 + (length >= 32 + 52 ? 1 : 0) + (length === last.length ? 3 : 0);
    assert.equal(sumOf(reference.totals), expected, `cut at ${length}`);
  }
  assert.deepEqual(reports.sentences, []);
});

test('reports and keeps damage in the middle, and loses only the damaged frame', async () => {
  const dir = temporaryFolder('clicks');
  const directory = writeOrphan(dir, orphan, [[2, 3, 4], [1]]);
  const path = join(directory, fileOfSegment(0));
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(32 + 88 + 20) ^ 1, 32 + 88 + 20);
  writeFileSync(path, bytes);
  const reference = createReferenceStorage();
  await drainOrphans({ dir, storage: reference.storage, onError: reports.report });
  assert.equal(sumOf(reference.totals), 2 + 4 + 1);
  assert.equal(reports.sentences.length, 1);
  assert.match(reports.sentences[0] ?? '', /damaged: 124 bytes are unreadable/);
  const [kept] = readdirSync(join(dir, 'quarantine'));
  assert.deepEqual(readFileSync(join(dir, 'quarantine', kept ?? '')), bytes.subarray(120, 244));
});

test('reports and keeps clicks on unknown links, and counts the others', async () => {
  const dir = temporaryFolder('clicks');
  writeOrphan(dir, orphan, [[3]]);
  const reference = createReferenceStorage();
  const storage = {
    ...reference.storage,
    rowsOf: () => new Map([[Buffer.from(targetOf(1).id).toString('hex'), targetOf(1)]]),
  };
  await drainOrphans({ dir, storage, onError: reports.report });
  assert.equal(sumOf(reference.totals), 1);
  assert.match(reports.sentences.join(), /2 clicks on unknown links/);
  assert.equal(readdirSync(join(dir, 'quarantine')).length, 1);
});

test('applies nothing without clicks', async () => {
  const reference = createReferenceStorage();
  const { applier } = start(reference);
  await applier.drain();
  await nextTick();
  assert.equal(reference.batches.length, 0);
});
