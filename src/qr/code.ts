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

/** How the dark modules are drawn. The three finder patterns stay squares: cameras look for them. */
export const shapes = ['square', 'dots'] as const;
export type Shape = (typeof shapes)[number];

/** Radius of a dot in modules: neighbours overlap. With 0.55 decoders fail on some codes. */
export const dotRadius = 0.6;

/** Sides of a code for print. */
export const smallestMillimetres = 10;
export const largestMillimetres = 2_000;
export const usualMillimetres = 40;

/** How a code is drawn, whatever it is drawn as. */
export interface CodeStyle {
  /** Around the code, in modules. */
  readonly margin: number;
  /** Of the dark modules, as `#rrggbb`. */
  readonly color: string;
  /** Of all the rest, as `#rrggbb`, or {@link transparent}. */
  readonly background: string;
  readonly shape?: Shape | undefined;
}

/** The background that lets what is behind the code show through. */
export const transparent = 'transparent';

export const plainLook: CodeStyle = { margin: standardMargin, color: '#000000', background: '#ffffff' };

/** What the QR code of a link says: its short URL, and that the visitor came by the code. */
export function scanUrl(shortUrl: string): string {
  return `${shortUrl}?trigger=qr`;
}

/** Returns true if a dark module is drawn as a dot. */
export function isDot({ size }: QrCode, { shape }: CodeStyle, x: number, y: number): boolean {
  const isLow = (at: number) => at < 7;
  const isHigh = (at: number) => at >= size - 7;
  const isFinder = (isLow(x) && (isLow(y) || isHigh(y))) || (isHigh(x) && isLow(y));
  return shape === 'dots' && !isFinder;
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
