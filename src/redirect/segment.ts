import { crc32 } from 'node:zlib';

/**
 * The click journal's file format, version 1. Little-endian, but for the magics, which read as text in a hex dump.
 *
 * A segment file is one header, then frames back to back:
 *
 *     header  32 bytes   "LKFJ" · u16 format version · u16 zero · 16 bytes journal UUID · u32 segment number · u32 crc
 *     frame   16 bytes   "LKfr" · u16 record version · u16 record count · u32 payload length · u32 crc
 *             n × 24     records: 16 bytes link id · u48 unix ms · u8 click class · u8 flags, zero
 *
 * Each crc is the CRC-32 of all the bytes of its header or frame but itself, so that no flipped bit passes. A frame is
 * the unit of a write: it is there as a whole or not at all.
 *
 * A place in a journal is one number, `segment * 2^32 + byte offset`, and only grows. It stays an exact double for
 * 2^21 segments, 32 TiB of clicks in the life of one process.
 */
const formatVersion = 1;
const recordVersion = 1;
const segmentMagic = Buffer.from('LKFJ');
const frameMagic = Buffer.from('LKfr');
const frameMagicNumber = frameMagic.readUInt32LE();

export const segmentHeaderBytes = 32;
export const frameHeaderBytes = 16;
export const recordBytes = 24;
const idBytes = 16;
/** The record count of a frame is 16 bits wide. */
const mostRecords = 0xffff;

const segmentSpan = 2 ** 32;
export const positionOf = (segment: number, offset: number): number => segment * segmentSpan + offset;
export const segmentOf = (position: number): number => Math.floor(position / segmentSpan);
export const offsetOf = (position: number): number => position % segmentSpan;

const segmentName = /^([0-9a-f]{16})\.jnl$/;
export const fileOfSegment = (segment: number): string => `${segment.toString(16).padStart(16, '0')}.jnl`;
/** @returns the segment's number; undefined when the file is not a segment */
export const segmentOfFile = (name: string): number | undefined => {
  const digits = segmentName.exec(name)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
};

/** The first bytes of a segment. @param journal the journal's UUID */
export const encodeHeader = (journal: string, segment: number): Buffer => {
  const header = Buffer.alloc(segmentHeaderBytes);
  segmentMagic.copy(header);
  header.writeUInt16LE(formatVersion, 4);
  header.write(journal.replaceAll('-', ''), 8, 'hex');
  header.writeUInt32LE(segment, 24);
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
  return header;
};

export interface Encoder {
  /** @param at milliseconds since the epoch */
  add(linkId: Uint8Array, at: number, classIndex: number): void;
  /** What was added since the last call, as whole frames. The bytes are the encoder's own until the next `add`. */
  take(): Uint8Array;
}

/** Encodes records into one buffer that is used again and again: no allocation per record. */
export const createEncoder = (): Encoder => {
  let bytes = Buffer.allocUnsafe(16_384);
  let frame = 0;
  let length = 0;
  let records = 0;

  const grow = (): void => {
    const larger = Buffer.allocUnsafe(bytes.length * 2);
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  };

  const closeFrame = (): void => {
    frameMagic.copy(bytes, frame);
    bytes.writeUInt16LE(recordVersion, frame + 4);
    bytes.writeUInt16LE(records, frame + 6);
    bytes.writeUInt32LE(records * recordBytes, frame + 8);
    bytes.writeUInt32LE(frameCrc(bytes, frame, length), frame + 12);
    records = 0;
  };

  return {
    add(linkId, at, classIndex) {
      if (records === mostRecords) closeFrame();
      if (length + frameHeaderBytes + recordBytes > bytes.length) grow();
      if (records === 0) {
        frame = length;
        length += frameHeaderBytes;
      }
      // A loop, as `set` would cost more than all the rest of a record.
      for (let at = 0; at < idBytes; at += 1) bytes[length + at] = linkId[at] ?? 0;
      const high = Math.floor(at / segmentSpan);
      bytes.writeUInt32LE(at - high * segmentSpan, length + 16);
      bytes.writeUInt16LE(high, length + 20);
      bytes[length + 22] = classIndex;
      bytes[length + 23] = 0;
      length += recordBytes;
      records += 1;
    },
    take() {
      if (records > 0) closeFrame();
      const taken = bytes.subarray(0, length);
      length = 0;
      return taken;
    },
  };
};

/** One stretch of a segment; offsets in bytes, `end` exclusive. */
export interface Piece {
  /**
   * `frame`: whole and sound. `damage`: unreadable, with sound frames or further segments behind it.
   * `torn`: the end of the last segment, where a write was cut short.
   */
  readonly kind: 'frame' | 'damage' | 'torn';
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a segment from an offset on. After unreadable bytes it goes on at the next sound frame. A segment that ends
 * without a `torn` piece ended cleanly.
 * @param last whether this is the journal's last segment: only there may a write have been cut short
 */
export function* readSegment(
  bytes: Buffer,
  expected: { readonly journal: string; readonly segment: number; readonly last: boolean },
  from = 0,
): Generator<Piece> {
  const rest = expected.last ? 'torn' : 'damage';
  let at = from;
  if (from < segmentHeaderBytes) {
    const sound = bytes
      .subarray(0, segmentHeaderBytes)
      .equals(encodeHeader(expected.journal, expected.segment));
    at = sound ? segmentHeaderBytes : 0;
  }
  while (at < bytes.length) {
    const end = frameEnd(bytes, at);
    if (end !== undefined) {
      yield { kind: 'frame', start: at, end };
      at = end;
      continue;
    }
    const next = nextFrame(bytes, at + 1);
    yield { kind: next === undefined ? rest : 'damage', start: at, end: next ?? bytes.length };
    at = next ?? bytes.length;
  }
}

/** Gives every record of a frame to `visit`: link id in hex, ms since the epoch, class index. */
export const eachRecord = (
  bytes: Buffer,
  frame: Piece,
  visit: (linkId: string, at: number, classIndex: number) => void,
): void => {
  for (let at = frame.start + frameHeaderBytes; at < frame.end; at += recordBytes) {
    const time = bytes.readUInt32LE(at + 16) + bytes.readUInt16LE(at + 20) * segmentSpan;
    visit(bytes.toString('hex', at, at + 16), time, bytes.readUInt8(at + 22));
  }
};

const frameCrc = (bytes: Buffer, start: number, end: number): number =>
  crc32(bytes.subarray(start + frameHeaderBytes, end), crc32(bytes.subarray(start, start + 12)));

/** @returns where the frame that starts here ends; undefined when no whole and sound frame starts here */
const frameEnd = (bytes: Buffer, start: number): number | undefined => {
  if (start + frameHeaderBytes > bytes.length) return undefined;
  if (bytes.readUInt32LE(start) !== frameMagicNumber || bytes.readUInt16LE(start + 4) !== recordVersion) {
    return undefined;
  }
  const records = bytes.readUInt16LE(start + 6);
  const length = bytes.readUInt32LE(start + 8);
  const end = start + frameHeaderBytes + length;
  if (records === 0 || length !== records * recordBytes || end > bytes.length) return undefined;
  return bytes.readUInt32LE(start + 12) === frameCrc(bytes, start, end) ? end : undefined;
};

const nextFrame = (bytes: Buffer, from: number): number | undefined => {
  for (let at = bytes.indexOf(frameMagic, from); at !== -1; at = bytes.indexOf(frameMagic, at + 1)) {
    if (frameEnd(bytes, at) !== undefined) return at;
  }
  return undefined;
};
