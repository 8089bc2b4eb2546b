import { createIds, type RandomBytes } from './ids.ts';

/** The id of a new record and its creation time (ms since the epoch). */
export interface Stamp {
  readonly id: string;
  readonly createdAt: number;
}

export interface StampOptions {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  /** The newest existing id and the latest existing creation time. */
  readonly newest?: Stamp | undefined;
  /**
   * Called when the clock is more than ten seconds behind the latest creation time; then not again until the clock has
   * caught up.
   * @param until the creation time that records get until the clock has caught up
   */
  readonly onClockBehind?: (until: number) => void;
}

/** NTP corrections set a synchronized clock back by less than this. */
const toleratedMs = 10_000;

/**
 * Generates ids and creation times that never decrease, even when the clock goes backwards. Sorting by id therefore
 * gives the same order as sorting by `createdAt`. While the clock is behind the latest creation time, new records get
 * that latest time. This happens, for example, after a fast clock was corrected.
 */
export function createStamps({ now, randomBytes, newest, onClockBehind }: StampOptions): () => Stamp {
  let latest = newest?.createdAt ?? 0;
  let isReported = false;
  const nextId = createIds(() => latest, randomBytes, newest?.id);

  function reportIfBehind(at: number): void {
    if (at >= latest) isReported = false;
    if (latest - at <= toleratedMs || isReported) return;
    isReported = true;
    onClockBehind?.(latest);
  }

  reportIfBehind(now());
  return () => {
    const at = now();
    reportIfBehind(at);
    latest = Math.max(latest, at);
    return { id: nextId(), createdAt: latest };
  };
}
