import type { RandomBytes } from '../model/ids.ts';
import type { Storage } from '../model/storage.ts';
import { createLoop, type Loop } from '../runtime/loop.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { type Salt, saltFrom } from './dimensions/visitors.ts';

export interface VisitorSaltsOptions {
  readonly storage: Pick<Storage, 'visitorSalt' | 'storeVisitorSalt'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly onError: Report;
  readonly onInfo: Report;
  readonly timers?: Timers;
}

/** Salts for visitor hashes. Each UTC day has a new salt, which is the same in all processes. */
export interface VisitorSalts extends Loop {
  /** Returns today's salt, or undefined until this process has loaded it. */
  salt(): Salt | undefined;
}

const msPerDay = 86_400_000;
const checkEveryMs = 60_000;
const pauseAfterFaultMs = 5_000;
/**
 * Time in ms between the creation of a salt and the start of its day. Creating a salt deletes the salt created 48 hours
 * earlier.
 */
const createAheadMs = 600_000;

/**
 * Loads salts from storage in the background; the first process that needs a salt creates it. No redirect waits for a
 * salt. Salts are stored only in the database, for 48 hours.
 */
export function createVisitorSalts(options: VisitorSaltsOptions): VisitorSalts {
  const { storage, now, randomBytes, onError, onInfo, timers } = options;
  const salts = new Map<number, Salt>();
  let isFailing = false;

  const loadSalt = async (day: number, today: number): Promise<void> => {
    if (salts.has(day)) return;
    const found =
      (await storage.visitorSalt(day)) ?? (await storage.storeVisitorSalt(day, randomBytes(16), today));
    salts.set(day, saltFrom(found));
  };

  const check = async (): Promise<number> => {
    const today = dayOf(now());
    for (const day of salts.keys()) if (day < today || day > today + 1) salts.delete(day);
    try {
      await loadSalt(today, today);
      const soon = dayOf(now() + createAheadMs);
      if (soon > today) await loadSalt(soon, today);
      if (isFailing) onInfo('Linkfold can count unique visitors again.');
      isFailing = false;
      return checkEveryMs;
    } catch (error) {
      if (!isFailing)
        onError(
          "Could not load today's visitor salt. Clicks are counted, but not as unique visitors. Linkfold will retry.",
          { error },
        );
      isFailing = true;
      return pauseAfterFaultMs;
    }
  };

  return { ...createLoop(0, check, timers), salt: () => salts.get(dayOf(now())) };
}

function dayOf(at: number): number {
  return Math.floor(at / msPerDay);
}
