import type { ClickFacts } from './click-facts.ts';
import {
  type ClickRecords,
  clickLayout,
  endOfClick,
  mostClickBytes,
  ownerBytes,
  writeClick,
  writeOwner,
} from './click-records.ts';

/** Collects clicks for storage. */
export interface ClickCollector {
  add(account: number, row: number, at: number, facts: ClickFacts): void;
  /** Adds a click that is in the layout of today. */
  addWritten(account: number, row: number, bytes: Uint8Array, from: number, to: number): void;
  /** What was added since the last call. */
  take(): readonly ClickRecords[];
}

const firstBytes = 16_384;
/** Pieces are no larger than that, so that each can be read and folded in a few milliseconds. */
const pieceBytes = 262_144;
const roomForOne = ownerBytes + mostClickBytes;

export function createClickCollector(): ClickCollector {
  let bytes = Buffer.allocUnsafeSlow(firstBytes);
  let length = 0;
  let clicks = 0;
  let pieces: ClickRecords[] = [];

  const cut = (): void => {
    if (clicks > 0)
      pieces.push({ layout: clickLayout, clicks, bytes: new Uint8Array(bytes.subarray(0, length)) });
    length = 0;
    clicks = 0;
  };
  const makeRoom = (): void => {
    if (bytes.length >= pieceBytes) return cut();
    const larger = Buffer.allocUnsafeSlow(2 * bytes.length);
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  };
  const addOwner = (account: number, row: number): void => {
    if (length + roomForOne > bytes.length) makeRoom();
    length = writeOwner(bytes, length, account, row);
    clicks += 1;
  };

  return {
    add(account, row, at, facts) {
      addOwner(account, row);
      length = writeClick(bytes, length, at, facts);
    },
    addWritten(account, row, written, from, to) {
      addOwner(account, row);
      for (let at = from; at < to; at += 1) bytes[length++] = written[at] as number;
    },
    take() {
      cut();
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}

/**
 * Gives clicks that were collected before their links were looked up to the links' owners.
 * @param ownerOf by what stands in place of the row; undefined for a link that storage does not know: its clicks go
 */
export function withOwners(
  { bytes: given }: ClickRecords,
  ownerOf: (row: number) => { readonly account: number; readonly row: number } | undefined,
  into: ClickCollector,
): void {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  for (let at = 0; at < bytes.length; ) {
    const start = at + ownerBytes;
    const end = endOfClick(bytes, start);
    const owner = ownerOf(bytes.readUInt32LE(at + 4));
    if (owner !== undefined) into.addWritten(owner.account, owner.row, bytes, start, end);
    at = end;
  }
}
