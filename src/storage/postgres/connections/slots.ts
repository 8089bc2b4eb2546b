import { overloaded } from '../../../model/failures.ts';
import { createFifo, type Fifo } from '../../../runtime/fifo.ts';

/**
 * A kind of work. A lookup finds a code or key while a visitor is waiting. If the pool has three or more connections,
 * no kind can use all of them. Lookups have priority over reads.
 */
export type Purpose = 'lookup' | 'read' | 'write';

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of waiting requests per kind; writes are limited earlier, in `write-watch.ts`. */
const maxWaiting: Readonly<Record<Purpose, number>> = {
  lookup: 1_000,
  read: 1_000,
  write: Number.POSITIVE_INFINITY,
};

/** Limits how many requests use a connection at the same time, and queues the other requests. */
export interface ConnectionSlots {
  /**
   * @returns undefined if the request got a free slot; otherwise a promise that resolves when it gets a slot
   * @throws OVERLOADED when too many requests are waiting
   */
  enter(purpose: Purpose): Promise<void> | undefined;
  leave(purpose: Purpose): void;
  /** Rejects all waiting requests. */
  clear(reason: unknown): void;
}

/** @param most maximum number of concurrent requests */
export function createConnectionSlots(most: number): ConnectionSlots {
  const waiting: Readonly<Record<Purpose, Fifo<Waiting>>> = {
    lookup: createFifo(),
    read: createFifo(),
    write: createFifo(),
  };
  const used: Record<Purpose, number> = { lookup: 0, read: 0, write: 0 };
  /**
   * Number of slots that lookups and reads leave free for writes. Writes leave the same number free for lookups and
   * reads, and reads leave this number free for lookups.
   */
  const reserved = most < 3 ? 0 : Math.max(1, Math.floor(most / 4));

  const hasRoom = (purpose: Purpose): boolean => {
    const reading = used.lookup + used.read;
    if (reading + used.write >= most) return false;
    if (purpose === 'write') return used.write < most - reserved;
    return (
      reading < most - reserved && (purpose === 'lookup' || used.read < Math.max(1, most - 2 * reserved))
    );
  };

  const admitWaiting = (purpose: Purpose): void => {
    while (hasRoom(purpose)) {
      const next = waiting[purpose].removeFirst();
      if (next === undefined) return;
      used[purpose] += 1;
      next.start();
    }
  };

  return {
    enter(purpose) {
      if (waiting[purpose].length() === 0 && hasRoom(purpose)) {
        used[purpose] += 1;
        return undefined;
      }
      if (waiting[purpose].length() >= maxWaiting[purpose])
        throw overloaded('Too many queries are queued.', 1);
      return new Promise((start, reject) => waiting[purpose].add({ start, reject }));
    },
    leave(purpose) {
      used[purpose] -= 1;
      const next: Purpose[] = purpose === 'write' ? ['write', 'lookup', 'read'] : ['lookup', 'read', 'write'];
      for (const kind of next) admitWaiting(kind);
    },
    clear(reason) {
      for (const line of Object.values(waiting)) for (const { reject } of line.clear()) reject(reason);
    },
  };
}
