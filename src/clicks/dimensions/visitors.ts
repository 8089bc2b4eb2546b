/** A SipHash key as four 32-bit numbers, low halves first. */
export type Salt = readonly [number, number, number, number];

/**
 * Converts bytes to a salt.
 * @param bytes 16 random bytes, new every day, the same on all nodes
 * @throws RangeError if there are fewer bytes
 */
export function saltFrom(bytes: Uint8Array): Salt {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return [view.getInt32(0, true), view.getInt32(4, true), view.getInt32(8, true), view.getInt32(12, true)];
}

/**
 * Returns a 32-bit hash that identifies a visitor for counting unique visitors. Without the salt, the hash reveals
 * nothing about the address and the user agent. Once the salt is deleted, visits on different days cannot be linked.
 * @param agent the digest of the user agent
 * @returns the hash; never 0, because 0 means no visitor
 */
export function visitorOf(salt: Salt, agent: Digest, address: string): number {
  block[0] = agent[0];
  block[1] = agent[1];
  return sipHash(salt, address, 8)[0] >>> 0 || 1;
}

/** A 64-bit digest of a string, low half first. */
export type Digest = readonly [number, number];

/** Computes an unkeyed digest. It is used only to shorten a user agent. Called once per distinct user agent. */
export function digestOf(text: string): Digest {
  return sipHash(noSalt, text);
}
const noSalt: Salt = [0, 0, 0, 0];

/** Maximum length of a hashed string in bytes; longer strings are truncated. */
const maxBytes = 4096;
const bytes = new Uint8Array(maxBytes + 8);
const block = new Int32Array(bytes.buffer);

/** The SipHash state v0 to v3, as low and high halves. */
const state = new Int32Array(8);

/**
 * Computes SipHash-2-4 (Aumasson, Bernstein) with 32-bit numbers, because Node's own keyed hashes take five times as
 * long for so few bytes.
 * @param text each UTF-16 unit is hashed as one byte, as in header strings
 * @param at number of bytes already in the buffer before the text, 0 or 8; these bytes are hashed too
 */
export function sipHash(salt: Salt, text: string, at = 0): Digest {
  const length = at + Math.min(text.length, maxBytes - at);
  const words = (length >>> 3) << 1;
  for (let index = at; index < length; index += 1) bytes[index] = text.charCodeAt(index - at);
  bytes.fill(0, length, 4 * words + 7);
  bytes[4 * words + 7] = length;

  // The SipHash constant "somepseudorandomlygeneratedbytes".
  state[0] = salt[0] ^ 0x70736575;
  state[1] = salt[1] ^ 0x736f6d65;
  state[2] = salt[2] ^ 0x6e646f6d;
  state[3] = salt[3] ^ 0x646f7261;
  state[4] = salt[0] ^ 0x6e657261;
  state[5] = salt[1] ^ 0x6c796765;
  state[6] = salt[2] ^ 0x79746573;
  state[7] = salt[3] ^ 0x74656462;
  for (let word = 0; word <= words; word += 2) {
    const low = block[word] ?? 0;
    const high = block[word + 1] ?? 0;
    mix(6, low, high);
    rounds(2);
    mix(0, low, high);
  }
  mix(4, 0xff, 0);
  rounds(4);
  return [half(0), half(1)];
}

function half(at: 0 | 1): number {
  return (state[at] ?? 0) ^ (state[at + 2] ?? 0) ^ (state[at + 4] ?? 0) ^ (state[at + 6] ?? 0);
}

function mix(at: number, low: number, high: number): void {
  state[at] = (state[at] ?? 0) ^ low;
  state[at + 1] = (state[at + 1] ?? 0) ^ high;
}

function rounds(count: number): void {
  let a = state[0] ?? 0;
  let aHigh = state[1] ?? 0;
  let b = state[2] ?? 0;
  let bHigh = state[3] ?? 0;
  let c = state[4] ?? 0;
  let cHigh = state[5] ?? 0;
  let d = state[6] ?? 0;
  let dHigh = state[7] ?? 0;
  for (let round = 0; round < count; round += 1) {
    let sum = (a >>> 0) + (b >>> 0);
    aHigh = (aHigh + bHigh + carryOf(sum)) | 0;
    a = sum | 0;
    sum = (c >>> 0) + (d >>> 0);
    cHigh = (cHigh + dHigh + carryOf(sum)) | 0;
    c = sum | 0;
    let turned = ((b << 13) | (bHigh >>> 19)) ^ a;
    bHigh = ((bHigh << 13) | (b >>> 19)) ^ aHigh;
    b = turned;
    turned = ((d << 16) | (dHigh >>> 16)) ^ c;
    dHigh = ((dHigh << 16) | (d >>> 16)) ^ cHigh;
    d = turned;
    turned = aHigh;
    aHigh = a;
    a = turned;
    sum = (c >>> 0) + (b >>> 0);
    cHigh = (cHigh + bHigh + carryOf(sum)) | 0;
    c = sum | 0;
    sum = (a >>> 0) + (d >>> 0);
    aHigh = (aHigh + dHigh + carryOf(sum)) | 0;
    a = sum | 0;
    turned = ((b << 17) | (bHigh >>> 15)) ^ c;
    bHigh = ((bHigh << 17) | (b >>> 15)) ^ cHigh;
    b = turned;
    turned = ((d << 21) | (dHigh >>> 11)) ^ a;
    dHigh = ((dHigh << 21) | (d >>> 11)) ^ aHigh;
    d = turned;
    turned = cHigh;
    cHigh = c;
    c = turned;
  }
  state[0] = a;
  state[1] = aHigh;
  state[2] = b;
  state[3] = bHigh;
  state[4] = c;
  state[5] = cHigh;
  state[6] = d;
  state[7] = dHigh;
}

function carryOf(sum: number): number {
  return sum > 0xffffffff ? 1 : 0;
}
