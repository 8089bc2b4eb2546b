import type { SegmentFile } from '../../statistics/columns/encode.ts';
import type { ReadFile } from '../../statistics/columns/segment.ts';
import type { ColumnsRow, SegmentKey } from '../statements/clicks/click-columns.ts';

/** The state of a segment, which is stored in columns next to its bytes. */
export interface SegmentState {
  /** True if the segment contains no visitor identifiers. */
  readonly isSealed: boolean;
  /** True if some visitors may be counted twice. */
  readonly isEstimated: boolean;
  /**
   * The import that added the clicks; 0 for clicks that Linkfold itself counted; negative if a later import replaced
   * the clicks.
   */
  readonly source: number;
}

/**
 * Size of the prefix that contains the header's length, in bytes. If a segment has only one block, the block follows
 * the header in the same row. Otherwise each block has its own row.
 */
const lengthBytes = 4;

/** Returns the rows of a segment. */
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
 * Builds a segment file from its rows. Rows of some blocks may be missing.
 * @param rows must include the header
 * @throws RangeError when the header is truncated
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
