import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { type CodeStyle, dotRadius, isDot, type QrCode, transparent } from './code.ts';
import { channelsOf } from './colours.ts';

const compress = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Image resolution of 300 dpi, which is usual for print. */
const dotsPerMetre = 11_811;
const noFilter = 0;
const asAbove = 2;

/**
 * Generates a QR code as a PNG with a palette of two colors. Each module is a square with an integer number of pixels
 * per side; the remaining pixels are added to the margin. The image is compressed in Node's thread pool.
 * @param size side length in pixels, at least the number of modules including the margin
 */
export async function pngOf(code: QrCode, style: CodeStyle, size: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 3, 0, 0, 0], 8); // 1 bit per pixel, palette
  const density = Buffer.alloc(9);
  density.writeUInt32BE(dotsPerMetre, 0);
  density.writeUInt32BE(dotsPerMetre, 4);
  density[8] = 1; // unit: meter
  const palette = Buffer.from([...channelsOf(style.background), ...channelsOf(style.color)]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('PLTE', palette),
    ...(style.background === transparent ? [chunk('tRNS', Buffer.of(0))] : []),
    chunk('IDAT', await compress(pixelsOf(code, style, size))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns filtered rows of pixels. A row that is equal to the row above is encoded as zeros, which compress best. */
function pixelsOf(code: QrCode, style: CodeStyle, size: number): Buffer {
  const { size: side, rows } = code;
  const { margin } = style;
  const scale = Math.floor(size / (side + 2 * margin));
  const start = Math.floor((size - side * scale) / 2);
  const rowBytes = 1 + Math.ceil(size / 8);
  const pixels = Buffer.alloc(rowBytes * size, 0);
  for (let y = 1; y < size; y += 1) pixels[y * rowBytes] = asAbove;
  /** Draws one line of pixels in a row of modules. */
  const drawLine = (module: number, line: number, row: readonly boolean[]): void => {
    const first = (start + module * scale + line) * rowBytes;
    pixels[first] = noFilter;
    for (let x = 0; x < side * scale; x += 1) {
      const at = Math.floor(x / scale);
      if (!row[at] || (isDot(code, style, at, module) && !isInDot(x % scale, line, scale))) continue;
      const pixel = start + x;
      const byte = first + 1 + (pixel >> 3);
      pixels[byte] = (pixels[byte] ?? 0) | (0x80 >> (pixel & 7));
    }
  };
  const lines = style.shape === 'dots' ? scale : 1;
  for (const [y, row] of rows.entries()) for (let line = 0; line < lines; line += 1) drawLine(y, line, row);
  const end = start + side * scale;
  if (end < size) pixels[end * rowBytes] = noFilter;
  return pixels;
}

/** Returns true if a pixel of a module lies within the module's dot. */
function isInDot(x: number, y: number, scale: number): boolean {
  return Math.hypot(x + 0.5 - scale / 2, y + 0.5 - scale / 2) <= scale * dotRadius;
}

function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, 'latin1');
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}
