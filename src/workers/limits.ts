import type { LimitUse } from '../model/accounts/limits.ts';

/** Maximum number of limits counted per window over all workers; each worker counts further limits on its own. */
const maxNames = 300_000;
/**
 * Time from the start of a window's last minute until the window is dropped, ms: until the end of that minute, plus a
 * minute for late reports.
 */
const lateMs = 120_000;

/**
 * Collects in memory the counts of workers for current windows, as the table `limit_uses` does for several nodes.
 * @param now milliseconds since the epoch
 * @returns a function that takes a worker's report and returns the others' counts for the same names
 */
export function collectUses<Worker>(now: () => number) {
  /** Counts by the last minute of their window. */
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
