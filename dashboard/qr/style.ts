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

/** How a code is to look; what is kept in the browser, but for the logo. */
export interface Style {
  readonly color: string;
  readonly background: string;
  readonly margin: number;
  /** A picture as a `data:` address, and its name. */
  readonly logo: { readonly href: string; readonly name: string } | undefined;
  /** Part of the side that the logo takes, in percent. */
  readonly logoPercent: number;
  readonly hasCaption: boolean;
  readonly hasFrame: boolean;
  readonly shape: Shape;
  /** For print in millimetres, for a screen in pixels. */
  readonly isForPrint: boolean;
  readonly millimetres: number;
  readonly dpi: number;
  readonly pixels: number;
}

export const usualStyle: Style = {
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
export const largestLogoPercent = maxLogoShare * 100;

/** Pixels of the side of a PNG. */
export function pixelsOf({ isForPrint, millimetres, dpi, pixels }: Style): number {
  return isForPrint ? Math.round((millimetres / 25.4) * dpi) : pixels;
}

export function isDrawable(pixels: number): boolean {
  return pixels >= smallestPixels && pixels <= largestPixels;
}

/** Cameras read a code from about ten times its side. */
export function readingCentimetres({ millimetres }: Style): number {
  return Math.round(millimetres);
}

export interface Drawing {
  readonly code: QrCode;
  readonly svg: string;
  /** Modules of the side, margin included, and of the height, caption included. */
  readonly width: number;
  readonly height: number;
}

export function lookOf({ margin, color, background, shape }: Style): CodeStyle {
  return { margin, color, background, shape };
}

/**
 * Draws the code of a short URL. A logo covers modules, so the code can then lose the most.
 * @param size of a picture for a screen, in pixels; one for print has millimetres
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

/** Whether cameras tell the colours apart. */
export function contrastIn({ color, background }: Style) {
  return {
    ratio: ratioText(contrastOf(color, background)),
    problem: colourProblem(color, background)?.kind,
  };
}

const place = 'linkfold.qr';

/** Reads a stored style; undefined if cameras could not tell its colours apart, or another version wrote it. */
export function readStyle(stored: unknown): Style | undefined {
  const style: Style = { ...usualStyle, ...(stored as Partial<Style>), logo: undefined };
  const isSound =
    readColour(style.color) === style.color &&
    (style.background === transparent || readColour(style.background) === style.background) &&
    contrastIn(style).problem === undefined &&
    [style.margin, style.logoPercent, style.millimetres, style.dpi, style.pixels].every(Number.isFinite);
  return isSound ? style : undefined;
}

/** The style that was used last in this browser. */
export function lastStyle(storage: Pick<Storage, 'getItem'> = localStorage): Style {
  try {
    return readStyle(JSON.parse(storage.getItem(place) ?? '{}')) ?? usualStyle;
  } catch {
    return usualStyle; // storage is off, or holds what another version wrote
  }
}

export function keepStyle(style: Style, storage: Pick<Storage, 'setItem'> = localStorage): void {
  try {
    storage.setItem(place, JSON.stringify({ ...style, logo: undefined }));
  } catch {
    // Then it lasts as long as the dialog.
  }
}
