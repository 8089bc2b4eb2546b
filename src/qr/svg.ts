import { type CodeStyle, dotRadius, isDot, type QrCode, transparent } from './code.ts';

/** Image over the center of a QR code. The modules under the image are omitted. */
export interface Logo {
  /** Image as a `data:` URL. */
  readonly href: string;
  /** Fraction of the code's side that the logo covers, at most 0.22. Error correction level H can restore that much. */
  readonly share: number;
}

/** Maximum {@link Logo.share}. */
export const maxLogoShare = 0.22;

export interface SvgOptions extends CodeStyle {
  /** Default width of the image in pixels or millimeters. An SVG image can be scaled to any size. */
  readonly size: number;
  readonly unit?: 'mm' | undefined;
  /** True to draw a border around the code and the caption. */
  readonly hasFrame?: boolean | undefined;
  readonly logo?: Logo | undefined;
  /** Text to display below the code. */
  readonly caption?: string | undefined;
}

/** Height of the caption strip in modules. `letterHeight` is the height of its letters. */
const captionStrip = 6;
const letterHeight = 2.6;
/** Width, in modules, of the border line and of the space between the line and the quiet zone. */
const frameWidth = 2;

/**
 * Generates a QR code as SVG. All dark modules are one path with integer coordinates, so that edges are sharp at every
 * size.
 */
export function svgOf(code: QrCode, options: SvgOptions): string {
  const { color, background, size, unit = '', hasFrame = false, logo, caption } = options;
  const margin = options.margin + (hasFrame ? frameWidth : 0);
  const width = code.size + 2 * margin;
  const height = width + (caption === undefined ? 0 : captionStrip);
  const ratio = height / width;
  const sides = [size, unit === '' ? Math.round(size * ratio) : size * ratio].map(
    (side) => `${Number(side.toFixed(3))}${unit}`,
  );
  const hole = logo === undefined ? undefined : holeFor(code, logo);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${sides[0]}" height="${sides[1]}"${options.shape === 'dots' ? '' : ' shape-rendering="crispEdges"'}>`,
    ...(background === transparent
      ? []
      : [`<rect width="${width}" height="${height}" fill="${background}"/>`]),
    `<path fill="${color}" d="${pathOf(code, { ...options, margin }, hole)}"/>`,
  ];
  if (hasFrame) parts.push(frameOf(width, height, color));
  if (logo !== undefined && hole !== undefined) parts.push(imageOf(logo, hole, margin));
  if (caption !== undefined) parts.push(textOf(caption, width, color));
  return `${parts.join('')}</svg>\n`;
}

/** Square in the center of the code that contains no modules. */
interface Hole {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the hole for a logo. Its side is an odd number of modules, like the side of the code, so that the hole is
 * centered.
 */
function holeFor({ size }: QrCode, { share }: Logo): Hole {
  const wanted = Math.floor(size * Math.min(share, maxLogoShare));
  const side = wanted % 2 === size % 2 ? wanted : wanted - 1;
  const start = (size - side) / 2;
  return { start, end: start + side };
}

function isIn(hole: Hole | undefined, x: number, y: number): boolean {
  return hole !== undefined && x >= hole.start && x < hole.end && y >= hole.start && y < hole.end;
}

/**
 * Returns the path of all dark modules. Each run of dark modules in a row is one rectangle, and each dot is drawn
 * separately.
 */
function pathOf(code: QrCode, style: CodeStyle, hole: Hole | undefined): string {
  const { size, rows } = code;
  const { margin } = style;
  let path = '';
  for (const [y, row] of rows.entries()) {
    let length = 0;
    for (let x = 0; x <= size; x += 1) {
      const isDark = row[x] === true && !isIn(hole, x, y);
      const isRound = isDark && isDot(code, style, x, y);
      if (isDark && !isRound) {
        length += 1;
        continue;
      }
      if (length > 0) path += `M${x - length + margin} ${y + margin}h${length}v1h-${length}z`;
      length = 0;
      if (isRound) path += dotAt(x + margin + 0.5, y + margin + 0.5);
    }
  }
  return path;
}

function dotAt(x: number, y: number): string {
  const turn = `a${dotRadius} ${dotRadius} 0 1 0 `;
  return `M${(x - dotRadius).toFixed(2)} ${y}${turn}${2 * dotRadius} 0${turn}${-2 * dotRadius} 0z`;
}

function frameOf(width: number, height: number, color: string): string {
  return `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="2" fill="none" stroke="${color}" shape-rendering="auto"/>`;
}

/** Returns the image element, with half a module of space on every side of the logo. */
function imageOf({ href }: Logo, { start, end }: Hole, margin: number): string {
  const at = start + margin + 0.5;
  const side = end - start - 1;
  return `<image href="${escaped(href)}" x="${at}" y="${at}" width="${side}" height="${side}"/>`;
}

/** Returns the text element for a caption. A long caption is compressed to the available width, not truncated. */
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
