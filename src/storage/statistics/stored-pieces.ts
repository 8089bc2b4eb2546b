import type { Segment } from '../../statistics/columns/segment.ts';
import type { Db } from '../db/db.ts';
import { isKnownPiece, type PieceKey } from '../statements/clicks/click-columns.ts';
import { type DayRecords, segmentOfRecords } from './day-records.ts';

/** A piece: a day's clicks that are not in columns yet. This type leaves out the bytes. */
export interface StoredPiece extends PieceKey {
  readonly layout: number;
  readonly clicks: number;
}

const piecesOfDays = `
  SELECT account_id AS "accountId", day, piece, layout, clicks FROM day_records
  WHERE account_id = ? AND day >= ? AND day <= ? AND ${isKnownPiece} ORDER BY day, piece`;
const recordsOfPiece = 'SELECT records FROM day_records WHERE account_id = ? AND day = ? AND piece = ?';

/** Returns an account's pieces in an inclusive range of days, in the order in which they were written. */
export async function listPieces(
  db: Db,
  accountId: number,
  first: number,
  last: number,
): Promise<readonly StoredPiece[]> {
  return db.all<StoredPiece>(piecesOfDays, [accountId, first, last]);
}

export async function readPiece(db: Db, piece: StoredPiece): Promise<DayRecords> {
  const key = [piece.accountId, piece.day, piece.piece];
  const row = await db.get<{ readonly records: Uint8Array<ArrayBuffer> }>(recordsOfPiece, key);
  return { ...piece, bytes: row?.records ?? new Uint8Array() };
}

export interface PieceReader {
  /** Returns an account's pieces in an inclusive range of days, converted to segments and grouped by day. */
  read(
    db: Db,
    accountId: number,
    first: number,
    last: number,
  ): Promise<ReadonlyMap<number, readonly Segment[]>>;
}

/** Maximum number of clicks in the cache. Each click takes about 35 bytes, including decoded columns. */
const maxCachedClicks = 1_800_000;

/**
 * Creates a reader that caches recent pieces. A piece never changes, and its number is not reused while its day has
 * data.
 * @param most maximum number of cached clicks
 */
export function createPieceReader(most = maxCachedClicks): PieceReader {
  const cache = new Map<string, { readonly segment: Segment; readonly clicks: number }>();
  let clicks = 0;
  return {
    async read(db, accountId, first, last) {
      const byDay = new Map<number, Segment[]>();
      for (const piece of await listPieces(db, accountId, first, last)) {
        const key = `${accountId} ${piece.day} ${piece.piece} ${piece.clicks}`;
        const known = cache.get(key);
        const segment = known?.segment ?? segmentOfRecords([await readPiece(db, piece)]);
        cache.delete(key);
        cache.set(key, { segment, clicks: piece.clicks });
        if (known === undefined) clicks += piece.clicks;
        byDay.getOrInsertComputed(piece.day, () => []).push(segment);
      }
      for (const [oldest, { clicks: of }] of cache) {
        if (clicks <= most) break;
        cache.delete(oldest);
        clicks -= of;
      }
      return byDay;
    },
  };
}
