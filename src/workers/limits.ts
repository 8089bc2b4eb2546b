import type { LimitUse } from '../domain/limits.ts';

/** Names of all workers and kinds together; of what comes beyond, each worker counts alone. */
const maxNames = 300_000;

/** What the workers have reported of the current window: in memory what the table `limit_uses` is for several nodes. */
export interface ReportedUses<Source> {
  /** Keeps what one has counted. @returns what the others have counted of the same names */
  exchange(from: Source, since: number, uses: readonly LimitUse[]): readonly LimitUse[];
}

export function createReportedUses<Source>(): ReportedUses<Source> {
  let window = 0;
  let reported = new Map<string, Map<Source, number>>();
  return {
    exchange(from, since, uses) {
      if (since !== window) reported = new Map();
      window = since;
      const others: LimitUse[] = [];
      for (const { name, uses: own } of uses) {
        const bySource = reported.get(name) ?? new Map<Source, number>();
        if (bySource.size === 0 && reported.size >= maxNames) continue;
        reported.set(name, bySource.set(from, own));
        const all = bySource.values().reduce((sum, one) => sum + one, 0);
        if (all > own) others.push({ name, uses: all - own });
      }
      return others;
    },
  };
}
