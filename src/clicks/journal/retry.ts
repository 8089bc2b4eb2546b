import { countAtRisk } from './health.ts';
import type { JournalState } from './state.ts';
import { scheduleSync } from './sync.ts';
import { onWriteFailed, onWriteWorks, writeFrames } from './write.ts';

const retryEveryMs = 100;

/** Schedules retries until the disk accepts writes. */
export function scheduleRetry(state: JournalState): void {
  state.retryTimer ??= state.timers
    .setTimeout(() => {
      state.retryTimer = undefined;
      const works = state.durability === 'strict' ? probe(state) : retryWrites(state);
      if (!works) scheduleRetry(state);
    }, retryEveryMs)
    .unref();
}

/** Writes the frames that the disk rejected earlier. @returns true if nothing is left to retry */
export function retryWrites(state: JournalState): boolean {
  const { files, unwritten } = state;
  if (state.durability === 'strict' || state.writeFault === undefined) return true;
  try {
    writeFrames(state, unwritten.bytes(), unwritten.retainedClicks());
  } catch (error) {
    onWriteFailed(state, error);
    return false;
  }
  // If all frames were dropped, nothing was written and the offset has not moved. Starting a new segment moves the
  // offset past the clicks of the dropped frames, as the next batch requires.
  if (unwritten.clicks() > 0 && unwritten.retainedClicks() === 0) files.advance();
  state.countedTo = files.offset();
  state.unsyncedClicks += unwritten.retainedClicks();
  state.lateClicks += unwritten.retainedClicks();
  endRetry(state, unwritten.clicks() - unwritten.retainedClicks());
  onWriteWorks(state);
  scheduleSync(state);
  return true;
}

/**
 * Drops the frames that were to be retried. Storage receives their clicks from memory, and later clicks go to a new
 * segment.
 */
export function dropUnwritten(state: JournalState): void {
  state.files.advance();
  state.countedTo = state.files.offset();
  endRetry(state, state.unwritten.clicks());
}

function endRetry(state: JournalState, clicksWithoutFile: number): void {
  countAtRisk(state, clicksWithoutFile);
  state.unwritten.clear();
}

/**
 * Starts a new segment to check whether the disk accepts writes again. Used in strict mode, where there are no stored
 * frames to retry. The check does not wait for the next click, because load balancers send no visitors while the
 * service is not ready.
 */
function probe(state: JournalState): boolean {
  if (state.writeFault === undefined) return true;
  if (state.syncing !== undefined) return false;
  state.files.advance();
  try {
    state.files.write(new Uint8Array(0));
  } catch {
    return false;
  }
  onWriteWorks(state);
  return true;
}
