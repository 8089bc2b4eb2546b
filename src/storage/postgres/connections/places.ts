import { Failure } from '../../../model/failures.ts';
import { createFifo, type Fifo } from '../../../runtime/fifo.ts';

/**
 * The kinds of work. A look-up finds a code or a key, and a visitor waits for it. No kind can take all connections and starve
 * another, and look-ups go before reads.
 */
export type Purpose = 'lookup' | 'read' | 'write';

interface Waiting {
  readonly go: () => void;
  readonly giveUp: (error: unknown) => void;
}

/** How many of a kind may wait for a connection; writes are bounded before (`write-watch.ts`). */
const maxWaiting: Readonly<Record<Purpose, number>> = {
  lookup: 1_000,
  read: 1_000,
  write: Number.POSITIVE_INFINITY,
};

/** Who may use a connection, and who waits until one is free. */
export interface ConnectionSlots {
  /** @returns what resolves when there is a place; undefined when there is one. @throws OVERLOADED when too many wait */
  enter(purpose: Purpose): Promise<void> | undefined;
  leave(purpose: Purpose): void;
  /** Refuses all that wait. */
  clear(reason: unknown): void;
}

/** @param most how many may use a connection at once */
export function createPlaces(most: number): ConnectionSlots {
  const waiting: Readonly<Record<Purpose, Fifo<Waiting>>> = {
    lookup: createFifo(),
    read: createFifo(),
    write: createFifo(),
  };
  const used: Record<Purpose, number> = { lookup: 0, read: 0, write: 0 };
  /** Places that reads leave to writes, writes to reads, and reads, beyond that, to look-ups. */
  const share = most < 3 ? 0 : Math.max(1, Math.floor(most / 4));

  const hasRoom = (purpose: Purpose): boolean => {
    const reading = used.lookup + used.read;
    if (reading + used.write >= most) return false;
    if (purpose === 'write') return used.write < most - share;
    return reading < most - share && (purpose === 'lookup' || used.read < Math.max(1, most - 2 * share));
  };

  const letIn = (purpose: Purpose): void => {
    while (hasRoom(purpose)) {
      const next = waiting[purpose].removeFirst();
      if (next === undefined) return;
      used[purpose] += 1;
      next.go();
    }
  };

  return {
    enter(purpose) {
      if (waiting[purpose].length() === 0 && hasRoom(purpose)) {
        used[purpose] += 1;
        return undefined;
      }
      if (waiting[purpose].length() >= maxWaiting[purpose])
        throw new Failure('OVERLOADED', 'Too many reads are waiting.', { retryAfterSeconds: 1 });
      return new Promise((go, giveUp) => waiting[purpose].add({ go, giveUp }));
    },
    leave(purpose) {
      used[purpose] -= 1;
      const next: Purpose[] = purpose === 'write' ? ['write', 'lookup', 'read'] : ['lookup', 'read', 'write'];
      for (const kind of next) letIn(kind);
    },
    clear(reason) {
      for (const line of Object.values(waiting)) for (const { giveUp } of line.clear()) giveUp(reason);
    },
  };
}
