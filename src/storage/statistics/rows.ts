import type { SegmentFile } from '../../statistics/columns/encode.ts';
import type { ReadFile } from '../../statistics/columns/segment.ts';
import type { ColumnsRow, SegmentKey } from '../statements/clicks/click-columns.ts';

/** What is known of a segment in addition to its bytes. */
export interface SegmentState {
  /** Nothing in it tells who a visitor was. */
  readonly isSealed: boolean;
  /** Some visitors may be counted twice. */
  readonly isEstimated: boolean;
  /** The import that brought the clicks; 0 for clicks counted here; negative if a later import replaced them. */
  readonly source: number;
}

/** Bytes in front of the head in its row: its length. A segment's only block stands behind it, others in rows of their own. */
const lengthBytes = 4;

/** A segment as rows. */
export function rowsOfSegment(
  key: SegmentKey,
  { head, blocks }: SegmentFile,
  { isSealed, isEstimated, source = 0 }: Omit<SegmentState, 'source'> & { readonly source?: number },
): ColumnsRow[] {
  const [only, ...further] = blocks;
  const isAlone = further.length === 0;
  const front = Buffer.alloc(lengthBytes);
  front.writeUInt32LE(head.length);
  const bytes = Buffer.concat([front, head, ...(isAlone && only !== undefined ? [only.bytes] : [])]);
  const first: ColumnsRow = {
    ...key,
    block: 0,
    isSealed,
    isEstimated,
    source,
    bytes,
    clicks: blocks.reduce((sum, { clicks }) => sum + clicks, 0),
    leastLink: blocks.reduce((least, block) => Math.min(least, block.leastLink), Number.POSITIVE_INFINITY),
    largestLink: blocks.reduce((largest, block) => Math.max(largest, block.largestLink), 0),
  };
  if (isAlone) return [first];
  const others = blocks.map((block, at) => ({
    ...key,
    isSealed,
    isEstimated,
    source,
    ...block,
    block: at + 1,
  }));
  return [first, ...others];
}

export interface RowBytes {
  readonly block: number;
  readonly bytes: Uint8Array;
}

/**
 * A segment of its rows, perhaps not all of them.
 * @param rows its head among them
 * @throws RangeError when that is cut
 */
export function fileOfRows(rows: readonly RowBytes[]): ReadFile {
  const first = rows.find(({ block }) => block === 0);
  const bytes = Buffer.from(first?.bytes ?? []);
  const end = lengthBytes + bytes.readUInt32LE(0);
  const head = new Uint8Array(bytes.subarray(lengthBytes, end));
  if (end < bytes.length) return { head, blocks: [{ bytes: new Uint8Array(bytes.subarray(end)) }] };
  const blocks: { readonly bytes: Uint8Array<ArrayBuffer> }[] = [];
  for (const row of rows) if (row.block > 0) blocks[row.block - 1] = { bytes: new Uint8Array(row.bytes) };
  return { head, blocks };
}
