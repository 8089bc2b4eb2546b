import { timed } from '../../runtime/histogram.ts';
import { syncFailed } from './health.ts';
import type { JournalState } from './state.ts';

/** With the time a sync itself takes, this keeps the disk at most some 50 ms behind. */
const syncEveryMs = 40;

/** Syncs what was written, a while after the first click of it; never two syncs at once. Not for strict mode. */
export function syncSoon(state: JournalState): void {
  if (state.syncTimer !== undefined || state.syncing !== undefined || state.closed) return;
  state.syncTimer = state.timers
    .setTimeout(() => {
      state.syncTimer = undefined;
      state.syncing = sync(state).finally(() => {
        state.syncing = undefined;
        if (state.unsyncedClicks > 0) syncSoon(state);
      });
    }, syncEveryMs)
    .unref();
}

/** Syncs now. Only when no sync is under way. */
export async function syncNow(state: JournalState): Promise<void> {
  state.timers.clearTimeout(state.syncTimer);
  state.syncTimer = undefined;
  state.syncing = sync(state).finally(() => {
    state.syncing = undefined;
  });
  await state.syncing;
}

async function sync(state: JournalState): Promise<void> {
  const clicks = state.unsyncedClicks;
  const late = state.lateClicks;
  state.unsyncedClicks = 0;
  try {
    await timed(state.stats.syncSeconds, state.files.sync);
    state.lateClicks -= late;
  } catch (error) {
    // What was written while the sync failed went to the same file.
    syncFailed(state, error, clicks + state.unsyncedClicks);
    state.unsyncedClicks = 0;
    state.lateClicks = 0;
  }
}
