import type { Look, QrCode } from './code.ts';

/** A picture over the middle of a code; the modules below it are left out. */
export interface Logo {
  /** A `data:` address of the picture. */
  readonly href: string;
  /** Part of the code's side that it takes: 0.22 at most, so that level H can mend it. */
  readonly share: number;
}

/** The largest {@link Logo.share}. */
export const largestLogo = 0.22;

export interface SvgOptions extends Look {
  /** Width and height that the picture says it has, in pixels; it can be drawn in any. */
  readonly size: number;
  readonly logo?: Logo | undefined;
  /** Below the code, for people. */
  readonly caption?: string | undefined;
}

/** Height of the strip for the caption, and of its letters, in modules. */
const captionStrip = 6;
const letterHeight = 2.6;

/** Draws a code as SVG: one path for all dark modules, on whole units, so that it prints sharp in every size. */
export function svgOf(code: QrCode, options: SvgOptions): string {
  const { margin, color, background, size, logo, caption } = options;
  const width = code.size + 2 * margin;
  const height = width + (caption === undefined ? 0 : captionStrip);
  const hole = logo === undefined ? undefined : holeFor(code, logo);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${size}" height="${Math.round((size * height) / width)}" shape-rendering="crispEdges">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    `<path fill="${color}" d="${pathOf(code, margin, hole)}"/>`,
  ];
  if (logo !== undefined && hole !== undefined) parts.push(imageOf(logo, hole, margin));
  if (caption !== undefined) parts.push(textOf(caption, width, color));
  return `${parts.join('')}</svg>\n`;
}

/** A square of modules, in the middle of the code. */
interface Hole {
  readonly start: number;
  readonly end: number;
}

/** Whole modules, an odd number of them as a code's side has, so that the hole lies in the middle. */
function holeFor({ size }: QrCode, { share }: Logo): Hole {
  const wanted = Math.floor(size * Math.min(share, largestLogo));
  const side = wanted % 2 === size % 2 ? wanted : wanted - 1;
  const start = (size - side) / 2;
  return { start, end: start + side };
}

function isIn(hole: Hole | undefined, x: number, y: number): boolean {
  return hole !== undefined && x >= hole.start && x < hole.end && y >= hole.start && y < hole.end;
}

/** Every run of dark modules in a row as a rectangle. */
function pathOf({ size, rows }: QrCode, margin: number, hole: Hole | undefined): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (x < size && row[x] && !isIn(hole, x, y)) x += 1;
      const length = x - start;
      if (length > 0) path += `M${start + margin} ${y + margin}h${length}v1h-${length}z`;
    }
  }
  return path;
}

/** Half a module of air on every side of the logo. */
function imageOf({ href }: Logo, { start, end }: Hole, margin: number): string {
  const at = start + margin + 0.5;
  const side = end - start - 1;
  return `<image href="${escaped(href)}" x="${at}" y="${at}" width="${side}" height="${side}"/>`;
}

/** Long captions are squeezed to the width instead of being cut. */
function textOf(caption: string, width: number, color: string): string {
  const room = width - 2;
  const squeeze =
    caption.length * letterHeight * 0.62 > room
      ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"`
      : '';
  return `<text x="${width / 2}" y="${width + captionStrip / 2}" text-anchor="middle" dominant-baseline="middle" font-family="system-ui, sans-serif" font-weight="600" font-size="${letterHeight}" fill="${color}"${squeeze}>${escaped(caption)}</text>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
