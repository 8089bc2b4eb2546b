/** Fills a buffer with random bytes. Given to the core, so that tests control it. */
export type RandomBytes = (size: number) => Uint8Array;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text has the shape of an id. One that has not is simply unknown (CONTRACT §3): 404. */
export const isId = (text: string): boolean => uuid.test(text);

/**
 * Makes UUIDs of version 7 that strictly increase within the process, also inside one millisecond and when the clock
 * steps back (RFC 9562 §6.2, method 1: a counter of 32 bits in front of the random bits, seeded below half of its
 * range). Lists are ordered by id, so list order is creation order.
 */
export const createIds = (now: () => number, randomBytes: RandomBytes): (() => string) => {
  let lastMs = 0;
  let counter = 0;

  return function nextId(): string {
    const random = randomBytes(10);
    const view = new DataView(random.buffer, random.byteOffset, random.byteLength);
    const ms = now();
    if (ms > lastMs) {
      lastMs = ms;
      counter = view.getUint32(0) >>> 1;
    } else if (counter === 0xffffffff) {
      lastMs += 1;
      counter = view.getUint32(0) >>> 1;
    } else {
      counter += 1;
    }
    const time = lastMs.toString(16).padStart(12, '0');
    // The counter's 32 bits stand above every random one, or ids would not be ordered by it: 12 beside the version, 14
    // beside the variant, 6 at the head of the node part.
    const high = (counter >>> 20).toString(16).padStart(3, '0');
    const variant = (0x8000 | ((counter >>> 6) & 0x3fff)).toString(16);
    const low = (((counter & 0x3f) << 2) | (view.getUint8(4) & 3)).toString(16).padStart(2, '0');
    const node = low + Buffer.from(random.subarray(5, 10)).toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${variant}-${node}`;
  };
};
