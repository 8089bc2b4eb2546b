import { openSegment, type Segment } from '../../statistics/columns/segment.ts';
import type { Db } from '../db/db.ts';
import { fileOfRows, type RowBytes, type SegmentState } from './rows.ts';

/** A segment as its rows describe it, without the bytes. */
export interface StoredSegment extends SegmentState {
  readonly accountId: number;
  readonly day: number;
  readonly segment: number;
  readonly clicks: number;
  readonly blocks: readonly StoredBlock[];
}

export interface StoredBlock {
  readonly block: number;
  readonly clicks: number;
  readonly leastLink: number;
  readonly largestLink: number;
}

/** An inclusive range of link rows. */
export interface LinkRange {
  readonly least: number;
  readonly largest: number;
}

interface Row extends StoredBlock {
  readonly day: number;
  readonly segment: number;
  readonly isSealed: number;
  readonly isEstimated: number;
  readonly source: number;
}

const segmentsOfDays = `
  SELECT day, segment, block, clicks, least_link AS "leastLink", largest_link AS "largestLink",
    is_sealed AS "isSealed", is_estimated AS "isEstimated", source
  FROM click_columns
  WHERE account_id = ? AND day >= ? AND day <= ? ORDER BY day, segment, block`;

/**
 * Lists an account's segments in an inclusive range of days, in the order in which they were written.
 * @param withReplaced includes segments with a negative source, whose clicks a later import replaced
 */
export async function listSegments(
  db: Db,
  accountId: number,
  first: number,
  last: number,
  withReplaced = false,
): Promise<ReadonlyMap<number, readonly StoredSegment[]>> {
  const rows = await db.all<Row>(segmentsOfDays, [accountId, first, last]);
  const byDay = new Map<number, StoredSegment[]>();
  let blocks: StoredBlock[] = [];
  for (const { day, segment, source, isSealed, isEstimated, ...block } of rows) {
    if (source < 0 && !withReplaced) continue;
    if (block.block > 0) {
      blocks.push(block);
      continue;
    }
    blocks = [];
    const state = { isSealed: isSealed === 1, isEstimated: isEstimated === 1, source };
    const stored = { accountId, day, segment, clicks: block.clicks, ...state, blocks };
    byDay.set(day, [...(byDay.get(day) ?? []), stored]);
  }
  return byDay;
}

/** Returns how many clicks of a segment a query must read. */
export function clicksIn({ clicks, blocks }: StoredSegment, range: LinkRange | undefined): number {
  if (range === undefined || blocks.length === 0) return clicks;
  return blocks.filter(overlaps(range)).reduce((sum, block) => sum + block.clicks, 0);
}

function overlaps({ least, largest }: LinkRange): (block: StoredBlock) => boolean {
  return (block) => block.leastLink <= largest && block.largestLink >= least;
}

export interface SegmentReader {
  /**
   * Reads a segment. The result may lack blocks that contain no links in the range.
   * @param query the object that represents the running query, see `createSegmentReader`
   */
  read(db: Db, stored: StoredSegment, range?: LinkRange, query?: object): Promise<Segment>;
}

const rowsOfSegment = `
  SELECT block, bytes FROM click_columns
  WHERE account_id = ? AND day = ? AND segment = ? AND (block = 0 OR (largest_link >= ? AND least_link <= ?))
  ORDER BY block`;

interface CachedSegment {
  readonly segment: Segment;
  readonly blocks: ReadonlySet<number>;
  /** The segment's memory use when last measured, in bytes. */
  bytes: number;
  /** The last query that read the segment. */
  query: object;
}

/** Memory that each segment takes in addition to its data, in bytes. */
const bytesOfSegment = 2_000;

/**
 * Creates a reader that caches recent segments with their unpacked columns, because a statistics page queries the same
 * days several times. A segment never changes, and its number is not reused while its day has data.
 *
 * If a query reads more than the cache can hold, the segments that it read first stay in the cache. If later segments
 * replaced them, the next query over the same days would find none of its first segments in the cache.
 * @param maxBytes approximate memory limit in bytes
 */
export function createSegmentReader(maxBytes = 128 * 2 ** 20): SegmentReader {
  const cache = new Map<string, CachedSegment>();
  let bytes = 0;
  /** Entries whose columns may have been unpacked since the last measurement. */
  const unmeasured = new Set<CachedSegment>();

  const measure = (): void => {
    for (const entry of unmeasured) {
      const now = entry.segment.bytes() + bytesOfSegment;
      bytes += now - entry.bytes;
      entry.bytes = now;
    }
    unmeasured.clear();
  };
  const drop = (key: string, entry: CachedSegment): void => {
    cache.delete(key);
    unmeasured.delete(entry);
    bytes -= entry.bytes;
  };
  const store = (key: string, entry: CachedSegment): void => {
    const before = cache.get(key);
    if (before !== undefined) drop(key, before);
    for (const [oldest, other] of cache) {
      if (bytes + entry.bytes <= maxBytes || other.query === entry.query) break;
      drop(oldest, other);
    }
    if (bytes + entry.bytes > maxBytes) return;
    cache.set(key, entry);
    bytes += entry.bytes;
    unmeasured.add(entry);
  };

  return {
    async read(db, stored, range, query = {}) {
      measure();
      const { accountId, day, segment, source, blocks } = stored;
      // Segment numbers start again when a day becomes empty, so the key includes the source. An import is undone only
      // once, so keys with the source are unique.
      const key = `${accountId} ${day} ${segment} ${source}`;
      const wanted = range === undefined ? blocks : blocks.filter(overlaps(range));
      const known = cache.get(key);
      if (known !== undefined && wanted.every(({ block }) => known.blocks.has(block))) {
        cache.delete(key);
        cache.set(key, known);
        known.query = query;
        unmeasured.add(known);
        return known.segment;
      }
      const { least, largest } = range ?? { least: 0, largest: Number.MAX_SAFE_INTEGER };
      const rows = await db.all<RowBytes>(rowsOfSegment, [accountId, day, segment, least, largest]);
      const opened = openSegment(fileOfRows(rows));
      store(key, {
        segment: opened,
        blocks: new Set(wanted.map(({ block }) => block)),
        bytes: opened.bytes() + bytesOfSegment,
        query,
      });
      return opened;
    },
  };
}
