// R4 for clicks: the n-th disk call by the journal, the applier or recovery fails, for every n, with real storage.
import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createApplier } from '../../src/clicks/applier.ts';
import { journalsIn } from '../../src/clicks/journal/files/directory.ts';
import type { JournalFs } from '../../src/clicks/journal/files/io.ts';
import { type Lock, tryLock } from '../../src/clicks/journal/files/lock.ts';
import { createEncoder, encodeHeader, fileOfSegment } from '../../src/clicks/journal/files/segment.ts';
import { type Durability, type Journal, openJournal } from '../../src/clicks/journal/journal.ts';
import { drainOrphans } from '../../src/clicks/recovery.ts';
import { unknownFacts } from '../../src/model/clicks/click-facts.ts';
import type { Target } from '../../src/model/links/link-records.ts';
import type { Storage } from '../../src/model/storage.ts';
import type { Timers } from '../../src/runtime/timers.ts';
import { openSqlite } from '../../src/storage/sqlite/engine.ts';
import { inMemory, temporaryFolder } from '../support/files/temporary.ts';
import { effort, sleep } from '../support/random/random.ts';

type Operation = Exclude<keyof JournalFs, 'tryLock' | 'existsSync'>;
/** `short` writes only part of the data and reports no error. `torn` writes part of it and then reports a full disk. */
type Kind = 'EIO' | 'ENOSPC' | 'EMFILE' | 'short' | 'torn';
interface Fault {
  readonly operation: Operation;
  readonly nth: number;
  readonly kind: Kind;
}

const kindsOf: Readonly<Record<Operation, readonly Kind[]>> = {
  openSync: ['EMFILE', 'ENOSPC'],
  writeSync: ['EIO', 'short', 'torn'],
  ftruncateSync: ['EIO'],
  closeSync: ['EIO'],
  unlinkSync: ['EIO'],
  fdatasync: ['EIO', 'ENOSPC'],
  fsync: ['EIO'],
  fsyncSync: ['EIO'],
  readdirSync: ['EIO', 'EMFILE'],
  readFile: ['EIO', 'EMFILE'],
  writeFile: ['ENOSPC'],
  unlink: ['EIO'],
  mkdirSync: ['ENOSPC'],
  rmdirSync: ['EIO'],
};
const operations = Object.keys(kindsOf) as Operation[];

/** Creates a simulated disk on which one call fails. */
function diskWith(fault: Fault | undefined) {
  const calls = new Map<Operation, number>();
  const synced = new Map<number, number>();
  let isDead = false;
  const locks: Lock[] = [];
  /** @returns the fault to inject into this call, if any */
  const next = (operation: Operation): Kind | undefined => {
    if (isDead) throw new Error('A dead process accesses the disk.');
    const nth = (calls.get(operation) ?? 0) + 1;
    calls.set(operation, nth);
    return fault?.operation === operation && fault.nth === nth ? fault.kind : undefined;
  };
  const errorOf = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });
  const real = nodeFs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const sync =
    (operation: Operation) =>
    (...args: unknown[]) => {
      const kind = next(operation);
      if (kind === undefined) return real[operation]?.(...args);
      // `close` releases the descriptor even if it fails.
      if (operation === 'closeSync') real['closeSync']?.(...args);
      throw errorOf(kind);
    };
  const async = (operation: Operation) => (fd: number, done: (error: Error | null) => void) => {
    const kind = next(operation);
    const { size } = nodeFs.fstatSync(fd);
    if (kind === undefined) {
      real[operation]?.(fd, (error: Error | null) => {
        if (error === null) synced.set(fd, size);
        done(error);
      });
      return;
    }
    // The kernel may drop pages that it could not write.
    const from = synced.get(fd) ?? 0;
    if (kind === 'EIO' && operation === 'fdatasync')
      nodeFs.writeSync(fd, Buffer.alloc(size - from), 0, size - from, from);
    setImmediate(() => done(errorOf(kind)));
  };
  /** Returns an asynchronous operation. Its last argument is a callback for the result. */
  const later =
    (operation: Operation) =>
    (...args: unknown[]): void => {
      const kind = next(operation);
      const done = args.at(-1) as (...answer: unknown[]) => void;
      const answer = (...told: unknown[]): void => (isDead ? undefined : done(...told));
      if (kind === undefined) real[operation]?.(...args.slice(0, -1), answer);
      else setImmediate(() => answer(errorOf(kind)));
    };
  const write = (fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number => {
    const kind = next('writeSync');
    if (kind === undefined) return nodeFs.writeSync(fd, bytes, offset, length, position);
    if (kind === 'EIO') throw errorOf(kind);
    const written = nodeFs.writeSync(fd, bytes, offset, Math.ceil(length / 2), position);
    if (kind === 'torn') throw errorOf('ENOSPC');
    return written;
  };
  const fs = {
    ...Object.fromEntries(operations.map((operation) => [operation, sync(operation)])),
    existsSync: nodeFs.existsSync,
    writeSync: write,
    fdatasync: async('fdatasync'),
    fsync: async('fsync'),
    readFile: later('readFile'),
    writeFile: later('writeFile'),
    unlink: later('unlink'),
    tryLock(directory: string) {
      const lock = tryLock(directory);
      if (lock !== undefined) locks.push(lock);
      return lock;
    },
  } as unknown as JournalFs;
  const timers: Timers = {
    // No visitors wait in this test, so delays are skipped.
    setTimeout: ((work: () => void) => setTimeout(() => isDead || work(), 0)) as typeof setTimeout,
    clearTimeout,
    setImmediate: ((work: () => void) => setImmediate(() => isDead || work())) as typeof setImmediate,
  };
  /** Ends the simulated process and releases its locks. */
  const end = (): void => {
    isDead = true;
    for (const lock of locks) {
      try {
        lock.release();
      } catch {
        // ignored: the lock has already been released
      }
    }
  };
  return { fs, timers, calls, end };
}

type End = 'stop' | 'kill';

const links = 3;
const orphan = '0198c0de-0000-7000-8000-00000000000a';

async function openLinks(): Promise<{ storage: Storage; targets: readonly Target[] }> {
  const storage = await openSqlite(join(temporaryFolder('journal-fault', inMemory), 'links.db'));
  const account = await storage.createAccount('a', 1);
  const targets: Target[] = [];
  for (let n = 0; n < links; n += 1) {
    const texts = { title: null, description: null, expiresAt: null, folderId: null };
    const url = `https://example.com/${n}`;
    const places = { codes: [`code-${n}`], destination: url, location: url };
    await storage.createLink(account?.id ?? 0, {
      id: crypto.randomUUID(),
      ...places,
      ...texts,
      createdAt: 1,
    });
    targets.push((await storage.findTarget(`code-${n}`)) as Target);
  }
  return { storage, targets };
}

/**
 * Creates a dead process's journal: two segments, one of which is damaged in the middle.
 * @returns the number of readable clicks
 */
function leaveOrphan(dir: string, targets: readonly Target[]): number {
  const directory = join(dir, orphan);
  nodeFs.mkdirSync(directory, { recursive: true });
  const frame = (): Buffer => {
    const encoder = createEncoder();
    for (const { id } of targets) encoder.add(id, 1, unknownFacts(0));
    return Buffer.from(encoder.take());
  };
  const damaged = frame().fill(7, 20, 30);
  for (const [segment, frames] of [[frame(), damaged, frame()], [frame()]].entries()) {
    nodeFs.writeFileSync(
      join(directory, fileOfSegment(segment)),
      Buffer.concat([encodeHeader(orphan, segment), ...frames]),
    );
  }
  return 3 * targets.length;
}

const { storage, targets } = await openLinks();
async function totalIn(): Promise<number> {
  const { links: listed } = await storage.links(1, { kind: 'all' }, 100, 0);
  return listed.reduce((sum, { clicks }) => sum + clicks, 0);
}

function click(journal: Journal, hour: number): Promise<boolean[]> {
  return Promise.all(
    targets.map(
      (target) =>
        new Promise<boolean>((resolve) => journal.append(target, 3_600_000 * hour, unknownFacts(0), resolve)),
    ),
  );
}

/**
 * Runs a process that recovers, counts and applies clicks, starts segments, and then stops or is killed. Then runs a
 * second one on an intact disk.
 */
async function live(
  durability: Durability,
  end: End,
  fault?: Fault,
): Promise<ReadonlyMap<Operation, number>> {
  const dir = join(temporaryFolder('clicks', inMemory), 'clicks');
  const before = await totalIn();
  const left = leaveOrphan(dir, targets);
  let answered = 0;
  let lost = 0;
  const reports: string[] = [];
  const onError = (sentence: string, facts: { readonly clicksLost?: number } = {}): void => {
    reports.push(sentence);
    lost += facts.clicksLost ?? 0;
  };
  const disk = diskWith(fault);
  const served = async (journal: Journal): Promise<void> => {
    const applier = createApplier({ storage, journal, onError, fs: disk.fs, timers: disk.timers });
    const { fs, timers } = disk;
    await drainOrphans({ dir, storage, onError, fs, timers }).catch((error) =>
      onError(`Recovery failed: ${error}`),
    );
    const recovered = (await totalIn()) - before;
    for (let round = 0; round < 3; round += 1) {
      for (let turn = 0; turn < 4; turn += 1)
        answered += (await click(journal, round)).filter(Boolean).length;
      const position = await storage.appliedTo(journal.id);
      const unapplied = targets.reduce((sum, { row }) => sum + applier.unapplied.of(row, position), 0);
      assert.equal((await totalIn()) + unapplied, before + recovered + answered, 'a click shows at once');
      // Gives syncs and retries time to finish.
      for (let turns = 0; turns < 3; turns += 1) await sleep(0);
      if (end === 'kill' && round > 0) continue;
      await applier.drain();
      assert.equal(await totalIn(), before + recovered + answered, 'each click once');
    }
    answered += (await click(journal, 9)).filter(Boolean).length;
    if (end === 'stop') await applier.close();
    else lost += journal.health().clicksAtRisk;
  };

  let journal: Journal | undefined;
  try {
    journal = openJournal({
      dir,
      durability,
      onError,
      fs: disk.fs,
      timers: disk.timers,
      segmentBytes: 200,
    });
  } catch (error) {
    onError(`The start failed: ${error}`);
  }
  if (journal !== undefined) await served(journal);
  disk.end();

  await drainOrphans({ dir, storage, onError: () => {} });
  assert.deepEqual(journalsIn(dir), [], 'no journal remains');
  const found = (await totalIn()) - before - left;
  const facts = JSON.stringify({ durability, end, fault, answered, lost, told: reports });
  assert.ok(answered - lost <= found && found <= answered, `${found} clicks: ${facts}`);
  const mustBeTold =
    fault !== undefined && fault.kind !== 'short' && /^(write|fdatasync|mkdir|read)/.test(fault.operation);
  const heard = reports.filter((sentence) => !sentence.includes('is damaged'));
  assert.ok(!mustBeTold || heard.length > 0, `No fault was reported: ${facts}`);
  return disk.calls;
}

/** Number of runs in which each fault occurs, out of the four runs below. The faults are divided among the runs. */
const { count } = effort(1);
const lives = (['default', 'strict'] as const).flatMap((durability) =>
  (['stop', 'kill'] as const).map((end) => ({ durability, end })),
);
for (const [turn, { durability, end }] of lives.entries()) {
  test(`${durability}, ${end}: counts each answered click once or reports it at risk, when any disk call fails`, async (t) => {
    const calls = await live(durability, end);
    const faults = operations.flatMap((operation) =>
      Array.from({ length: calls.get(operation) ?? 0 }, (_, nth) =>
        kindsOf[operation].map((kind) => ({ operation, nth: nth + 1, kind })),
      ).flat(),
    );
    const played = faults.filter((_, index) => (index + turn) % lives.length < count);
    for (const fault of played) {
      await live(durability, end, fault).catch((error: Error) => {
        error.message = `${JSON.stringify(fault)}\n${error.message}`;
        throw error;
      });
    }
    t.diagnostic(`${played.length} of ${faults.length} faults: ${JSON.stringify(Object.fromEntries(calls))}`);
  });
}

after(() => storage.close());
