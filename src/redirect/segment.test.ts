import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, constant, integer, property, record, uint8Array } from 'fast-check';
import { createEncoder, eachRecord, encodeHeader, type Piece, readSegment } from './segment.ts';

const journal = '0198c0de-0000-7000-8000-000000000001';
const id = (byte: number): Uint8Array => new Uint8Array(16).fill(byte);

interface Click {
  readonly id: string;
  readonly at: number;
  readonly classIndex: number;
}

/** A segment of frames with the given numbers of records; every record has its own time. */
const segmentOf = (sizes: readonly number[]): { bytes: Buffer; ends: number[] } => {
  const encoder = createEncoder();
  const parts: Uint8Array[] = [encodeHeader(journal, 3)];
  const ends: number[] = [];
  let at = 0;
  for (const size of sizes) {
    for (let index = 0; index < size; index += 1) {
      at += 1;
      encoder.add(id(index), at, index % 4);
    }
    parts.push(Buffer.from(encoder.take()));
    ends.push(parts.reduce((sum, part) => sum + part.length, 0));
  }
  return { bytes: Buffer.concat(parts), ends };
};

const read = (bytes: Buffer, last = true, from = 0): Piece[] => [
  ...readSegment(bytes, { journal, segment: 3, last }, from),
];

const clicksIn = (bytes: Buffer, pieces: readonly Piece[]): Click[] => {
  const clicks: Click[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'frame')
      eachRecord(bytes, piece, (link, at, classIndex) => clicks.push({ id: link, at, classIndex }));
  }
  return clicks;
};

test('what is encoded is read back, in its order, from any frame on', () => {
  const click = record({
    id: uint8Array({ minLength: 16, maxLength: 16 }),
    at: integer({ min: 0, max: 2 ** 48 - 1 }),
    classIndex: integer({ min: 0, max: 3 }),
  });
  void check(
    property(array(array(click, { minLength: 1, maxLength: 40 }), { maxLength: 8 }), (turns) => {
      const encoder = createEncoder();
      const parts: Uint8Array[] = [encodeHeader(journal, 3)];
      for (const turn of turns) {
        for (const one of turn) encoder.add(one.id, one.at, one.classIndex);
        parts.push(Buffer.from(encoder.take()));
      }
      const bytes = Buffer.concat(parts);
      const pieces = read(bytes);
      const written = turns.map((turn) =>
        turn.map((one) => ({ ...one, id: Buffer.from(one.id).toString('hex') })),
      );
      assert.deepEqual(clicksIn(bytes, pieces), written.flat());
      for (const [index, piece] of pieces.entries()) {
        assert.deepEqual(clicksIn(bytes, read(bytes, true, piece.start)), written.slice(index).flat());
      }
    }),
  );
});

test('a turn of more records than a frame can count becomes several frames', () => {
  const { bytes } = segmentOf([70_000]);
  const pieces = read(bytes);
  assert.deepEqual(
    pieces.map(({ kind }) => kind),
    ['frame', 'frame'],
  );
  assert.equal(clicksIn(bytes, pieces).length, 70_000);
});

test('a segment cut at any byte gives exactly its complete frames, and says that the rest is torn', () => {
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

test('a flipped bit anywhere costs its own frame, no other, and is told with its place', () => {
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

test('arbitrary bytes are never read as clicks, and never end the reader', () => {
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
