import { createIds, type RandomBytes } from './ids.ts';

/** What a link or folder gets when it is made: its id, and when that was, ms since the epoch. */
export interface Stamp {
  readonly id: string;
  readonly createdAt: number;
}

export interface StampOptions {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  /** The newest id and the latest time that are in use already. */
  readonly newest?: Stamp | undefined;
  /**
   * Called when the clock is more than ten seconds behind the latest time in use, once until it has caught up.
   * @param until the time that is given out meanwhile
   */
  readonly onClockBehind?: (until: number) => void;
}

/** A clock that NTP keeps in step is set back by less. */
const toleratedMs = 10_000;

/**
 * Gives out ids and times that never go back, even when the clock does: the order by id is the order of creation, and
 * that of `createdAt`. While the clock is behind the latest time in use, as after it was set wrong, that time is repeated.
 */
export function createStamps({ now, randomBytes, newest, onClockBehind }: StampOptions): () => Stamp {
  let latest = newest?.createdAt ?? 0;
  let isTold = false;
  const nextId = createIds(() => latest, randomBytes, newest?.id);

  function tellIfBehind(at: number): void {
    if (at >= latest) isTold = false;
    if (latest - at <= toleratedMs || isTold) return;
    isTold = true;
    onClockBehind?.(latest);
  }

  tellIfBehind(now());
  return () => {
    const at = now();
    tellIfBehind(at);
    latest = Math.max(latest, at);
    return { id: nextId(), createdAt: latest };
  };
}
