// Creates ZIP archives without compression, because PNG is already compressed and SVG files are small.

export interface ZipFile {
  /** File name without a folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const table = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 255] ?? 0);
  return ~value >>> 0;
}

/** Flag for file names in UTF-8. */
const flags = 0x0800;
const version = 20;

/** Returns a ZIP archive of the files. @param at modification time for all files */
export function zipOf(files: readonly ZipFile[], at: Date): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(name);
    const facts = [
      ...[version, 2],
      ...[flags, 2],
      ...[0, 2], // compression method: stored
      ...[(at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1), 2],
      ...[((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(), 2],
      ...[checksum(bytes), 4],
      ...[bytes.length, 4],
      ...[bytes.length, 4],
      ...[encoded.length, 2],
      ...[0, 2],
    ];
    const head = numbers([0x04034b50, 4, ...facts]);
    parts.push(head, encoded, Uint8Array.from(bytes));
    directory.push(
      numbers([0x02014b50, 4, version, 2, ...facts, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4]),
      encoded,
    );
    offset += head.length + encoded.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = numbers([
    0x06054b50,
    4,
    0,
    2,
    0,
    2,
    files.length,
    2,
    files.length,
    2,
    size,
    4,
    offset,
    4,
    0,
    2,
  ]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** Serializes numbers in little-endian order. `pairs` alternates between a number and its size in bytes. */
function numbers(pairs: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const [value = 0, length = 0] = [pairs[at], pairs[at + 1]];
    for (let byte = 0; byte < length; byte += 1) bytes.push((value >>> (8 * byte)) & 255);
  }
  return Uint8Array.from(bytes);
}
