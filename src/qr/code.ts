import { encode } from 'uqr';

/** How much of a code may be lost before it cannot be read: about 7, 15, 25 and 30 percent. */
export const levels = ['L', 'M', 'Q', 'H'] as const;
export type Level = (typeof levels)[number];

/** The quiet zone that the standard asks for, in modules. */
export const standardMargin = 4;
export const largestMargin = 16;

/** Pixels of a picture's side. */
export const smallestSize = 64;
export const largestSize = 4096;

/** The modules of a code, without its margin. */
export interface QrCode {
  /** Modules of a side. */
  readonly size: number;
  /** Rows of modules; true is dark. */
  readonly rows: readonly (readonly boolean[])[];
}

/** How a code is drawn, whatever it is drawn as. */
export interface Look {
  /** Around the code, in modules. */
  readonly margin: number;
  /** Of the dark modules, as `#rrggbb`. */
  readonly color: string;
  /** Of all the rest, as `#rrggbb`. */
  readonly background: string;
}

export const plainLook: Look = { margin: standardMargin, color: '#000000', background: '#ffffff' };

/** What the QR code of a link says: its short URL, and that the visitor came by the code. */
export function scanUrl(shortUrl: string): string {
  return `${shortUrl}?trigger=qr`;
}

/** The fewest pixels of a side in which every module is one pixel at least. */
export function leastPixels({ size }: QrCode, margin: number): number {
  return size + 2 * margin;
}

/** The size nearest to the wanted one in which the modules of a code without a margin fill the picture. */
export function borderlessSize({ size }: QrCode, wanted: number): number {
  return size * Math.min(Math.max(Math.round(wanted / size), 1), Math.floor(largestSize / size));
}

/** Encodes a text. The level is the lowest one wanted: a higher one is taken where it needs no more modules. */
export function createCode(text: string, level: Level): QrCode {
  const { size, data } = encode(text, { ecc: level, boostEcc: true, border: 0 });
  return { size, rows: data };
}
