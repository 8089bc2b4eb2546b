import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import { createRounds, type Rounds } from '../runtime/rounds.ts';

const trimmingMs = 15_000;
/** Batches of clicks that a slice removes: of at most 256 KiB each. */
const batchesPerSlice = 16;

interface EventRoundsOptions {
  readonly storage: Pick<Storage, 'hasWork' | 'acquireLease' | 'trimEvents'>;
  readonly now: () => number;
  readonly onError: Report;
  /** In tests: from one round to the next, ms. */
  readonly intervalMs?: number;
}

/** The background work on noted events: one process removes those that no client can ask for any more. */
export function createEventRounds({ storage, now, onError, ...interval }: EventRoundsOptions): Rounds {
  return createRounds({
    hasWork: () => storage.hasWork('trimEvents', now()),
    acquireLease: (everyMs) => storage.acquireLease('trim events', now(), everyMs),
    slice: async () => ((await storage.trimEvents(now(), batchesPerSlice)) ? 1 : undefined),
    fault: 'Events that clients have had cannot be removed yet.',
    intervalMs: trimmingMs,
    onError,
    ...interval,
  });
}
