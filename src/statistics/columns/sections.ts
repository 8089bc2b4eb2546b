import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';

/**
 * Format of a file with byte sections. Each section is compressed separately, so that a reader unpacks only the
 * sections it needs:
 * - version (1 byte), number of sections, and for each section: length × 4 + form, and the stored length if compressed
 * - the sections, one after another
 *
 * Numbers are varints. A section is stored plain, as one repeated byte, or compressed, whichever is shortest. Short
 * sections use Brotli, which starts in a third of the time. Longer sections use zstd, which decompresses four times as
 * fast.
 */
const version = 1;
const form = { plain: 0, repeated: 1, brotli: 2, zstd: 3 } as const;
const forms = 4;

/** The zstd level. A higher level would save less than one percent of space at many times the cost. */
const level = 3;
/** Maximum length in bytes for Brotli. For longer sections, zstd is faster. */
const maxBrotliBytes = 6_000;
const brotliQuality = 5;
/**
 * Brotli quality for `quick`. Unlike `brotliQuality`, it needs no large tables. If memory has to be allocated for each
 * call, it takes a hundredth of the time. The output is a third larger.
 */
const quickQuality = 1;
/** Shorter sections are stored plain, because compression would save too little. */
const minCompressedBytes = 48;
/** Extra size of the output buffer in bytes. Node finishes faster if the result does not fill the buffer exactly. */
const spareBytes = 64;

/** Encodes a list of numbers (0 to 2^53) as varints. */
export function writeVarints(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let value of values) {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

export interface VarintReader {
  next(): number;
  /** Position of the next byte. */
  position(): number;
}

export function readVarints(bytes: Uint8Array, from = 0): VarintReader {
  let at = from;
  return {
    next() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        if (byte === undefined) throw new RangeError('The column file is truncated.');
        if (byte < 128) return value + byte * scale;
        value += (byte - 128) * scale;
      }
    },
    position: () => at,
  };
}

/** `plain` does not compress. `quick` is for writing thousands of small files at once. */
export type Packing = 'plain' | 'quick' | 'small';

export function packSections(
  sections: readonly Uint8Array[],
  packing: Packing = 'small',
): Uint8Array<ArrayBuffer> {
  const directory = [version, sections.length];
  const bodies = sections.map((section) => {
    const [as, body] = packing === 'plain' ? [form.plain, section] : shortest(section, packing);
    directory.push(section.length * forms + as);
    if (as >= form.brotli) directory.push(body.length);
    return body;
  });
  return new Uint8Array(Buffer.concat([writeVarints(directory), ...bodies]));
}

function shortest(section: Uint8Array, packing: Packing): readonly [form: number, body: Uint8Array] {
  const first = section[0];
  if (first === undefined) return [form.plain, section];
  if (isRepeated(section)) return [form.repeated, section.subarray(0, 1)];
  if (section.length < minCompressedBytes) return [form.plain, section];
  const as = section.length <= maxBrotliBytes ? form.brotli : form.zstd;
  const params =
    as === form.brotli
      ? {
          [constants.BROTLI_PARAM_QUALITY]: packing === 'quick' ? quickQuality : brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: section.length,
        }
      : { [constants.ZSTD_c_compressionLevel]: level };
  // By default, Node allocates 16 KiB for the output, even for short sections.
  const chunkSize = section.length + spareBytes;
  const compressed = (as === form.brotli ? brotliCompressSync : zstdCompressSync)(section, {
    chunkSize,
    params,
  });
  return compressed.length < section.length ? [as, compressed] : [form.plain, section];
}

function isRepeated(section: Uint8Array): boolean {
  for (let at = 1; at < section.length; at += 1) if (section[at] !== section[0]) return false;
  return true;
}

/** Returns a section by number. Unpacks the section again on each call. */
export type ReadSection = ((place: number) => Uint8Array<ArrayBuffer>) & { readonly count: number };

/** Opens a file with sections. @throws RangeError if the file is not in this format or has an unknown version */
export function openSections(file: Uint8Array<ArrayBuffer>): ReadSection {
  const directory = readVarints(file);
  const found = directory.next();
  if (found !== version) throw new RangeError(`Unknown column file version ${found}.`);
  const count = directory.next();
  const lengths = new Float64Array(count);
  const formOf = new Uint8Array(count);
  const starts = new Float64Array(count + 1);
  for (let place = 0; place < count; place += 1) {
    const word = directory.next();
    const length = Math.floor(word / forms);
    const as = word % forms;
    lengths[place] = length;
    formOf[place] = as;
    const stored = as >= form.brotli ? directory.next() : as === form.repeated ? 1 : length;
    starts[place + 1] = (starts[place] ?? 0) + stored;
  }
  const bodies = directory.position();
  if (bodies + (starts[count] ?? 0) !== file.length)
    throw new RangeError('The column file has an incorrect length.');
  const read = (place: number): Uint8Array<ArrayBuffer> => {
    const length = lengths[place];
    if (length === undefined) throw new RangeError(`The column file has no section ${place}.`);
    const body = file.subarray(bodies + (starts[place] ?? 0), bodies + (starts[place + 1] ?? 0));
    if (formOf[place] === form.plain) return body;
    if (formOf[place] === form.repeated) return new Uint8Array(length).fill(body[0] ?? 0);
    const unpack = formOf[place] === form.brotli ? brotliDecompressSync : zstdDecompressSync;
    const section = unpack(body, { chunkSize: length + spareBytes, maxOutputLength: length + spareBytes });
    if (section.length !== length) throw new RangeError('The column file has a damaged section.');
    return section;
  };
  return Object.assign(read, { count });
}
