import { openRollup, type Rollup } from '../../statistics/rollup-file.ts';
import type { Db } from '../db/db.ts';

/** The precomputed sums of a day. */
export interface StoredRollup {
  readonly rollup: Rollup;
  readonly isEstimated: boolean;
}

export interface RollupReader {
  /** Returns an account's roll-ups in an inclusive range of days. */
  read(db: Db, accountId: number, first: number, last: number): Promise<ReadonlyMap<number, StoredRollup>>;
}

const rollupsOfDays = `
  SELECT day, clicks, is_estimated FROM click_rollups WHERE account_id = ? AND day >= ? AND day <= ?`;
const bytesOfDays = 'SELECT day, bytes FROM click_rollups WHERE account_id = ? AND day >= ? AND day <= ?';

interface CachedRollup {
  readonly clicks: number;
  readonly stored: StoredRollup;
  readonly bytes: number;
}

/** The unpacked data of a roll-up is at most about this many times as large as its packed bytes. */
const unpackedFactor = 6;

/**
 * Creates a reader that caches recent roll-ups with their unpacked data. A day's number of clicks only grows, so a
 * roll-up with the same number of clicks is the same roll-up.
 * @param maxBytes approximate memory limit in bytes
 */
export function createRollupReader(maxBytes = 64 * 2 ** 20): RollupReader {
  const cache = new Map<string, CachedRollup>();
  let bytes = 0;

  const store = (key: string, one: CachedRollup): void => {
    bytes += one.bytes - (cache.get(key)?.bytes ?? 0);
    cache.delete(key);
    cache.set(key, one);
    for (const [oldest, { bytes: ofOldest }] of cache) {
      if (bytes <= maxBytes) return;
      cache.delete(oldest);
      bytes -= ofOldest;
    }
  };

  return {
    async read(db, accountId, first, last) {
      const rows = await db.all<{ day: number; clicks: number; is_estimated: number }>(rollupsOfDays, [
        accountId,
        first,
        last,
      ]);
      const found = new Map<number, StoredRollup>();
      const missing: typeof rows = [];
      for (const row of rows) {
        const known = cache.get(`${accountId} ${row.day}`);
        if (known?.clicks === row.clicks) found.set(row.day, known.stored);
        else missing.push(row);
      }
      if (missing.length === 0) return found;
      const days = missing.map(({ day }) => day);
      const range = [accountId, Math.min(...days), Math.max(...days)];
      const read = await db.all<{ day: number; bytes: Uint8Array }>(bytesOfDays, range);
      const files = new Map(read.map((row) => [row.day, row.bytes]));
      for (const { day, clicks, is_estimated } of missing) {
        const file = new Uint8Array(files.get(day) ?? []);
        const stored = { rollup: openRollup(file), isEstimated: is_estimated === 1 };
        store(`${accountId} ${day}`, { clicks, stored, bytes: file.length * unpackedFactor });
        found.set(day, stored);
      }
      return found;
    },
  };
}

const linkSumsOfDays = `
  SELECT day, link_bytes FROM click_rollups WHERE account_id = ? AND day >= ? AND day <= ?`;

/** Returns the packed sums per link in the roll-ups for an inclusive range of days. */
export async function readLinkSums(
  db: Db,
  accountId: number,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, Uint8Array<ArrayBuffer>>> {
  const rows = await db.all<{ day: number; link_bytes: Uint8Array }>(linkSumsOfDays, [
    accountId,
    first,
    last,
  ]);
  return new Map(rows.map(({ day, link_bytes }) => [day, new Uint8Array(link_bytes)]));
}
