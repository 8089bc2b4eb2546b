import type { LimitUse } from '../model/accounts/limits.ts';

/**
 * Maximum number of rate limits per window that are counted across all workers. Above this number, each worker counts
 * limits separately.
 */
const maxNames = 300_000;
/**
 * Milliseconds from the start of a window's last minute until the window is dropped. This is that minute plus one
 * minute for late reports.
 */
const lateMs = 120_000;

/**
 * Collects the workers' counts for current windows in memory, as the table `limit_uses` does for several nodes.
 * @param now returns milliseconds since the epoch
 * @returns a function that takes a worker's report and returns the other workers' counts for the same names
 */
export function collectUses<Worker>(now: () => number) {
  /** Counts per limit and worker, grouped by the last minute of the window. */
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
