import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { until } from '../../test/support/until.ts';
import { createReferenceStorage, createReports, human, targetOf } from './clicks.fixtures.ts';
import { journalsIn } from './journal/files/directory.ts';
import { createEncoder, encodeHeader, fileOfSegment } from './journal/files/segment.ts';
import { type ClickRecovery, type ClickRecoveryOptions, createClickRecovery } from './recovery-loop.ts';

let recovery: ClickRecovery | undefined;
const alarms = createReports();
const notices = createReports();
afterEach(async () => {
  await recovery?.close();
  alarms.sentences.length = 0;
  notices.sentences.length = 0;
});

let journals = 0;
/** Writes a killed process's journal, with `frames` frames of one click each. */
function writeOrphan(dir: string, frames: number): void {
  journals += 1;
  const journal = `0198c0de-0000-7000-8000-${String(journals).padStart(12, '0')}`;
  mkdirSync(join(dir, journal), { recursive: true });
  const encoder = createEncoder();
  const parts: Uint8Array[] = [encodeHeader(journal, 0)];
  for (let frame = 0; frame < frames; frame += 1) {
    encoder.add(targetOf(frame + 1).id, 1, human);
    parts.push(Buffer.from(encoder.take()));
  }
  writeFileSync(join(dir, journal, fileOfSegment(0)), Buffer.concat(parts));
}

function start(
  dir: string,
  { storage }: ReturnType<typeof createReferenceStorage>,
  options: Partial<ClickRecoveryOptions> = {},
): ClickRecovery {
  const pace = { intervalMs: 10, pauseAfterFaultMs: 10 };
  recovery = createClickRecovery({
    dir,
    storage,
    onError: alarms.report,
    onInfo: notices.report,
    ...pace,
    ...options,
  });
  recovery.start();
  return recovery;
}
function total({ totals }: ReturnType<typeof createReferenceStorage>): number {
  return [...totals.values()].reduce((a, b) => a + b, 0);
}

test('applies journals found at startup and later, and logs each', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  writeOrphan(dir, 3);
  await start(dir, reference).caughtUp(20_000);
  assert.equal(total(reference), 3);
  writeOrphan(dir, 2);
  await until('the other journal is applied', () => total(reference) === 5);
  await until('both are reported', () => notices.sentences.length === 2);
  assert.deepEqual(alarms.sentences, []);
});

test('logs a failure once, retries, and lets the API start', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  let faults = 3;
  reference.gates.before = async () => {
    if (faults-- > 0) throw new Error('the disk is full');
  };
  writeOrphan(dir, 3);
  await start(dir, reference).caughtUp(20_000);
  await until('it is applied', () => total(reference) === 3);
  assert.equal(alarms.sentences.length, 1);
  assert.match(alarms.sentences[0] ?? '', /have not been applied yet/);
});

test('stops delaying the API after a time, and logs that counts are incomplete', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  reference.gates.before = () => gate;
  writeOrphan(dir, 3);
  await start(dir, reference).caughtUp(10);
  assert.match(notices.sentences.join(), /still being applied/);
  assert.equal(total(reference), 0);
  open();
  await until('it is applied', () => total(reference) === 3);
});

test('stops after the current batch when closed; the next run continues there', async () => {
  const dir = temporaryFolder('clicks');
  const reference = createReferenceStorage();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  reference.gates.before = () => {
    begin();
    return gate;
  };
  writeOrphan(dir, 9);
  const first = start(dir, reference, { maxSums: 2 });
  await begun;
  const closed = first.close();
  open();
  await closed;
  assert.equal(total(reference), 2);
  assert.equal(journalsIn(dir).length, 1);
  await start(dir, reference, { maxSums: 2 }).caughtUp(20_000);
  assert.equal(total(reference), 9);
  assert.deepEqual(journalsIn(dir), []);
});

test('ends at once when closed before it was started', async () => {
  const dir = temporaryFolder('clicks');
  recovery = createClickRecovery({
    dir,
    storage: createReferenceStorage().storage,
    onError: alarms.report,
    onInfo: notices.report,
  });
  await recovery.close();
});
