import * as nodeFs from 'node:fs';
import { claimDirectory, discardJournal } from './files/directory.ts';
import { isFull } from './files/io.ts';
import type { Lock } from './files/lock.ts';
import { createSegmentWriter } from './files/segment-writer.ts';
import { healthOf } from './health.ts';
import type { Journal, JournalOptions } from './interface.ts';
import { dropUnwritten, retryWrites, scheduleRetry } from './retry.ts';
import { createJournalState, type JournalState } from './state.ts';
import { type Batch, markOf } from './stats.ts';
import { createSums } from './sums.ts';
import { syncNow } from './sync.ts';
import { append, writeNow } from './tick.ts';
import { onWriteFailed } from './write.ts';

export type { Durability, Journal, JournalHealth, JournalOptions } from './interface.ts';

const defaultSegmentBytes = 16_777_216;

/**
 * Opens a new click journal for this process. A process never appends to another process's files. `drainOrphans`
 * applies the journals of processes that have ended.
 *
 * All clicks in one tick of the event loop are written with one write; then their responses are sent (docs/clicks.md).
 * @throws if the directory cannot be created or written, except for a full disk, which `health` reports
 */
export function openJournal(options: JournalOptions): Journal {
  const { dir, durability, fs = nodeFs, newId = () => crypto.randomUUID() } = options;
  const { segmentBytes = defaultSegmentBytes } = options;
  const { id, directory, lock } = claimDirectory(dir, newId, fs);
  const cutUnsynced = durability === 'strict';
  const files = createSegmentWriter({ directory, journal: id, fs, segmentBytes, cutUnsynced });
  const endTick = (): void => writeNow(state);
  const state: JournalState = createJournalState(options, directory, files, endTick);
  createFirstSegment(state, lock);

  return {
    id,
    dir,
    stats: state.stats,
    progress: () => ({
      mark: markOf(state.stats),
      since: state.pendingSince,
      unsyncedClicks: state.unsyncedClicks,
    }),
    append: (target, at, facts, answer) => append(state, target, at, facts, answer),
    writeNow: endTick,
    pending: (row) => state.sums.total(row),
    hasPending: () => !state.sums.isEmpty(),
    takeBatch: () => nextBatch(state),
    release: (offset) => release(state, offset),
    health: () => healthOf(state),
    flush: () => flush(state),
    async close(forget) {
      if (state.closed) return;
      state.closed = true;
      await flush(state);
      state.timers.clearTimeout(state.retryTimer);
      files.close();
      if (forget === undefined) lock.release();
      else await discardJournal(directory, lock, forget, fs);
    },
  };
}

/**
 * Creates the first segment. If the disk is full, the service starts anyway: links work, and space may become available
 * soon.
 */
function createFirstSegment(state: JournalState, lock: Lock): void {
  try {
    state.files.write(new Uint8Array(0));
    state.countedTo = state.files.offset();
  } catch (error) {
    if (!isFull(error)) {
      lock.release();
      throw error;
    }
    onWriteFailed(state, error);
    scheduleRetry(state);
  }
}

async function flush(state: JournalState): Promise<void> {
  writeNow(state);
  while (state.syncing !== undefined) await state.syncing;
  if (state.durability === 'strict') return;
  retryWrites(state);
  await syncNow(state);
}

/** Returns the pending clicks as a batch. The batch's offset is the end of its clicks in the files. */
function nextBatch(state: JournalState): Batch {
  if (!retryWrites(state) && state.unwritten.clicks() > 0) dropUnwritten(state);
  const { countedTo: to, sums, records, pendingSince } = state;
  const mark = markOf(state.stats);
  const since = pendingSince ?? performance.now();
  const batch = { to, sums, records: records.take(), mark, since };
  state.batches.push({ to, clicks: mark.clicks });
  state.sums = createSums();
  state.pendingSince = undefined;
  return batch;
}

/** Releases all clicks up to the offset. Call it after storage has applied them. */
function release(state: JournalState, offset: number): void {
  const { files, batches, atRisk } = state;
  files.release(offset);
  state.releasedTo = offset;
  state.releasedClicks = batches.findLast(({ to }) => to <= offset)?.clicks ?? state.releasedClicks;
  state.batches = batches.filter(({ to }) => to > offset);
  atRisk.release(offset);
  if (atRisk.clicks() === 0) state.syncFault = undefined;
}
