import type { Config } from '../config.ts';
import { dayOf, startOfDay } from '../model/clicks/click-days.ts';
import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import { createRounds, type Rounds } from '../runtime/rounds.ts';

/** From one round to the next, ms. Clicks are in answers before; a shorter time makes more, smaller columns. */
const foldingMs = 30_000;
const pruningMs = 3_600_000;
/** Segments of clicks that a slice removes. */
const segmentsPerSlice = 50;

interface ColumnOptions {
  readonly storage: Storage;
  readonly now: () => number;
  readonly onError: Report;
  /** In tests: from one round to the next, ms. */
  readonly intervalMs?: number;
}

/** The background work on what clicks say: one process makes columns, and one removes those that are too old. */
export function createColumnRounds(
  { STATISTICS_DAYS: days }: Pick<Config, 'STATISTICS_DAYS'>,
  { storage, now, onError, ...interval }: ColumnOptions,
): { readonly columns: Rounds; readonly pruning: Rounds | undefined } {
  const columns = createRounds({
    hasWork: () => storage.hasWork('foldClicks', now()),
    acquireLease: (everyMs) => storage.acquireLease('columns', now(), everyMs),
    slice: async () => ((await storage.foldClicks(now())) ? 1 : undefined),
    fault: 'What clicks say, which is in statistics already, cannot be moved to its columns yet.',
    intervalMs: foldingMs,
    onError,
    ...interval,
  });
  if (days === null) return { columns, pruning: undefined };
  const firstKept = (): number => dayOf(now()) - days + 1;
  const pruning = createRounds({
    hasWork: () => storage.hasWork('pruneClicks', startOfDay(firstKept())),
    acquireLease: (everyMs) => storage.acquireLease('prune clicks', now(), everyMs),
    slice: async () => ((await storage.pruneClicks(firstKept(), segmentsPerSlice)) ? 1 : undefined),
    fault: 'Statistics that are older than STATISTICS_DAYS cannot be removed yet.',
    intervalMs: pruningMs,
    onError,
    ...interval,
  });
  return { columns, pruning };
}
