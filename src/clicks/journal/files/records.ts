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
 * Receives the click in a record: the link's ID in hex, the time in milliseconds since the epoch, the index of the
 * click's class, and the position of the click's bytes. Their format is defined in `click-records.ts`. The bytes may be
 * overwritten after the call.
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

/** Size in bytes of a link ID, which precedes the click in a record. */
export const idBytes = 16;
/** A 16-byte link ID, followed by the click in the format of `click-records.ts`. */
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
 * All record formats ever written, keyed by the version in the frame header. Versions are never removed, because this
 * program also applies journals left behind by processes that were killed before an upgrade. For a new version, add an
 * entry and an example file in `test/journals`, and change `writeRecord`.
 */
export const recordFormats: RecordFormats = new Map([[clickLayout, linkAndClick]]);

/** The version that this program writes. */
export const writtenVersion = clickLayout;

/** Size limits in bytes for a record that this program writes. */
const minRecordBytes = idBytes + minClickBytes;
export const maxRecordBytes = idBytes + maxClickBytes;

/** Writes a record in the format of `writtenVersion`. @returns the end of the record */
export function writeRecord(
  bytes: Buffer,
  at: number,
  linkId: Uint8Array,
  time: number,
  facts: ClickFacts,
): number {
  // Copies in a loop, because a call to `set` would take longer than writing the rest of the record.
  for (let index = 0; index < idBytes; index += 1) bytes[at + index] = linkId[index] ?? 0;
  return writeClick(bytes, at + idBytes, time, facts);
}
