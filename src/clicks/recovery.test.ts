import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import { numbersPerSum } from '../model/clicks/clicks.ts';
import type { Timers } from '../runtime/timers.ts';
import { createApplier } from './applier.ts';
import { createReferenceStorage, createReports, human, targetOf, writtenClick } from './clicks.fixtures.ts';
import { journalsIn } from './journal/files/directory.ts';
import { isLocked } from './journal/files/lock.ts';
import { type RecordFormats, recordFormats, writtenVersion } from './journal/files/records.ts';
import { createEncoder, encodeHeader, fileOfSegment } from './journal/files/segment.ts';
import { type Journal, openJournal } from './journal/journal.ts';
import { openJournalSnapshot } from './journal-snapshot.ts';
import { drainOrphans, type RecoveryOptions } from './recovery.ts';

const orphan = '0198c0de-0000-7000-8000-00000000000a';
const reports = createReports();
const opened: Journal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  reports.sentences.length = 0;
});

/**
 * Writes a journal as a killed process would leave it.
 * @param segments link rows of the clicks, grouped by segment and frame
 */
function writeOrphan(
  dir: string,
  segments: readonly (readonly (readonly number[])[])[],
  journal = orphan,
): string {
  const directory = join(dir, journal);
  mkdirSync(directory, { recursive: true });
  for (const [segment, frames] of segments.entries()) {
    const encoder = createEncoder();
    const parts: Uint8Array[] = [encodeHeader(journal, segment)];
    for (const rows of frames) {
      for (const row of rows) encoder.add(targetOf(row).id, 3_600_000, unknownFacts(row % 4));
      parts.push(Buffer.from(encoder.take()));
    }
    writeFileSync(join(directory, fileOfSegment(segment)), Buffer.concat(parts));
  }
  return directory;
}

function range(length: number, from = 1): number[] {
  return Array.from({ length }, (_, index) => from + index);
}
function totalIn(totals: ReadonlyMap<number, number>): number {
  return [...totals.values()].reduce((a, b) => a + b, 0);
}

function drain(
  dir: string,
  { storage }: ReturnType<typeof createReferenceStorage>,
  options: Partial<RecoveryOptions> = {},
): Promise<number> {
  return drainOrphans({ dir, storage, onError: reports.report, ...options });
}

test('processes little per tick, however large the journal', async () => {
  const dir = temporaryFolder('clicks');
  const links = 30_000;
  // One frame with many clicks, and many frames with few clicks.
  const rows = range(links);
  writeOrphan(dir, [[rows, ...range(400, 0).map((frame) => rows.slice(frame * 50, frame * 50 + 50))]]);
  let ticks = 0;
  let records = 0;
  let ids = 0;
  const most = { records: 0, ids: 0, sums: 0 };
  const endTick = (): void => {
    ticks += 1;
    most.records = Math.max(most.records, records);
    most.ids = Math.max(most.ids, ids);
    records = 0;
    ids = 0;
  };
  const timers = {
    ...globalThis,
    setImmediate: ((run: () => void) => {
      endTick();
      return setImmediate(run);
    }) as typeof setImmediate,
  } satisfies Timers;
  const reference = createReferenceStorage();
  const storage = {
    ...reference.storage,
    rowsOf(some: readonly string[]) {
      ids += some.length;
      return reference.storage.rowsOf(some);
    },
  };
  // Each reading of the clock uses up the tick's time slice.
  let now = 0;
  const clock = (): number => (now += 10);
  const formats: RecordFormats = new Map(
    [...recordFormats].map(([version, format]) => [
      version,
      {
        ...format,
        read(bytes, at, visit) {
          records += 1;
          return format.read(bytes, at, visit);
        },
      },
    ]),
  );
  assert.equal(await drain(dir, reference, { storage, timers, clock, formats }), links + 400 * 50);
  assert.equal(totalIn(reference.totals), links + 400 * 50);
  assert.ok(most.records <= 256 && most.ids <= 256, JSON.stringify(most));
  assert.ok(ticks > (links + 400 * 50) / 128);
  const sums = reference.batches.map((batch) => batch.sums.length / numbersPerSum);
  assert.ok(sums.length > 3 && Math.max(...sums.slice(1)) <= 4_096 + 50, `batches of ${sums}`);
});

test('continues where it stopped between any two batches, and counts nothing twice', async () => {
  const segments = [[[1, 2, 3], [4], [1, 5, 6]], [[7, 7, 7, 7, 1]], [[2], [2, 3], [4, 5, 6, 7, 8, 9]]];
  const clicks = segments.flat(2).length;
  for (const maxSums of [1, 2, 4, 100]) {
    for (let batches = 1; batches < 8; batches += 1) {
      // `isStopped` is called for the journal, for each batch, and for each segment that is fully applied.
      const dir = temporaryFolder('clicks');
      writeOrphan(dir, segments);
      const reference = createReferenceStorage();
      let drains = 0;
      let counted = 0;
      for (; journalsIn(dir).length > 0; drains += 1) {
        let asked = 0;
        assert.ok(drains < 20);
        const isStopped = (): boolean => {
          asked += 1;
          return asked > batches + 2;
        };
        counted += await drain(dir, reference, { maxSums: maxSums, isStopped });
      }
      assert.equal(totalIn(reference.totals), clicks);
      assert.equal(counted, clicks);
      assert.equal(reference.offsets.size, 0);
    }
  }
});

test('counts each click once when killed at any await of storage', async () => {
  const segments = [
    [range(3), range(4), [1]],
    [range(5), range(2, 8)],
  ];
  const clicks = segments.flat(2).length;
  for (const maxSums of [1, 3]) {
    for (let killAt = 0; killAt < 16; killAt += 1) {
      const dir = temporaryFolder('clicks');
      writeOrphan(dir, segments);
      const reference = createReferenceStorage();
      let step = 0;
      const die = async (): Promise<void> => {
        step += 1;
        if (step % 16 === killAt) throw new Error('killed');
      };
      reference.gates.before = die;
      reference.gates.after = die;
      while (journalsIn(dir).length > 0) await drain(dir, reference, { maxSums: maxSums }).catch(() => {});
      assert.equal(totalIn(reference.totals), clicks, `killed at ${killAt}`);
    }
  }
  assert.deepEqual(reports.sentences, []);
});

test('keeps clicks on unknown links in many batches of a segment, and reports them once', async () => {
  const dir = temporaryFolder('clicks');
  const directory = writeOrphan(dir, [range(6).map((row) => [row, 20 + row])]);
  const bytes = readFileSync(join(directory, fileOfSegment(0)));
  const reference = createReferenceStorage();
  const storage = {
    ...reference.storage,
    rowsOf: async (ids: readonly string[]) =>
      new Map([...(await reference.storage.rowsOf(ids))].filter(([, { row }]) => row < 20)),
  };
  assert.equal(await drain(dir, reference, { storage, maxSums: 2 }), 6);
  assert.equal(totalIn(reference.totals), 6);
  assert.equal(reports.sentences.length, 1);
  assert.match(reports.sentences[0] ?? '', /6 clicks on unknown links/);
  const [kept = '', ...others] = readdirSync(join(dir, 'quarantine'));
  assert.deepEqual(others, []);
  assert.deepEqual(readFileSync(join(dir, 'quarantine', kept)), bytes);
});

const laterVersion = writtenVersion + 1;

/** The format of a future version, in which a record is a link and a number of clicks. */
const laterFormats: RecordFormats = new Map([
  ...recordFormats,
  [
    laterVersion,
    {
      fits: (records, size) => size === records * 17,
      read(bytes, at, visit) {
        for (let click = 0; click < bytes.readUInt8(at + 16); click += 1)
          visit(bytes.toString('hex', at, at + 16), 3_600_000, 0, writtenClick(3_600_000));
        return at + 17;
      },
    },
  ],
]);

function laterFrame(row: number, clicks: number): Buffer {
  const frame = Buffer.concat([
    Buffer.from('LKfr'),
    Buffer.alloc(12),
    targetOf(row).id,
    Buffer.from([clicks]),
  ]);
  frame.writeUInt16LE(laterVersion, 4);
  frame.writeUInt16LE(1, 6);
  frame.writeUInt32LE(17, 8);
  frame.writeUInt32LE(crc32(frame.subarray(16), crc32(frame.subarray(0, 12))), 12);
  return frame;
}

test('leaves the journal of a newer program alone and reports it once; a program that knows the format applies it', async () => {
  const dir = temporaryFolder('clicks');
  const directory = writeOrphan(dir, [[[1, 1]], [[1]]]);
  // State that an upgrade can leave behind: valid frames in the old format, then in the new format.
  const path = join(directory, fileOfSegment(1));
  writeFileSync(path, Buffer.concat([readFileSync(path), laterFrame(7, 5), laterFrame(1, 2)]));
  const other = '0198c0de-0000-7000-8000-00000000000b';
  writeOrphan(dir, [[[3]]], other);
  const before = readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))]);
  const reference = createReferenceStorage();
  const seen = new Set<string>();
  for (let run = 0; run < 3; run += 1) await drain(dir, reference, { reported: seen });
  assert.deepEqual(
    [...reference.totals],
    [
      [1, 3],
      [3, 1],
    ],
  );
  assert.deepEqual(journalsIn(dir), [orphan], 'other journals are still applied');
  assert.equal(existsSync(join(dir, 'quarantine')), false);
  for (const [name, bytes] of before) assert.deepEqual(readFileSync(join(directory, String(name))), bytes);
  assert.equal(reports.sentences.length, 1);
  assert.match(reports.sentences[0] ?? '', /newer version.*will be counted when/);
  assert.equal(isLocked(directory), false);

  assert.equal(await drain(dir, reference, { formats: laterFormats }), 7);
  assert.deepEqual(
    [...reference.totals].toSorted(([a], [b]) => a - b),
    [
      [1, 5],
      [3, 1],
      [7, 5],
    ],
  );
  assert.deepEqual(journalsIn(dir), []);
});

test('leaves a segment in another format alone too', async () => {
  const dir = temporaryFolder('clicks');
  const directory = writeOrphan(dir, [[[1]]]);
  const path = join(directory, fileOfSegment(0));
  const later = Buffer.concat([encodeHeader(orphan, 0, 2), Buffer.from('whatever follows')]);
  writeFileSync(path, later);
  const reference = createReferenceStorage();
  await drain(dir, reference);
  assert.deepEqual(readFileSync(path), later);
  assert.deepEqual(journalsIn(dir), [orphan]);
  assert.match(reports.sentences.join(), /newer version/);
});

function start(dir: string, reference: ReturnType<typeof createReferenceStorage>) {
  const journal = openJournal({ dir, durability: 'default', onError: reports.report, segmentBytes: 300 });
  opened.push(journal);
  const applier = createApplier({ storage: reference.storage, journal, onError: reports.report });
  const click = (row: number) =>
    new Promise((resolve) => journal.append(targetOf(row), 3_600_000, human, resolve));
  return { journal, applier, click };
}

test('adds clicks beyond its offsets to a backup while the owner writes, applies and exits', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  const { journal, applier, click } = start(dir, reference);
  for (let count = 0; count < 5; count += 1) await click(7);
  await applier.drain();
  const copy = createReferenceStorage();
  const offset = reference.offsets.get(journal.id) ?? 0;
  await click(7);
  await click(8);
  const snapshot = openJournalSnapshot(dir);
  copy.offsets.set(journal.id, offset);
  assert.equal(await snapshot.fits(async (name) => copy.offsets.get(name) ?? 0), true);
  await click(9);
  await applier.close();
  assert.equal(existsSync(join(dir, journal.id)), false);
  assert.deepEqual(await snapshot.addTo(copy.storage), []);
  assert.deepEqual(
    [...copy.totals],
    [
      [7, 1],
      [8, 1],
    ],
  );
  assert.deepEqual(await snapshot.addTo(copy.storage), []);
  assert.equal(totalIn(copy.totals), 2, 'once');
  snapshot.close();
  const nothing = openJournalSnapshot(join(dir, 'missing'));
  assert.equal(await nothing.fits(async () => 0), true);
  assert.deepEqual(await nothing.addTo(copy.storage), []);
});

test('rejects a snapshot taken after a journal was applied, deleted and forgotten', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  const { applier, click } = start(dir, reference);
  await click(7);
  const held = openJournalSnapshot(dir);
  assert.equal(await held.fits(async () => 0), true, 'the journal exists, and none of it has been applied');
  await applier.close();
  const appliedTo = async (name: string): Promise<number> => reference.offsets.get(name) ?? 0;
  // The snapshot contains the click, but its offset does not cover the click, so the click would be added again.
  assert.equal(reference.total(7), 1);
  assert.equal(await held.fits(appliedTo), false);
  held.close();
  const again = openJournalSnapshot(dir);
  assert.equal(await again.fits(appliedTo), true);
  assert.deepEqual(await again.addTo(reference.storage), []);
  assert.equal(reference.total(7), 1);
  again.close();
});

test('names the journals in a backup that need a newer program', async () => {
  const dir = temporaryFolder('clicks');
  const directory = writeOrphan(dir, [[[1]]]);
  const path = join(directory, fileOfSegment(0));
  writeFileSync(path, Buffer.concat([readFileSync(path), laterFrame(7, 5)]));
  const copy = createReferenceStorage();
  const held = openJournalSnapshot(dir);
  assert.deepEqual(await held.addTo(copy.storage), [directory]);
  assert.deepEqual([...copy.totals], [[1, 1]]);
  held.close();
});
