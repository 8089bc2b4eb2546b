import type { RandomBytes } from '../model/ids.ts';
import type { Storage } from '../model/storage.ts';
import { createLoop, type Loop } from '../runtime/loop.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { type Salt, saltFrom } from './dimensions/visitors.ts';

export interface VisitorSaltsOptions {
  readonly storage: Pick<Storage, 'visitorSalt' | 'storeVisitorSalt'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly onError: Report;
  readonly onInfo: Report;
  readonly timers?: Timers;
}

/** The secrets by which visitors are distinguished: a new one every UTC day, the same in all processes. */
export interface VisitorSalts extends Loop {
  /** Of today; undefined while this process does not have it. */
  salt(): Salt | undefined;
}

const msPerDay = 86_400_000;
const lookEveryMs = 60_000;
const pauseAfterFaultMs = 5_000;
/** So long before its day a secret is made. The one of the day before goes then, 48 hours old. */
const aheadMs = 600_000;

/**
 * Gets them from storage, in the background: the first process that needs one makes it. No redirect waits for it, and no
 * file has them but the database, for 48 hours.
 */
export function createVisitorSalts(options: VisitorSaltsOptions): VisitorSalts {
  const { storage, now, randomBytes, onError, onInfo, timers } = options;
  const salts = new Map<number, Salt>();
  let fails = false;

  const get = async (day: number, today: number): Promise<void> => {
    if (salts.has(day)) return;
    const found =
      (await storage.visitorSalt(day)) ?? (await storage.storeVisitorSalt(day, randomBytes(16), today));
    salts.set(day, saltFrom(found));
  };

  const look = async (): Promise<number> => {
    const today = dayOf(now());
    for (const day of salts.keys()) if (day < today || day > today + 1) salts.delete(day);
    try {
      await get(today, today);
      const soon = dayOf(now() + aheadMs);
      if (soon > today) await get(soon, today);
      if (fails) onInfo('Visitors are told apart again.');
      fails = false;
      return lookEveryMs;
    } catch (error) {
      if (!fails) onError('Visitors of the day cannot be told apart yet; their clicks count.', { error });
      fails = true;
      return pauseAfterFaultMs;
    }
  };

  return { ...createLoop(0, look, timers), salt: () => salts.get(dayOf(now())) };
}

function dayOf(at: number): number {
  return Math.floor(at / msPerDay);
}
