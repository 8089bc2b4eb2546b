import type { LimitUse } from '../model/accounts/limits.ts';

/** Names of all workers in a window; further names are counted by each worker alone. */
const maxNames = 300_000;
/** From the beginning of the last minute of a window, ms: its end, and a minute for reports that come late. */
const lateMs = 120_000;

/**
 * Keeps in memory what the workers have reported in windows that have not ended, as the table `limit_uses` does for several nodes.
 * @param now milliseconds since the epoch
 * @returns a function that takes a worker's report and returns what the others have counted of the same names
 */
export function collectUses<Worker>(now: () => number) {
  /** By the last minute of the window. */
  const windows = new Map<number, Map<string, Map<Worker, number>>>();
  return (from: Worker, since: number, uses: readonly LimitUse[]): readonly LimitUse[] => {
    for (const lastMinute of windows.keys()) if (lastMinute < now() - lateMs) windows.delete(lastMinute);
    const reported = windows.get(since) ?? new Map<string, Map<Worker, number>>();
    windows.set(since, reported);
    const others: LimitUse[] = [];
    for (const { name, uses: own } of uses) {
      const byWorker = reported.get(name) ?? new Map<Worker, number>();
      if (byWorker.size === 0 && reported.size >= maxNames) continue;
      reported.set(name, byWorker.set(from, own));
      const all = byWorker.values().reduce((sum, one) => sum + one, 0);
      if (all > own) others.push({ name, uses: all - own });
    }
    return others;
  };
}
