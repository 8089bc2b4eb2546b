/** What a record says of one click: the link's id in hex, milliseconds since the epoch, where its class stands. */
export type VisitRecord = (linkId: string, at: number, classIndex: number) => void;

/** How the payload of a frame is laid out. */
export interface RecordFormat {
  /** Whether a payload of so many bytes can hold so many records. */
  fits(records: number, bytes: number): boolean;
  /** Gives the record that begins at `at` to `visit`. @returns where the next one begins */
  read(bytes: Buffer, at: number, visit: VisitRecord): number;
}

const idBytes = 16;
/** Version 1: 16 bytes link id · u48 unix ms · u8 click class · u8 flags, zero. */
export const recordBytes = 24;
const low = 2 ** 32;

const version1: RecordFormat = {
  fits: (records, bytes) => records > 0 && bytes === records * recordBytes,
  read(bytes, at, visit) {
    const time = bytes.readUInt32LE(at + 16) + bytes.readUInt16LE(at + 20) * low;
    visit(bytes.toString('hex', at, at + idBytes), time, bytes.readUInt8(at + 22));
    return at + recordBytes;
  },
};

export type RecordFormats = ReadonlyMap<number, RecordFormat>;

/**
 * Every record version that was ever written, by its number in the header of a frame. A version stays here for good: a
 * process of an older program may have been killed, and its journal is applied by this one. A new version is one more
 * entry, with a file of it under `test/journals`, and the writer below.
 */
export const recordFormats: RecordFormats = new Map([[1, version1]]);

/** The version that this program writes. */
export const writtenVersion = 1;

/** Writes one record of that version. */
export function writeRecord(
  bytes: Buffer,
  at: number,
  linkId: Uint8Array,
  time: number,
  classIndex: number,
): void {
  // A loop, as `set` would cost more than all the rest of a record.
  for (let index = 0; index < idBytes; index += 1) bytes[at + index] = linkId[index] ?? 0;
  const high = Math.floor(time / low);
  bytes.writeUInt32LE(time - high * low, at + 16);
  bytes.writeUInt16LE(high, at + 20);
  bytes[at + 22] = classIndex;
  bytes[at + 23] = 0;
}
