import { encode } from 'uqr';

/** Error correction levels. A QR code can be read even if about 7, 15, 25 or 30 percent of it is unreadable. */
export const levels = ['L', 'M', 'Q', 'H'] as const;
export type Level = (typeof levels)[number];

/** Quiet zone required by ISO/IEC 18004, in modules. */
export const standardMargin = 4;
export const maxMargin = 16;

/** Minimum image size in pixels. */
export const minSize = 64;
export const maxSize = 4096;

/** Modules of a QR code, without the margin. */
export interface QrCode {
  /** Number of modules per side. */
  readonly size: number;
  /** Rows of modules. A dark module is true. */
  readonly rows: readonly (readonly boolean[])[];
}

/** Shapes of dark modules. The three finder patterns are always square, because cameras search for them. */
export const shapes = ['square', 'dots'] as const;
export type Shape = (typeof shapes)[number];

/** Radius of a dot, in modules. Above 0.5, adjacent dots overlap; at 0.55, decoders still fail on some codes. */
export const dotRadius = 0.6;

/** Minimum side length in print. */
export const minMillimetres = 10;
export const maxMillimetres = 2_000;
export const defaultMillimetres = 40;

/** Style of a QR code, in any format. */
export interface CodeStyle {
  /** Margin around the code, in modules. */
  readonly margin: number;
  /** Color of the dark modules, as `#rrggbb`. */
  readonly color: string;
  /** Color of the background, as `#rrggbb`, or {@link transparent}. */
  readonly background: string;
  readonly shape?: Shape | undefined;
}

/** Transparent background. */
export const transparent = 'transparent';

export const defaultStyle: CodeStyle = { margin: standardMargin, color: '#000000', background: '#ffffff' };

/** Returns the URL for a link's QR code: its short URL with a parameter that marks the visit as a scan. */
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

/** Returns the minimum image size in pixels. At this size, every module is one pixel. */
export function minPixels({ size }: QrCode, margin: number): number {
  return size + 2 * margin;
}

/** Returns the image size closest to the requested one at which a code without a margin fills the image. */
export function borderlessSize({ size }: QrCode, wanted: number): number {
  return size * Math.min(Math.max(Math.round(wanted / size), 1), Math.floor(maxSize / size));
}

/** Encodes a string as a QR code. `level` is the minimum: a higher level is used if it needs no more modules. */
export function createCode(text: string, level: Level): QrCode {
  const { size, data } = encode(text, { ecc: level, boostEcc: true, border: 0 });
  return { size, rows: data };
}
