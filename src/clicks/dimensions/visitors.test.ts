import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../test/support/random/random.ts';
import { words } from '../../../test/support/words.ts';
import { digestOf, saltFrom, sipHash, visitorOf } from './visitors.ts';

const counting = Uint8Array.from({ length: 16 }, (_, index) => index);

/** Vectors from the reference implementation: key 00 01 … 0f, inputs of 0, 1, 2, … bytes with values 00 01 02 …. */
const vectors = words(`
  310e0edd47db6f72 fd67dc93c539f874 5a4fa9d909806c0d 2d7efbd796666785 b7877127e09427cf 8da699cd64557618
  cee3fe586e46c9cb 37d1018bf50002ab 6224939a79f5f593 b0e4a90bdf82009e f3b9dd94c5bb5d7a a7ad6b22462fb3f4
  fbe50e86bc8f1e75 903d84c02756ea14 eef27a8e90ca23f7 e545be4961ca29a1
`);

test('SipHash-2-4 matches the reference vectors', () => {
  const salt = saltFrom(counting);
  for (const [length, expected] of vectors.entries()) {
    const text = String.fromCharCode(...Array.from({ length }, (_, index) => index));
    assert.equal(hex(sipHash(salt, text)), expected, `${length} bytes`);
  }
});

function hex([low, high]: readonly [number, number]): string {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(low, 0);
  bytes.writeInt32LE(high, 4);
  return bytes.toString('hex');
}

/** SipHash-2-4 as described in the paper, with 64-bit integers. */
function plainSipHash(key: Buffer, message: Buffer): string {
  const mask = (1n << 64n) - 1n;
  const rotate = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & mask;
  const [k0, k1] = [key.readBigUInt64LE(0), key.readBigUInt64LE(8)];
  let v0 = k0 ^ 0x736f6d6570736575n;
  let v1 = k1 ^ 0x646f72616e646f6dn;
  let v2 = k0 ^ 0x6c7967656e657261n;
  let v3 = k1 ^ 0x7465646279746573n;
  const round = (): void => {
    v0 = (v0 + v1) & mask;
    v1 = rotate(v1, 13n) ^ v0;
    v0 = rotate(v0, 32n);
    v2 = (v2 + v3) & mask;
    v3 = rotate(v3, 16n) ^ v2;
    v0 = (v0 + v3) & mask;
    v3 = rotate(v3, 21n) ^ v0;
    v2 = (v2 + v1) & mask;
    v1 = rotate(v1, 17n) ^ v2;
    v2 = rotate(v2, 32n);
  };
  const padded = Buffer.alloc(8 * (Math.floor(message.length / 8) + 1));
  message.copy(padded);
  padded[padded.length - 1] = message.length;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  v2 ^= 0xffn;
  for (let count = 0; count < 4; count += 1) round();
  const result = Buffer.alloc(8);
  result.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3);
  return result.toString('hex');
}

test('SipHash-2-4 matches the paper for random keys and texts; a visitor hash is its first half', (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const random = createRandom(seed);
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
  for (let count = 0; count < 500; count += 1) {
    const [key, message, agent] = [bytes(16), bytes(random.below(200)), bytes(random.below(200))];
    const salt = saltFrom(key);
    assert.equal(hex(sipHash(salt, message.toString('latin1'))), plainSipHash(key, message), `seed ${seed}`);
    const digest = digestOf(agent.toString('latin1'));
    const whole = plainSipHash(key, Buffer.concat([Buffer.from(hex(digest), 'hex'), message]));
    const visitor = visitorOf(salt, digest, message.toString('latin1'));
    assert.equal(visitor, Buffer.from(whole, 'hex').readUInt32LE() || 1, `seed ${seed}`);
  }
});

test('distinguishes visitors by address, agent and salt, with rare collisions', () => {
  const salts = [saltFrom(counting), saltFrom(counting.toReversed())] as const;
  const agents = ['', 'a', 'b'].map(digestOf);
  const addresses = Array.from({ length: 10_000 }, (_, index) => `203.0.${index >> 8}.${index & 255}`);
  const seen = new Set<number>();
  for (const salt of salts)
    for (const agent of agents) for (const address of addresses) seen.add(visitorOf(salt, agent, address));
  // With 60,000 hashes of 32 bits, fewer than one collision is expected.
  assert.ok(seen.size > 59_990, String(seen.size));
  assert.equal(seen.has(0), false);
  assert.throws(() => saltFrom(new Uint8Array(15)), RangeError);
});

test('truncates long texts and accepts characters beyond a byte', () => {
  const salt = saltFrom(counting);
  assert.deepEqual(sipHash(salt, 'a'.repeat(60_000)), sipHash(salt, 'a'.repeat(4096)));
  assert.deepEqual(sipHash(salt, '\u{1f600}'), sipHash(salt, '\x3d\x00'));
});
