import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { array, assert as check, constant, integer, property, record, uint8Array } from 'fast-check';
import { unknownFacts } from '../../../model/clicks/click-facts.ts';
import { writtenClick } from '../../clicks.fixtures.ts';
import { type RecordFormats, recordFormats, writtenVersion } from './records.ts';
import { createEncoder, encodeHeader, type Piece, readRecords, readSegment } from './segment.ts';

const journal = '0198c0de-0000-7000-8000-000000000001';
function id(byte: number): Uint8Array {
  return new Uint8Array(16).fill(byte);
}

interface Click {
  readonly id: string;
  readonly at: number;
  readonly classIndex: number;
}

/** Returns a segment of frames with the given numbers of records; each record has a different time. */
function segmentOf(sizes: readonly number[]): { bytes: Buffer; ends: number[] } {
  const encoder = createEncoder();
  const parts: Uint8Array[] = [encodeHeader(journal, 3)];
  const ends: number[] = [];
  let at = 0;
  for (const size of sizes) {
    for (let index = 0; index < size; index += 1) {
      at += 1;
      encoder.add(id(index), at, unknownFacts(index % 4));
    }
    parts.push(Buffer.from(encoder.take()));
    ends.push(parts.reduce((sum, part) => sum + part.length, 0));
  }
  return { bytes: Buffer.concat(parts), ends };
}

function read(bytes: Buffer, last = true, from = 0, formats?: RecordFormats): Piece[] {
  return [...readSegment(bytes, { journal, segment: 3, last }, from, formats)].filter(
    (piece) => piece !== undefined,
  );
}

function clicksIn(bytes: Buffer, pieces: readonly Piece[]): Click[] {
  const clicks: Click[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'frame')
      readRecords(bytes, piece, (link, at, classIndex) => clicks.push({ id: link, at, classIndex }));
  }
  return clicks;
}

test('reads back encoded clicks in order, from any frame', () => {
  const click = record({
    id: uint8Array({ minLength: 16, maxLength: 16 }),
    at: integer({ min: 0, max: 2 ** 48 - 1 }),
    classIndex: integer({ min: 0, max: 3 }),
  });
  void check(
    property(array(array(click, { minLength: 1, maxLength: 40 }), { maxLength: 8 }), (ticks) => {
      const encoder = createEncoder();
      const parts: Uint8Array[] = [encodeHeader(journal, 3)];
      for (const tick of ticks) {
        for (const one of tick) encoder.add(one.id, one.at, unknownFacts(one.classIndex));
        parts.push(Buffer.from(encoder.take()));
      }
      const bytes = Buffer.concat(parts);
      const pieces = read(bytes);
      const written = ticks.map((tick) =>
        tick.map((one) => ({ ...one, id: Buffer.from(one.id).toString('hex') })),
      );
      assert.deepEqual(clicksIn(bytes, pieces), written.flat());
      for (const [index, piece] of pieces.entries()) {
        assert.deepEqual(clicksIn(bytes, read(bytes, true, piece.start)), written.slice(index).flat());
      }
    }),
  );
});

test('splits a tick with too many records into several frames', () => {
  const { bytes } = segmentOf([70_000]);
  const pieces = read(bytes);
  assert.deepEqual(
    pieces.map(({ kind }) => kind),
    ['frame', 'frame'],
  );
  assert.equal(clicksIn(bytes, pieces).length, 70_000);
});

test('returns exactly the complete frames of a segment cut at any byte, and reports the torn rest', () => {
  const sizes = [1, 3, 2, 5];
  const { bytes, ends } = segmentOf(sizes);
  for (let length = 0; length <= bytes.length; length += 1) {
    const cut = bytes.subarray(0, length);
    const pieces = read(cut);
    const whole = ends.filter((end) => end <= length).length;
    const records = sizes.slice(0, whole).reduce((sum, size) => sum + size, 0);
    assert.equal(clicksIn(cut, pieces).length, records, `cut at ${length}`);
    const clean = length === 0 || length === 32 || ends.includes(length);
    assert.equal(pieces.at(-1)?.kind === 'torn', !clean, `cut at ${length}`);
    assert.ok(pieces.every(({ kind }) => kind !== 'damage'));
    const asMiddle = read(cut, false);
    assert.equal(asMiddle.at(-1)?.kind === 'damage', !clean, `cut at ${length}, not the last segment`);
  }
});

test('loses only the frame with a flipped bit, and reports its place', () => {
  const sizes = [2, 1, 3];
  const { bytes, ends } = segmentOf(sizes);
  const starts = [0, 32, ...ends];
  const all = clicksIn(bytes, read(bytes));
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
      const hit = starts.findLastIndex((start) => start <= at);
      const pieces = read(flipped);
      const bad = pieces.filter(({ kind }) => kind !== 'frame');
      assert.deepEqual(bad, [
        { kind: hit === sizes.length ? 'torn' : 'damage', start: starts[hit], end: starts[hit + 1] },
      ]);
      const before = sizes.slice(0, Math.max(0, hit - 1)).reduce((sum, size) => sum + size, 0);
      const lost = hit === 0 ? 0 : (sizes[hit - 1] ?? 0);
      assert.deepEqual(
        clicksIn(flipped, pieces),
        all.filter((_, index) => index < before || index >= before + lost),
      );
    }
  }
});

test('never reads arbitrary bytes as clicks, and never throws', () => {
  void check(
    property(uint8Array({ maxLength: 400 }), constant(false), (noise, last) => {
      const { bytes } = segmentOf([2]);
      const whole = Buffer.concat([bytes, noise, segmentOf([3]).bytes.subarray(32)]);
      const pieces = read(whole, last);
      assert.equal(clicksIn(whole, pieces).length, 5);
      assert.equal(pieces.filter(({ kind }) => kind === 'damage').length, noise.length === 0 ? 0 : 1);
    }),
  );
});

/** Returns a valid frame of any version. */
function frameOf(version: number, records: number, payload: Uint8Array): Buffer {
  const frame = Buffer.concat([Buffer.from('LKfr'), Buffer.alloc(12), payload]);
  frame.writeUInt16LE(version, 4);
  frame.writeUInt16LE(records, 6);
  frame.writeUInt32LE(payload.length, 8);
  frame.writeUInt32LE(crc32(frame.subarray(16), crc32(frame.subarray(0, 12))), 12);
  return frame;
}

test('stops at a valid frame of an unknown version without reporting damage', () => {
  const { bytes, ends } = segmentOf([2, 3]);
  const frame = frameOf(7, 1, Buffer.alloc(77, 1));
  const [end = 0] = ends.slice(-1);
  for (const last of [true, false]) {
    const pieces = read(Buffer.concat([bytes, frame, segmentOf([1]).bytes.subarray(32)]), last);
    assert.deepEqual(
      pieces.map(({ kind }) => kind),
      ['frame', 'frame', 'unknown'],
    );
    assert.deepEqual(pieces[2], { kind: 'unknown', version: 7, start: end, end: end + frame.length });
  }
  // If damaged bytes precede the unknown frame, the damage is reported, and the unknown frame is still left alone.
  const behind = Buffer.concat([bytes, Buffer.alloc(40, 9), frame]);
  assert.deepEqual(
    read(behind).map(({ kind }) => kind),
    ['frame', 'frame', 'damage', 'unknown'],
  );
  // A truncated frame, or a frame with a flipped bit, counts as damage or an incomplete write whatever its version.
  for (let length = 1; length < frame.length; length += 1) {
    assert.equal(read(Buffer.concat([bytes, frame.subarray(0, length)])).at(-1)?.kind, 'torn');
  }
  for (let at = 0; at < frame.length; at += 1) {
    const flipped = Buffer.from(frame);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 4, at);
    assert.equal(read(Buffer.concat([bytes, flipped])).at(-1)?.kind, 'torn', `byte ${at}`);
  }
});

test('leaves a segment in an unknown format alone; with a flipped bit it is damaged', () => {
  const { bytes } = segmentOf([2]);
  const later = Buffer.concat([encodeHeader(journal, 3, 2), bytes.subarray(32)]);
  assert.deepEqual(read(later), [{ kind: 'unknown', version: 2, start: 0, end: later.length }]);
  later.writeUInt8(later.readUInt8(4) ^ 4, 4);
  assert.deepEqual(
    read(later).map(({ kind }) => kind),
    ['damage', 'frame'],
  );
});

test('needs one entry for a new version: its size, and how to read a record', () => {
  // Each record is a word preceded by the word's length, so that record sizes vary.
  const formats: RecordFormats = new Map([
    ...recordFormats,
    [
      7,
      {
        fits: (records, size) => records > 0 && size >= records,
        read(bytes, at, visit) {
          const end = at + 1 + bytes.readUInt8(at);
          visit(bytes.toString('latin1', at + 1, end), 5, 0, writtenClick(5));
          return end;
        },
      },
    ],
  ]);
  const words = ['a', 'bcd', ''];
  const payload = Buffer.concat(words.map((word) => Buffer.from([word.length, ...Buffer.from(word)])));
  const whole = Buffer.concat([segmentOf([1]).bytes, frameOf(7, words.length, payload)]);
  const pieces = read(whole, true, 0, formats);
  const found: string[] = [];
  for (const piece of pieces)
    readRecords(whole, piece, (id) => found.push(id), undefined, undefined, formats);
  assert.deepEqual(found, ['00'.repeat(16), ...words]);
  let at: number | undefined;
  const again: string[] = [];
  const frame = pieces[1] as Piece;
  while (at !== frame.end) at = readRecords(whole, frame, (id) => again.push(id), at, 1, formats);
  assert.deepEqual(again, words, 'also one at a time');
});

test('reads the stored file of every earlier version', () => {
  const wanted: Readonly<Record<number, readonly Click[]>> = {
    4: [
      { id: '0198c0de000070008000000000000001', at: 0, classIndex: 0 },
      { id: '0198c0de000070008000000000000002', at: 1_795_000_000_123, classIndex: 1 },
      { id: 'ffffffffffffffffffffffffffffffff', at: 2 ** 48 - 1, classIndex: 3 },
    ],
  };
  assert.deepEqual(Object.keys(wanted), [...recordFormats.keys()].map(String));
  assert.ok(recordFormats.has(writtenVersion));
  for (const [version, clicks] of Object.entries(wanted)) {
    const file = join(import.meta.dirname, '../../../../test/journals', `record-version-${version}.jnl`);
    const bytes = readFileSync(file);
    assert.deepEqual(clicksIn(bytes, read(bytes)), clicks, file);
    assert.ok(
      read(bytes).every(({ kind }) => kind === 'frame'),
      file,
    );
  }
});
