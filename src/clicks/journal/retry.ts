import { distrust } from './health.ts';
import type { JournalState } from './state.ts';
import { syncSoon } from './sync.ts';
import { writeFailed, writeFrames, writeWorks } from './write.ts';

const retryEveryMs = 100;

/** Tries again and again, until the disk takes writes. */
export function retrySoon(state: JournalState): void {
  state.retryTimer ??= state.timers
    .setTimeout(() => {
      state.retryTimer = undefined;
      const works = state.durability === 'strict' ? probe(state) : retryNow(state);
      if (!works) retrySoon(state);
    }, retryEveryMs)
    .unref();
}

/** Writes what the disk refused before. @returns whether nothing waits for another try any more */
export function retryNow(state: JournalState): boolean {
  const { files, unwritten } = state;
  if (state.durability === 'strict' || state.writeFault === undefined) return true;
  try {
    writeFrames(state, unwritten.bytes(), unwritten.keptClicks());
  } catch (error) {
    writeFailed(state, error);
    return false;
  }
  // Clicks whose frames were not kept must lie below the new offset too, or no batch could cover them.
  if (unwritten.clicks() > 0 && unwritten.keptClicks() === 0) files.advance();
  state.countedTo = files.offset();
  state.unsyncedClicks += unwritten.keptClicks();
  state.lateClicks += unwritten.keptClicks();
  endRetry(state, unwritten.clicks() - unwritten.keptClicks());
  writeWorks(state);
  syncSoon(state);
  return true;
}

/** Keeps nothing for another try: the clicks go to storage from memory, and the files continue behind their batch. */
export function giveUpRetry(state: JournalState): void {
  state.files.advance();
  state.countedTo = state.files.offset();
  endRetry(state, state.unwritten.clicks());
}

function endRetry(state: JournalState, clicksWithoutFile: number): void {
  distrust(state, clicksWithoutFile);
  state.unwritten.clear();
}

/**
 * Strict mode keeps nothing to try again, so it begins a new segment to see whether the disk takes clicks. It cannot wait
 * for the next click: while the service is not ready, balancers send no visitors.
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
  writeWorks(state);
  return true;
}
