import type { Config } from '../../config.ts';
import { createDestinationCheck } from '../../external/destination-monitoring/check.ts';
import {
  createDestinationMonitor,
  type DestinationMonitor,
  runEveryMs,
} from '../../external/destination-monitoring/monitor.ts';
import { createOutbound } from '../../external/outbound/outbound.ts';
import { type BackgroundTask, createBackgroundTask } from '../../runtime/background-task.ts';
import type { TaskOptions } from './storage-tasks.ts';

interface DestinationTaskOptions extends Omit<TaskOptions, 'intervalMs'> {
  /** Returns the origin of the short URLs. */
  readonly origin: () => string;
}

/** Starts destination monitoring, which only one process runs at a time. Returns undefined if disabled. */
export function openDestinations(
  { WATCH_DESTINATIONS: isWanted, FETCH_TITLES: fetchTitles, OUTBOUND_ALLOW: allowed }: Config,
  { storage, now, onError, origin }: DestinationTaskOptions,
): { readonly task: BackgroundTask; readonly stats: DestinationMonitor['stats'] } | undefined {
  if (!isWanted) return undefined;
  const outbound = createOutbound({ allowed });
  const checkDestination = createDestinationCheck({ outbound, now, origin });
  const monitor = createDestinationMonitor({
    storage,
    checkDestination,
    fetchTitles,
    now,
    chance: Math.random,
  });
  const task = createBackgroundTask({
    hasWork: monitor.hasWork,
    acquireLease: (leaseMs) => storage.acquireLease('destinations', now(), leaseMs),
    slice: monitor.slice,
    fault: 'Could not check link destinations. Linkfold will retry.',
    onError,
    intervalMs: runEveryMs,
  });
  const close = (): Promise<void> => {
    monitor.stop();
    outbound.close();
    return task.close();
  };
  return { task: { ...task, close }, stats: monitor.stats };
}
