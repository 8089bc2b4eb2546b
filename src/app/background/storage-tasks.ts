import type { Config } from '../../config.ts';
import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { logDays } from '../../model/history/events.ts';
import { folderRestoreMs } from '../../model/links/folders.ts';
import type { Storage } from '../../model/storage.ts';
import {
  type BackgroundTask,
  type BackgroundTaskOptions,
  createBackgroundTask,
} from '../../runtime/background-task.ts';
import type { Report } from '../../runtime/report.ts';

/**
 * Maximum number of links that may be unindexed while other writes take precedence. Every search also reads the rows of
 * unindexed links, which takes a few milliseconds.
 */
const unindexedWhileBusy = 10_000;
/**
 * Number of link rows per slice. `segmentsPerSlice` is the number of click segments, and `batchesPerSlice` the number
 * of batches of at most 256 KiB each. A slice delays other writes by a few milliseconds.
 */
const rowsPerSlice = 250;
/** Number of links per slice for tasks that read each link individually. */
const linksPerSlice = 100;
const msPerDay = 86_400_000;
const segmentsPerSlice = 50;
const batchesPerSlice = 16;

/** Options for background tasks. */
export interface TaskOptions {
  readonly storage: Storage;
  readonly now: () => number;
  readonly onError: Report;
  /** Milliseconds between runs; set in tests. */
  readonly intervalMs?: number;
}

type RetentionConfig = Pick<Config, 'STATISTICS_DAYS' | 'HISTORY_DAYS'>;

type Work = Pick<BackgroundTaskOptions, 'hasWork' | 'fault' | 'intervalMs'> & {
  /** Lease that a process must hold to run the task. Without a lease, every process runs it. */
  readonly lease?: string;
  /**
   * Does a small part of the work.
   * @returns the position of the next slice, or true if slices need no position; undefined, 0 or false if no work is
   * left
   */
  readonly slice: (after: number) => Promise<number | boolean | undefined>;
};

/** Creates the tasks that maintain storage in the background. Their work is invisible to visitors and clients. */
export function createStorageTasks(
  config: RetentionConfig,
  { storage, now, onError, ...interval }: TaskOptions,
): {
  readonly folding: BackgroundTask;
  readonly columns: BackgroundTask;
  readonly others: readonly BackgroundTask[];
} {
  const createTask = ({ lease, slice, fault, ...work }: Work): BackgroundTask =>
    createBackgroundTask({
      ...work,
      fault: `${fault} Linkfold will retry.`,
      ...(lease && { acquireLease: (everyMs: number) => storage.acquireLease(lease, now(), everyMs) }),
      slice: async (after) => Number(await slice(after)) || undefined,
      onError,
      ...interval,
    });
  return {
    folding: createTask({
      lease: 'rollUpClicks',
      hasWork: () => storage.hasWork('rollUpClicks'),
      slice: (afterRow) => storage.rollUpClicks(afterRow, rowsPerSlice),
      fault:
        'Could not add recent clicks to the counts of their links. The API already includes these clicks.',
    }),
    columns: createTask({
      lease: 'foldClicks',
      hasWork: () => storage.hasWork('foldClicks', now()),
      slice: () => storage.foldClicks(now()),
      fault: 'Could not move clicks to statistics columns. Statistics already include these clicks.',
      // A shorter interval would create more and smaller click columns, for no benefit: API responses include clicks
      // even before they are in columns.
      intervalMs: 30_000,
    }),
    others: createCleanUpTasks(config, storage, now).map(createTask),
  };
}

/** Creates the clean-up tasks, each of which deletes a few rows at a time. */
function createCleanUpTasks(
  { STATISTICS_DAYS: days, HISTORY_DAYS: historyDays }: RetentionConfig,
  storage: Storage,
  now: () => number,
): readonly Work[] {
  const lastDeletedAt = (): number => now() - folderRestoreMs;
  const lacksLinks = async () =>
    storage.hasWork('indexLinks', storage.waitingWrites() > 0 ? unindexedWhileBusy : 0);
  const firstHistoryAt = (): number => now() - historyDays * msPerDay;
  const firstLoggedAt = (): number => now() - logDays * msPerDay;
  const firstDay = (): number => dayOf(now()) - (days ?? 0) + 1;
  const pruning: Work = {
    lease: 'pruneClicks',
    hasWork: () => storage.hasWork('pruneClicks', startOfDay(firstDay())),
    slice: () => storage.pruneClicks(firstDay(), segmentsPerSlice),
    fault: 'Could not delete statistics older than STATISTICS_DAYS.',
    intervalMs: 3_600_000,
  };
  return [
    {
      hasWork: () => storage.hasWork('emptyFolders', lastDeletedAt()),
      slice: () => storage.emptyFolders(lastDeletedAt(), rowsPerSlice),
      fault:
        'Could not update the links in deleted folders. The API already returns these links without a folder.',
      intervalMs: 2_000,
    },
    {
      hasWork: () => storage.hasWork('emptyTags'),
      slice: () => storage.emptyTags(rowsPerSlice),
      fault:
        'Could not update the links with deleted or merged tags. The API already returns these links with the change.',
      intervalMs: 2_000,
    },
    {
      lease: 'indexLinks',
      hasWork: lacksLinks,
      slice: async () => (await storage.indexLinks(rowsPerSlice)) && (await lacksLinks()),
      fault: 'Could not add new links to the search index. Searches already find these links.',
      intervalMs: 2_000,
    },
    {
      lease: 'trimEvents',
      hasWork: () => storage.hasWork('trimEvents', now()),
      slice: () => storage.trimEvents(now(), batchesPerSlice),
      fault: 'Could not delete old events.',
      intervalMs: 15_000,
    },
    {
      lease: 'continueImports',
      hasWork: () => storage.hasWork('continueImports'),
      slice: async () =>
        (await storage.continueImports(rowsPerSlice, now())) ||
        // Imported clicks are moved to columns immediately, because a user is waiting for the import.
        ((await storage.hasWork('continueImports')) && storage.foldClicks(now())),
      fault: 'Could not finish or undo an import.',
      intervalMs: 500,
    },
    {
      lease: 'trimHistory',
      hasWork: () => storage.hasWork('trimHistory', firstHistoryAt()),
      slice: () => storage.trimHistory(firstHistoryAt(), rowsPerSlice),
      fault: 'Could not delete history older than HISTORY_DAYS.',
      intervalMs: 60_000,
    },
    {
      lease: 'trimDeliveries',
      hasWork: () => storage.hasWork('trimDeliveries', firstLoggedAt()),
      slice: () => storage.trimDeliveries(firstLoggedAt(), rowsPerSlice),
      fault: 'Could not delete old webhook deliveries.',
      intervalMs: 60_000,
    },
    {
      lease: 'recordExpirations',
      hasWork: () => storage.hasWork('recordExpirations', now()),
      slice: () => storage.recordExpirations(now(), linksPerSlice),
      fault: 'Could not record that links have expired. Visitors already get the response for expired links.',
      intervalMs: 5_000,
    },
    ...(days === null ? [] : [pruning]),
  ];
}
