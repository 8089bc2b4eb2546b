import { msPerHour } from '../timestamps.ts';
import type { ClickFacts } from './click-facts.ts';
import { unknownFacts } from './click-facts.ts';
import {
  type ClickRecords,
  classOfClick,
  clickLayout,
  endOfClick,
  maxClickBytes,
  ownerBytes,
  timeOfClick,
  writeClick,
  writeOwner,
} from './click-records.ts';
import { clickClasses, hourOf } from './clicks.ts';

/** Collects clicks in bounded memory until they are stored. */
export interface ClickCollector {
  add(account: number, row: number, at: number, facts: ClickFacts): void;
  /** Adds a click that is already encoded in the current layout. */
  addWritten(account: number, row: number, bytes: Buffer, from: number, to: number): void;
  /** Returns the clicks added since the last call, in batches. */
  take(): readonly ClickRecords[];
}

const firstBytes = 16_384;
/** Maximum batch size in bytes. Batches up to this size can be read and folded in a few milliseconds. */
const batchBytes = 262_144;
/** Maximum number of clicks per batch. Folding creates an array of all clicks in a batch. */
const clicksPerBatch = 32_768;
/**
 * Memory limit in bytes. The limit is reached when storage has not accepted clicks for a while. Above the limit, clicks
 * are only counted by link, hour and class.
 */
const defaultMaxBytes = 67_108_864;
const maxRecordBytes = ownerBytes + maxClickBytes;

export function createClickCollector(maxBytes = defaultMaxBytes): ClickCollector {
  let bytes = Buffer.allocUnsafeSlow(firstBytes);
  let length = 0;
  let clicks = 0;
  let pieces: ClickRecords[] = [];
  let bytesInPieces = 0;
  /** Clicks above the memory limit: counts by link, hour and class. */
  const others = new Map<number, { readonly account: number; readonly counts: Map<number, number> }>();

  const cut = (): void => {
    if (clicks > 0)
      pieces.push({ layout: clickLayout, clicks, bytes: new Uint8Array(bytes.subarray(0, length)) });
    bytesInPieces += length;
    length = 0;
    clicks = 0;
  };
  const makeRoom = (): void => {
    if (bytes.length >= batchBytes) return cut();
    const larger = Buffer.allocUnsafeSlow(2 * bytes.length);
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  };
  const addOwner = (account: number, row: number): void => {
    if (length + maxRecordBytes > bytes.length) makeRoom();
    length = writeOwner(bytes, length, account, row);
    clicks += 1;
  };

  const count = (account: number, row: number, at: number, classIndex: number): void => {
    let of = others.get(row);
    if (of === undefined) {
      of = { account, counts: new Map() };
      others.set(row, of);
    }
    const key = hourOf(at) * clickClasses.length + classIndex;
    of.counts.set(key, (of.counts.get(key) ?? 0) + 1);
  };
  const addOthers = (): void => {
    for (const [row, { account, counts }] of others) {
      for (const [key, number] of counts) {
        const at = Math.floor(key / clickClasses.length) * msPerHour;
        for (let left = number; left > 0; left -= clicksPerBatch) {
          addOwner(account, row);
          const some = Math.min(left, clicksPerBatch);
          length = writeClick(bytes, length, at, unknownFacts(key % clickClasses.length), some);
          clicks += some - 1;
          if (clicks >= clicksPerBatch) cut();
        }
      }
    }
    others.clear();
  };

  return {
    add(account, row, at, facts) {
      if (bytesInPieces + length > maxBytes) return count(account, row, at, facts.class);
      addOwner(account, row);
      length = writeClick(bytes, length, at, facts);
    },
    addWritten(account, row, written, from, to) {
      if (bytesInPieces + length > maxBytes)
        return count(account, row, timeOfClick(written, from), classOfClick(written, from));
      addOwner(account, row);
      for (let at = from; at < to; at += 1) bytes[length++] = written[at] as number;
    },
    take() {
      addOthers();
      cut();
      const taken = pieces;
      pieces = [];
      bytesInPieces = 0;
      return taken;
    },
  };
}

/**
 * Copies clicks to another collector and fills in the owners of their links. The clicks were collected before the links
 * were looked up.
 * @param ownerOf returns the owner for a placeholder row; undefined to drop the clicks on an unknown link
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
