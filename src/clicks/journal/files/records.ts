import type { ClickFacts } from '../../../model/clicks/click-facts.ts';
import {
  classOfClick,
  clickLayout,
  endOfClick,
  maxClickBytes,
  minClickBytes,
  timeOfClick,
  writeClick,
} from '../../../model/clicks/click-records.ts';

/**
 * Receives one click of a record: the link's id in hex, milliseconds since the epoch, the index of its class, and the
 * position of the click in the format of `click-records.ts`. The bytes may be overwritten after the call.
 */
export type VisitRecord = (
  linkId: string,
  at: number,
  classIndex: number,
  click: { readonly bytes: Buffer; readonly from: number; readonly to: number },
) => void;

/** The layout of a frame's payload. */
export interface RecordFormat {
  /** Returns true if a payload of `bytes` bytes can hold `records` records. */
  fits(records: number, bytes: number): boolean;
  /** Passes the record at `at` to `visit`. @returns the start of the next record */
  read(bytes: Buffer, at: number, visit: VisitRecord): number;
}

/** Size of a link id, which precedes the click in a record. */
export const idBytes = 16;
/** 16 bytes link id, then the click in the format of `click-records.ts`. */
const linkAndClick: RecordFormat = {
  fits: (records, bytes) => records > 0 && bytes >= records * minRecordBytes,
  read(bytes, at, visit) {
    const from = at + idBytes;
    const to = endOfClick(bytes, from);
    const id = bytes.toString('hex', at, from);
    visit(id, timeOfClick(bytes, from), classOfClick(bytes, from), { bytes, from, to });
    return to;
  },
};

export type RecordFormats = ReadonlyMap<number, RecordFormat>;

/**
 * All record versions ever written, by the number in the frame header. Versions are never removed, because this program
 * also applies journals of processes that were killed before an upgrade. For a new version, add an entry, an example
 * file in `test/journals`, and change the writer below.
 */
export const recordFormats: RecordFormats = new Map([[clickLayout, linkAndClick]]);

/** The version that this program writes. */
export const writtenVersion = clickLayout;

/** Size limits of a record of the written version. */
const minRecordBytes = idBytes + minClickBytes;
export const maxRecordBytes = idBytes + maxClickBytes;

/** Writes a record of the written version. @returns its end */
export function writeRecord(
  bytes: Buffer,
  at: number,
  linkId: Uint8Array,
  time: number,
  facts: ClickFacts,
): number {
  // A loop, because `set` would cost more than the rest of a record.
  for (let index = 0; index < idBytes; index += 1) bytes[at + index] = linkId[index] ?? 0;
  return writeClick(bytes, at + idBytes, time, facts);
}
