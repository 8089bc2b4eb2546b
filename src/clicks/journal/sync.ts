import { timed } from '../../runtime/histogram.ts';
import { syncFailed } from './health.ts';
import type { JournalState } from './state.ts';

/**
 * Delay in ms between a write and its sync. Including the duration of the sync, clicks are on disk within about 50 ms.
 */
const syncEveryMs = 40;

/** Schedules a sync shortly after the first unsynced click. Syncs never overlap. Not used in strict mode. */
export function scheduleSync(state: JournalState): void {
  if (state.syncTimer !== undefined || state.syncing !== undefined || state.closed) return;
  state.syncTimer = state.timers
    .setTimeout(() => {
      state.syncTimer = undefined;
      state.syncing = sync(state).finally(() => {
        state.syncing = undefined;
        if (state.unsyncedClicks > 0) scheduleSync(state);
      });
    }, syncEveryMs)
    .unref();
}

/** Syncs now. No other sync may be running. */
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
    // Clicks written during the failed sync are in the same file, so they are at risk too.
    syncFailed(state, error, clicks + state.unsyncedClicks);
    state.unsyncedClicks = 0;
    state.lateClicks = 0;
  }
}
