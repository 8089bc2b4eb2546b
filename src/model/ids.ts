/** Fills a buffer with random bytes. Injected, so that tests control it. */
export type RandomBytes = (size: number) => Uint8Array;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text has the shape of an id. One that has not is simply unknown (CONTRACT §3): 404. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** The text as it is kept: clients may write an id in capitals, anything else is told apart by case. */
export function plainId(text: string): string {
  return isId(text) ? text.toLowerCase() : text;
}

/** The text of an id of 16 bytes. */
export function idText(bytes: Uint8Array): string {
  const hex = bytes.toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An id of version 7 for something that was made at a moment, ms since the epoch, and not here. */
export function idAt(at: number, randomBytes: RandomBytes): string {
  return createIds(() => at, randomBytes)();
}

/**
 * Makes UUIDs of version 7 that strictly increase within the process, also inside one millisecond and when the clock
 * steps back (RFC 9562 §6.2, method 1: a counter of 32 bits in front of the random bits, seeded below half of its
 * range). Lists are ordered by id, so list order is creation order.
 * @param after an id of version 7 behind which the first one comes
 */
export function createIds(now: () => number, randomBytes: RandomBytes, after?: string): () => string {
  let { ms: lastMs, counter } = after === undefined ? { ms: 0, counter: 0 } : partsOf(after);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);

  return function nextId(): string {
    const random = randomBytes(10);
    // The random bytes are drawn in place: the first four seed the counter, the last six stay.
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
    // The counter's 32 bits stand above every random bit, so that ids are ordered by it: 12 beside the version, 14
    // beside the variant, 6 at the head of the node part.
    view.setUint16(6, 0x7000 | (counter >>> 20));
    view.setUint16(8, 0x8000 | ((counter >>> 6) & 0x3fff));
    view.setUint8(10, ((counter & 0x3f) << 2) | (view.getUint8(10) & 3));
    return idText(bytes);
  };
}

/** The time and the counter of an id that {@link createIds} made. */
function partsOf(id: string): { ms: number; counter: number } {
  const digits = id.replaceAll('-', '');
  const part = (from: number, to: number): number => Number.parseInt(digits.slice(from, to), 16);
  return {
    ms: part(0, 12),
    counter: ((part(13, 16) << 20) | ((part(16, 20) & 0x3fff) << 6) | (part(20, 22) >>> 2)) >>> 0,
  };
}
