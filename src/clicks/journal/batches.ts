import { giveUpRetry, retryWrites } from './retry.ts';
import type { JournalState } from './state.ts';
import { type Batch, markOf } from './stats.ts';
import { createSums } from './sums.ts';

/** Returns the pending clicks as a batch, with the offset up to which the files contain exactly them. */
export function nextBatch(state: JournalState): Batch {
  if (!retryWrites(state) && state.unwritten.clicks() > 0) giveUpRetry(state);
  const { countedTo: to, sums, records, pendingSince } = state;
  const mark = markOf(state.stats);
  const since = pendingSince ?? performance.now();
  const batch = { to, sums, records: records.take(), mark, since };
  state.batches.push({ to, clicks: mark.clicks });
  state.sums = createSums();
  state.pendingSince = undefined;
  return batch;
}

/** Call after storage has applied everything up to the offset. */
export function release(state: JournalState, offset: number): void {
  const { files, batches, atRisk } = state;
  files.release(offset);
  state.releasedTo = offset;
  state.releasedClicks = batches.findLast(({ to }) => to <= offset)?.clicks ?? state.releasedClicks;
  state.batches = batches.filter(({ to }) => to > offset);
  atRisk.release(offset);
  if (atRisk.clicks() === 0) state.syncFault = undefined;
}
