import type { LimitUse } from '../domain/accounts/limits.ts';

/** Names of all workers and kinds together; further names are counted by each worker alone. */
const maxNames = 300_000;

/**
 * Keeps in memory what the workers have reported in the current window, as the table `limit_uses` does for several nodes.
 * @returns a function that takes a worker's report and returns what the others have counted of the same names
 */
export function collectUses<Worker>() {
  let window = 0;
  let reported = new Map<string, Map<Worker, number>>();
  return (from: Worker, since: number, uses: readonly LimitUse[]): readonly LimitUse[] => {
    if (since !== window) reported = new Map();
    window = since;
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
