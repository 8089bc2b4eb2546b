import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { type MissedVisits, missedVisitDays } from '../../model/clicks/missed-visits.ts';
import type { Storage } from '../../model/storage.ts';
import { type BackgroundTask, createBackgroundTask } from '../../runtime/background-task.ts';
import type { TaskOptions } from './storage-tasks.ts';

interface MissedVisitOptions extends Omit<TaskOptions, 'storage'> {
  readonly missed: MissedVisits;
  readonly storage: Pick<Storage, 'addMissedVisits' | 'hasWork'>;
}

const fault = 'Could not store not-found visits. They stay in memory, and Linkfold will retry.';

/**
 * Creates the task that stores not-found visits. `flush` stores the visits counted since the last run, and never
 * rejects.
 */
export function createMissedVisitTask(options: MissedVisitOptions): {
  readonly task: BackgroundTask;
  readonly flush: () => Promise<void>;
} {
  const { missed, storage, now, onError, ...interval } = options;
  const firstDay = (): number => dayOf(now()) - missedVisitDays + 1;
  const store = async (): Promise<undefined> => {
    const counts = missed.take();
    try {
      await storage.addMissedVisits(dayOf(now()), counts, firstDay());
    } catch (error) {
      missed.putBack(counts);
      throw error;
    }
  };
  const task = createBackgroundTask({
    hasWork: () => !missed.isEmpty || storage.hasWork('deleteOldMissedVisits', startOfDay(firstDay())),
    slice: store,
    fault,
    onError,
    ...interval,
  });
  const lost = 'Could not store the last not-found visits before the shutdown. They are not counted.';
  const flush = async (): Promise<void> => {
    if (!missed.isEmpty) await store().catch((error: unknown) => onError(lost, { error }));
  };
  return { task, flush };
}
