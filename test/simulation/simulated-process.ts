import type { DatabaseSync } from 'node:sqlite';
import { type Applier, createApplier } from '../../src/clicks/applier.ts';
import { type Durability, type Journal, openJournal } from '../../src/clicks/journal/journal.ts';
import type { ClickStorage } from '../../src/clicks/recovery.ts';
import { createClickRecovery } from '../../src/clicks/recovery-loop.ts';
import type { Storage } from '../../src/model/storage.ts';
import { createBackgroundTask } from '../../src/runtime/background-task.ts';
import { storageUnavailable } from '../../src/storage/db/failure.ts';
import { connectionOn } from '../../src/storage/sqlite/connection.ts';
import { readsFrom } from '../../src/storage/statements/reads.ts';
import type { WriteRequest } from '../../src/storage/statements/writes.ts';
import type { Random } from '../support/random/random.ts';
import type { DiskUser, SimulatedDisk } from './simulated-disk.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** Parts shared by all processes in a simulated world. */
export interface Surroundings {
  readonly disk: SimulatedDisk;
  readonly database: SimulatedDatabase;
  readonly time: SimulatedTime;
  /** Returns the current step's random generator. */
  readonly random: () => Random;
  readonly note: (line: string) => void;
  readonly durability: Durability;
  readonly segmentBytes: number;
  readonly retryBytes: number;
  readonly intervalMs: number;
  /** Maximum number of sums from another process's journal that are applied in one batch. */
  readonly maxSums: number;
  /** Maximum number of sums that are folded in one slice. */
  readonly sumsPerSlice: number;
  readonly onError: (sentence: string) => void;
  /** Called when storage rejects valid data. */
  readonly onFault: (sentence: string) => void;
  /** Called when a process dies during an operation. */
  readonly onDeath: (process: SimulatedProcess) => void;
}

/**
 * A server process that handles only clicks. It consists of the service's own journal, applier and storage code,
 * connected as in the service.
 */
export interface SimulatedProcess extends DiskUser {
  readonly journal: Journal;
  readonly applier: Applier;
  readonly reads: ReturnType<typeof readsFrom>;
  state: 'running' | 'stopping' | 'gone';
  /** Number of operations until the process dies. Undefined if it does not die. */
  fuse: number | undefined;
  /** Number of acknowledged commits that came from the process's own journal. */
  applied: number;
  /** True if the process has recovered existing journals. */
  hasRecovered: boolean;
  /** True if the process has never shared the folder with another process. */
  isAlone: boolean;
  diedAt: number;
  stop(): void;
  /** After the process has died, runs the last commits that its writer thread had received. */
  lastCommits(): Promise<void>;
}

export interface SimulatedDatabase {
  readonly database: DatabaseSync;
  /** Whether commits fail, or succeed but lose their results. */
  trouble: 'none' | 'failing' | 'losing answers';
  /** Runs a write in its own transaction, with the code that the service uses. */
  transact(write: WriteRequest): Promise<unknown>;
}

/** Maximum duration of a commit in ms. `commitLateness` is the maximum additional delay of its result. */
const commitMs = 6;
const commitLateness = 4;

/**
 * Starts a process.
 * @throws Error if its journal cannot be opened, which ends startup
 */
export function startProcess(name: string, id: string, around: Surroundings): SimulatedProcess {
  const { disk, database, time, random, note } = around;
  const user: DiskUser & { fuse: number | undefined } = {
    name,
    alive: true,
    fuse: undefined,
    diesIn() {
      if (user.fuse === undefined) return false;
      user.fuse -= 1;
      if (user.fuse > 0) return false;
      user.fuse = undefined;
      around.onDeath(user as SimulatedProcess);
      return true;
    },
  };
  const fs = disk.fsOf(user);
  const timers = time.timersOf(user);
  let alarms = 0;
  const onError = (sentence: string): void => {
    if (!user.alive) return;
    if (sentence.includes('have not been applied yet')) alarms += 1;
    around.onError(sentence);
    note(`${name} alarms: ${sentence}`);
  };
  const onInfo = (sentence: string): void => {
    if (user.alive) note(`${name} says: ${sentence}`);
  };

  let waiting: {
    readonly write: WriteRequest;
    settle(outcome: 'done' | 'failed' | 'lost'): Promise<void>;
  }[] = [];
  const send = (write: WriteRequest): Promise<never> =>
    new Promise((resolve, reject) => {
      if (!user.alive || user.diesIn('commit')) return;
      note(`${name} sends ${write.name}`);
      // Copies the write, because the real service sends it to another thread.
      const sent = structuredClone(write);
      waiting.push({
        write: sent,
        async settle(outcome) {
          if (outcome === 'failed') return reject(storageUnavailable('the simulation says so'));
          const result = await database.transact(sent).catch((error: unknown) => {
            around.onFault(`${name} ${sent.name}: ${error}`);
            reject(error);
            throw error;
          });
          if (outcome === 'lost') return reject(storageUnavailable('its answer is lost'));
          if (write.name === 'applyClicks' && result === true) process.applied += 1;
          resolve(result as never);
        },
      });
      time.after(user, `commit ${write.name}`, random().below(commitMs), commitLateness, () => {
        const unlucky = database.trouble !== 'none' && random().chance(0.6);
        const outcome = !unlucky ? 'done' : database.trouble === 'failing' ? 'failed' : 'lost';
        note(`${name} ${write.name} ${outcome}`);
        return waiting
          .shift()
          ?.settle(outcome)
          .catch(() => {});
      });
    });

  const journal = openJournal({
    dir: '/clicks',
    durability: around.durability,
    segmentBytes: around.segmentBytes,
    retryBytes: around.retryBytes,
    newId: () => id,
    fs,
    timers,
    onError,
    onInfo,
  });
  const reads = readsFrom(connectionOn(database.database, { journal: journal.id }));
  const storage: ClickStorage & Pick<Storage, 'rollUpClicks' | 'acquireLease'> = {
    appliedTo: (one) => reads.appliedTo(one),
    rowsOf: (ids) =>
      new Promise((resolve) => {
        if (!user.alive) return;
        // In the real service, another thread reads the rows.
        time.after(user, 'look up', random().below(commitMs), commitLateness, () =>
          resolve(reads.rowsOf(ids)),
        );
      }),
    applyClicks: (batch) => send({ name: 'applyClicks', args: [batch] }),
    rollUpClicks: (afterRow, most) => send({ name: 'rollUpClicks', args: [afterRow, most] }),
    acquireLease: (work, at, everyMs) => send({ name: 'acquireLease', args: [work, at, everyMs] }),
    deleteJournal: (one) => send({ name: 'deleteJournal', args: [one] }),
  };
  const { intervalMs, maxSums, sumsPerSlice } = around;
  const applier = createApplier({
    storage,
    journal,
    intervalMs,
    fs,
    timers,
    onError,
    onInfo,
  });
  // Ends a tick of the event loop in recovery. No clicks are written to the journal in such a tick.
  const setImmediate = ((run: () => void) => time.after(user, 'slice', 0, 4, run)) as never;
  // Number of clock calls so far. The clock returns this number as the time, so that a tick of the event loop ends
  // after some calls.
  let asked = 0;
  const recovery = createClickRecovery({
    dir: '/clicks',
    storage,
    fs,
    maxSums: maxSums,
    onError,
    onInfo,
    timers: { ...timers, setImmediate },
    clock: () => {
      asked += 1;
      return asked;
    },
    intervalMs: 10 * intervalMs,
    pauseAfterFaultMs: 4 * intervalMs,
  });
  const folding = createBackgroundTask({
    hasWork: async () => reads.hasWork('rollUpClicks'),
    acquireLease: (everyMs) => storage.acquireLease('rollUpClicks', time.now(), everyMs),
    slice: (afterRow) => storage.rollUpClicks(afterRow, sumsPerSlice),
    fault: 'Recent clicks cannot be moved.',
    intervalMs: 3 * intervalMs,
    pauseMs: 8,
    timers,
    onError,
  });
  const process: SimulatedProcess = Object.assign(user, {
    journal,
    applier,
    reads,
    state: 'running' as SimulatedProcess['state'],
    applied: 0,
    hasRecovered: false,
    isAlone: false,
    diedAt: Number.POSITIVE_INFINITY,
    stop() {
      process.state = 'stopping';
      const closed = Promise.all([folding.close(), recovery.close()]).then(() => applier.close());
      closed.then(
        () => end(),
        (error: unknown) => onError(`A stop that never rejects did: ${error}`),
      );
    },
    async lastCommits() {
      const some = random().below(waiting.length + 1);
      for (const { write } of waiting.splice(0, some)) {
        note(`${name} still commits ${write.name}`);
        await database.transact(write).catch((error) => around.onFault(`${name} ${write.name}: ${error}`));
      }
      waiting = [];
    },
  });
  const end = (): void => {
    if (user.alive) around.onDeath(process);
  };
  applier.start();
  folding.start();
  recovery.start();
  const failedBefore = alarms;
  void recovery.caughtUp(Number.POSITIVE_INFINITY).then(() => {
    process.hasRecovered = alarms === failedBefore && process.state === 'running';
    note(`${name} has recovered: ${process.hasRecovered}`);
  });
  return process;
}
