import { crc32 } from 'node:zlib';
import type { ClickFacts } from '../../../model/clicks/click-facts.ts';
import {
  idBytes,
  maxRecordBytes,
  type RecordFormats,
  recordFormats,
  type VisitRecord,
  writeRecord,
  writtenVersion,
} from './records.ts';

/**
 * The click journal's file format. Little-endian, except the magic numbers, which are readable in a hex dump.
 *
 * A segment file is a header, followed by frames:
 *
 * - header, 32 bytes: "LKFJ" · u16 format version · u16 zero · 16 bytes journal UUID · u32 segment number · u32 crc
 * - frame, 16 bytes: "LKfr" · u16 record version · u16 record count · u32 payload length · u32 crc
 * - payload: the records in the format of their version (`records.ts`)
 *
 * Each crc is the CRC-32 of all other bytes of the header or frame, so that every flipped bit is detected. A frame is
 * the unit of a write, either complete or absent. Both headers have the same layout in all versions, so that every
 * program can distinguish a valid frame of an unknown version from damage.
 *
 * An offset in a journal is one number, `segment * 2^32 + byte`, and only grows. As a double, it is exact up to 2^21
 * segments, which is 32 TiB of clicks in the lifetime of one process.
 */
const formatVersion = 1;
const segmentMagic = Buffer.from('LKFJ');
const frameMagic = Buffer.from('LKfr');
const frameMagicNumber = frameMagic.readUInt32LE();

export const segmentHeaderBytes = 32;
const frameHeaderBytes = 16;
/** Maximum number of records in a frame. The record count has 16 bits. */
const maxRecords = 0xffff;

const segmentSpan = 2 ** 32;
export function offsetOf(segment: number, byte: number): number {
  return segment * segmentSpan + byte;
}
export function segmentOf(offset: number): number {
  return Math.floor(offset / segmentSpan);
}
export function byteOf(offset: number): number {
  return offset % segmentSpan;
}

const segmentName = /^([0-9a-f]{16})\.jnl$/;
export function fileOfSegment(segment: number): string {
  return `${segment.toString(16).padStart(16, '0')}.jnl`;
}
/** Returns the number of a segment file, or undefined for other files. */
export function segmentOfFile(name: string): number | undefined {
  const digits = segmentName.exec(name)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/**
 * Returns the header of a segment.
 * @param journal the journal's UUID
 * @param version format version; tests pass other versions
 */
export function encodeHeader(journal: string, segment: number, version = formatVersion): Buffer {
  const header = Buffer.alloc(segmentHeaderBytes);
  segmentMagic.copy(header);
  header.writeUInt16LE(version, 4);
  header.write(journal.replaceAll('-', ''), 8, 'hex');
  header.writeUInt32LE(segment, 24);
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
  return header;
}

export interface Encoder {
  /**
   * @param at milliseconds since the epoch
   * @returns start of the click (after the link ID) in the bytes that the next `take` returns; the click ends at
   * `length()`
   */
  add(linkId: Uint8Array, at: number, facts: ClickFacts): number;
  /** Returns the number of bytes that the next `take` returns. */
  length(): number;
  /** Returns all records added since the last call, as complete frames. Valid until the next `add`. */
  take(): Buffer;
}

/** Creates an encoder that reuses one buffer, without an allocation per record. */
export function createEncoder(): Encoder {
  let bytes = Buffer.allocUnsafe(2 * maxRecordBytes);
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
    bytes.writeUInt16LE(writtenVersion, frame + 4);
    bytes.writeUInt16LE(records, frame + 6);
    bytes.writeUInt32LE(length - frame - frameHeaderBytes, frame + 8);
    bytes.writeUInt32LE(frameCrc(bytes, frame, length), frame + 12);
    records = 0;
  };

  return {
    add(linkId, at, facts) {
      if (records === maxRecords) closeFrame();
      if (length + frameHeaderBytes + maxRecordBytes > bytes.length) grow();
      if (records === 0) {
        frame = length;
        length += frameHeaderBytes;
      }
      const click = length + idBytes;
      length = writeRecord(bytes, length, linkId, at, facts);
      records += 1;
      return click;
    },
    length: () => length,
    take() {
      if (records > 0) closeFrame();
      const taken = bytes.subarray(0, length);
      length = 0;
      return taken;
    },
  };
}

/** A part of a segment. `start` and `end` are byte offsets; `end` is exclusive. */
export interface Piece {
  /**
   * `frame`: complete and valid. `damage`: unreadable, with valid frames or other segments after it. `torn`: an
   * incomplete write at the end of the last segment. `unknown`: valid, but written in the format of a newer version;
   * the bytes after it are not read.
   */
  readonly kind: 'frame' | 'damage' | 'torn' | 'unknown';
  readonly start: number;
  readonly end: number;
  /** Version of the segment or frame. Set if `kind` is `unknown`. */
  readonly version?: number;
}

export interface SegmentExpected {
  readonly journal: string;
  readonly segment: number;
  /** True for the journal's last segment, the only one that may end with an incomplete write. */
  readonly last: boolean;
}

/** Number of bytes that a search for the next frame checks per step. */
const searchBytes = 262_144;

/**
 * Reads a segment from a byte offset. After unreadable bytes it continues at the next valid frame. The segment ended
 * cleanly unless the last piece is `torn`, `damage` or `unknown`.
 * @returns pieces, and undefined between the steps of a search for the next valid frame, so that the caller can yield
 * to the event loop
 */
export function* readSegment(
  bytes: Buffer,
  expected: SegmentExpected,
  from = 0,
  formats: RecordFormats = recordFormats,
): Generator<Piece | undefined> {
  const rest = expected.last ? 'torn' : 'damage';
  let at = from;
  if (from < segmentHeaderBytes) {
    const header = bytes.subarray(0, segmentHeaderBytes);
    if (isOfOtherFormat(header))
      return yield { kind: 'unknown', start: 0, end: bytes.length, version: header.readUInt16LE(4) };
    at = header.equals(encodeHeader(expected.journal, expected.segment)) ? segmentHeaderBytes : 0;
  }
  while (at < bytes.length) {
    const found = frameAt(bytes, at, formats);
    if (found?.kind === 'unknown') return yield found;
    if (found !== undefined) {
      yield found;
      at = found.end;
      continue;
    }
    let next = bytes.length;
    for (let upto = at + 1; upto < bytes.length && next === bytes.length; ) {
      const start = upto;
      upto = Math.min(bytes.length, start + searchBytes);
      next = nextFrame(bytes, start, upto, formats) ?? bytes.length;
      yield undefined;
    }
    yield { kind: next === bytes.length ? rest : 'damage', start: at, end: next };
    at = next;
  }
}

/**
 * Passes a frame's records to `visit`, in order.
 * @param from start of the first record, as returned by this function; defaults to the start of the frame
 * @param most maximum number of records per call; a frame can contain tens of thousands
 * @returns start of the next record; the frame's end if there is none
 */
export function readRecords(
  bytes: Buffer,
  frame: Piece,
  visit: VisitRecord,
  from = frame.start + frameHeaderBytes,
  most = Number.POSITIVE_INFINITY,
  formats: RecordFormats = recordFormats,
): number {
  const format = formats.get(bytes.readUInt16LE(frame.start + 4));
  let at = from;
  for (let read = 0; format !== undefined && at < frame.end && read < most; read += 1) {
    at = format.read(bytes, at, visit);
  }
  return at;
}

function isOfOtherFormat(header: Buffer): boolean {
  return (
    header.length === segmentHeaderBytes &&
    header.subarray(0, segmentMagic.length).equals(segmentMagic) &&
    header.readUInt16LE(4) !== formatVersion &&
    header.readUInt32LE(28) === crc32(header.subarray(0, 28))
  );
}

function frameCrc(bytes: Buffer, start: number, end: number): number {
  return crc32(bytes.subarray(start + frameHeaderBytes, end), crc32(bytes.subarray(start, start + 12)));
}

/** Returns the frame at a position, or undefined if no complete and valid frame starts at it. */
function frameAt(bytes: Buffer, start: number, formats: RecordFormats): Piece | undefined {
  if (start + frameHeaderBytes > bytes.length) return undefined;
  if (bytes.readUInt32LE(start) !== frameMagicNumber) return undefined;
  const version = bytes.readUInt16LE(start + 4);
  const format = formats.get(version);
  const length = bytes.readUInt32LE(start + 8);
  const end = start + frameHeaderBytes + length;
  if (end > bytes.length) return undefined;
  if (format !== undefined && !format.fits(bytes.readUInt16LE(start + 6), length)) return undefined;
  if (bytes.readUInt32LE(start + 12) !== frameCrc(bytes, start, end)) return undefined;
  return format === undefined ? { kind: 'unknown', start, end, version } : { kind: 'frame', start, end };
}

/** Returns the start of the first complete and valid frame in a range. */
function nextFrame(bytes: Buffer, from: number, upto: number, formats: RecordFormats): number | undefined {
  const within = bytes.subarray(0, Math.min(bytes.length, upto + frameMagic.length - 1));
  for (let at = within.indexOf(frameMagic, from); at !== -1; at = within.indexOf(frameMagic, at + 1)) {
    if (frameAt(bytes, at, formats) !== undefined) return at;
  }
  return undefined;
}
