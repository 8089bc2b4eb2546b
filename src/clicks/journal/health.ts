import type { JournalHealth } from './interface.ts';
import type { JournalState } from './state.ts';
import { messageOf } from './write.ts';

/**
 * Handles a failed sync. All clicks written since the last successful sync may be lost, including clicks written during
 * the failed sync.
 */
export function syncFailed(state: JournalState, error: unknown, clicks: number): void {
  const { stats, directory, onError } = state;
  stats.syncFaults += 1;
  onError('Could not sync the click journal to disk. Starting a new segment.', { error, directory });
  countAtRisk(state, clicks);
  if (state.atRisk.clicks() > 0) {
    state.syncFault = `Could not sync the click journal: ${messageOf(error)}.`;
  }
}

/**
 * Adds clicks to the at-risk count, because their file may be lost. Does nothing if storage has already applied them.
 */
export function countAtRisk(state: JournalState, clicks: number): void {
  if (clicks > 0 && state.countedTo > state.releasedTo) state.atRisk.add(state.countedTo, clicks);
}

export function healthOf(state: JournalState): JournalHealth {
  const clicksAtRisk = state.atRisk.clicks() + state.unwritten.clicks() + state.lateClicks;
  const reason = state.writeFault ?? state.syncFault;
  if (reason !== undefined) return { ok: false, reason, clicksAtRisk };
  return { ok: clicksAtRisk === 0, clicksAtRisk };
}
