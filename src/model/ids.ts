/** Returns `size` random bytes. Injected, so that tests can control them. */
export type RandomBytes = (size: number) => Uint8Array;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true if a string has the form of an id. Endpoints return 404 for other strings (CONTRACT §3). */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** Converts an id, which clients may send in upper case, to lower case. Returns other strings unchanged. */
export function plainId(text: string): string {
  return isId(text) ? text.toLowerCase() : text;
}

/** An id that no record has. */
const unknownId = '00000000-0000-0000-0000-000000000000';

/** Normalizes an id. For other strings, returns an id that no record has, so that they are treated as unknown ids. */
export function recordId(text: string): string {
  return isId(text) ? text.toLowerCase() : unknownId;
}

/** Formats a 16-byte id as a string. */
export function idText(bytes: Uint8Array): string {
  const hex = bytes.toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns a UUIDv7 for a record that was created elsewhere. @param at creation time, ms since the epoch */
export function idAt(at: number, randomBytes: RandomBytes): string {
  return createIds(() => at, randomBytes)();
}

/**
 * Returns a generator of UUIDv7 ids that strictly increase within the process, even within a millisecond and when the
 * clock goes backwards (RFC 9562 §6.2, method 1: a 32-bit counter before the random bits, seeded below half its range).
 * Lists are ordered by id, so their order is the creation order.
 * @param after a UUIDv7 that the first id must exceed
 */
export function createIds(now: () => number, randomBytes: RandomBytes, after?: string): () => string {
  let { ms: lastMs, counter } = after === undefined ? { ms: 0, counter: 0 } : partsOf(after);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);

  return function nextId(): string {
    const random = randomBytes(10);
    // The counter is seeded from the first four of these bytes and then overwrites them. Most bits of the last six
    // bytes stay random.
    bytes.set(random, 6);
    const ms = now();
    if (ms > lastMs) {
      lastMs = ms;
      counter = view.getUint32(6) >>> 1;
    } else if (counter === 0xffffffff) {
      lastMs += 1;
      counter = view.getUint32(6) >>> 1;
    } else {
      counter += 1;
    }
    view.setUint16(0, Math.floor(lastMs / 2 ** 32));
    view.setUint32(2, lastMs % 2 ** 32);
    // The counter's 32 bits precede all random bits, so that they determine the order: 12 bits follow the version, 14
    // bits follow the variant, and 6 bits start the node part.
    view.setUint16(6, 0x7000 | (counter >>> 20));
    view.setUint16(8, 0x8000 | ((counter >>> 6) & 0x3fff));
    view.setUint8(10, ((counter & 0x3f) << 2) | (view.getUint8(10) & 3));
    return idText(bytes);
  };
}

/** Returns the time and the counter of an id from {@link createIds}. */
function partsOf(id: string): { ms: number; counter: number } {
  const digits = id.replaceAll('-', '');
  const part = (from: number, to: number): number => Number.parseInt(digits.slice(from, to), 16);
  return {
    ms: part(0, 12),
    counter: ((part(13, 16) << 20) | ((part(16, 20) & 0x3fff) << 6) | (part(20, 22) >>> 2)) >>> 0,
  };
}
