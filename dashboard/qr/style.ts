import {
  type CodeStyle,
  createCode,
  type QrCode,
  type Shape,
  scanUrl,
  standardMargin,
  transparent,
} from '../../src/qr/code.ts';
import { colourProblem, contrastOf, ratioText, readColour } from '../../src/qr/colours.ts';
import { maxLogoShare, svgOf } from '../../src/qr/svg.ts';

/** QR code style. Stored in the browser, except for the logo. */
export interface Style {
  readonly color: string;
  readonly background: string;
  readonly margin: number;
  /** Image as a `data:` URL, and its name. */
  readonly logo: { readonly href: string; readonly name: string } | undefined;
  /** Side length of the logo, as a percentage of the code's side length. */
  readonly logoPercent: number;
  readonly hasCaption: boolean;
  readonly hasFrame: boolean;
  readonly shape: Shape;
  /** Whether the size is in millimeters for print, instead of pixels for screens. */
  readonly isForPrint: boolean;
  readonly millimetres: number;
  readonly dpi: number;
  readonly pixels: number;
}

export const defaultStyle: Style = {
  color: '#1d1b18',
  background: '#ffffff',
  margin: standardMargin,
  logo: undefined,
  logoPercent: 20,
  hasCaption: false,
  hasFrame: false,
  shape: 'square',
  isForPrint: true,
  millimetres: 40,
  dpi: 300,
  pixels: 1024,
};

export const smallestPixels = 64;
export const largestPixels = 4096;
export const maxLogoPercent = maxLogoShare * 100;

/** Returns the PNG's side length in pixels. */
export function pixelsOf({ isForPrint, millimetres, dpi, pixels }: Style): number {
  return isForPrint ? Math.round((millimetres / 25.4) * dpi) : pixels;
}

export function isDrawable(pixels: number): boolean {
  return pixels >= smallestPixels && pixels <= largestPixels;
}

/**
 * Returns the maximum scanning distance in centimeters. Cameras can read a code from about ten times its side length.
 */
export function readingCentimetres({ millimetres }: Style): number {
  return Math.round(millimetres);
}

export interface Drawing {
  readonly code: QrCode;
  readonly svg: string;
  /** Width and height in modules, including the margin, frame and caption. */
  readonly width: number;
  readonly height: number;
}

export function lookOf({ margin, color, background, shape }: Style): CodeStyle {
  return { margin, color, background, shape };
}

/**
 * Draws the QR code for a short URL. With a logo, uses the highest error correction level, because the logo covers
 * modules.
 * @param size side length in pixels for screens; ignored for print
 */
export function draw(shortUrl: string, style: Style, size: number): Drawing {
  const code = createCode(scanUrl(shortUrl), style.logo === undefined ? 'M' : 'H');
  const svg = svgOf(code, {
    ...lookOf(style),
    ...(style.isForPrint ? { size: style.millimetres, unit: 'mm' } : { size }),
    hasFrame: style.hasFrame,
    logo: style.logo && { href: style.logo.href, share: style.logoPercent / 100 },
    caption: style.hasCaption ? shortUrl.replace(/^https?:\/\//, '') : undefined,
  });
  const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
  return { code, svg, width, height };
}

/** Returns the contrast ratio of the colors. `problem` is set if cameras cannot distinguish the colors. */
export function contrastIn({ color, background }: Style) {
  return {
    ratio: ratioText(contrastOf(color, background)),
    problem: colourProblem(color, background)?.kind,
  };
}

const place = 'linkfold.qr';

/**
 * Parses a stored style. Returns undefined if cameras could not distinguish the colors, or if another version stored
 * the style.
 */
export function readStyle(stored: unknown): Style | undefined {
  const style: Style = { ...defaultStyle, ...(stored as Partial<Style>), logo: undefined };
  const isSound =
    readColour(style.color) === style.color &&
    (style.background === transparent || readColour(style.background) === style.background) &&
    contrastIn(style).problem === undefined &&
    [style.margin, style.logoPercent, style.millimetres, style.dpi, style.pixels].every(Number.isFinite);
  return isSound ? style : undefined;
}

/** Returns the last style used in this browser. */
export function lastStyle(storage: Pick<Storage, 'getItem'> = localStorage): Style {
  try {
    return readStyle(JSON.parse(storage.getItem(place) ?? '{}')) ?? defaultStyle;
  } catch {
    return defaultStyle; // storage is disabled, or contains data written by another version
  }
}

export function keepStyle(style: Style, storage: Pick<Storage, 'setItem'> = localStorage): void {
  try {
    storage.setItem(place, JSON.stringify({ ...style, logo: undefined }));
  } catch {
    // If storage is disabled, the style lasts until the dialog is closed.
  }
}
