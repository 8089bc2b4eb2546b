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
 * What a record says of one click: the link's id in hex, milliseconds since the epoch, where its class stands; and where
 * the click stands as `click-records.ts` writes it, in bytes that may be overwritten after the call.
 */
export type VisitRecord = (
  linkId: string,
  at: number,
  classIndex: number,
  click: { readonly bytes: Buffer; readonly from: number; readonly to: number },
) => void;

/** How the payload of a frame is laid out. */
export interface RecordFormat {
  /** Whether a payload of so many bytes can hold so many records. */
  fits(records: number, bytes: number): boolean;
  /** Gives the record that begins at `at` to `visit`. @returns where the next one begins */
  read(bytes: Buffer, at: number, visit: VisitRecord): number;
}

/** Of a link's id, in front of each click. */
export const idBytes = 16;
/** 16 bytes link id · the click as `click-records.ts` writes it. */
const linkAndClick: RecordFormat = {
  fits: (records, bytes) => records > 0 && bytes >= records * leastRecordBytes,
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
 * Every record version that was ever written, by its number in the header of a frame. A version stays here permanently: a process
 * of an older program may have been killed, and its journal is applied by this one. A new version is one more entry, with a file
 * of it under `test/journals`, and the writer below.
 */
export const recordFormats: RecordFormats = new Map([[clickLayout, linkAndClick]]);

/** The version that this program writes. */
export const writtenVersion = clickLayout;

/** No record of that version is smaller, or larger. */
const leastRecordBytes = idBytes + minClickBytes;
export const mostRecordBytes = idBytes + maxClickBytes;

/** Writes one record of that version. @returns where it ends */
export function writeRecord(
  bytes: Buffer,
  at: number,
  linkId: Uint8Array,
  time: number,
  facts: ClickFacts,
): number {
  // A loop, as `set` would cost more than all the rest of a record.
  for (let index = 0; index < idBytes; index += 1) bytes[at + index] = linkId[index] ?? 0;
  return writeClick(bytes, at + idBytes, time, facts);
}
