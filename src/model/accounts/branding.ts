import { type Problem, problem } from '../failures.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/** Branding that visitors to an account's links see. Values that are not set are null. */
export interface Branding {
  readonly name: string | null;
  /** Accent color as `#rrggbb`. */
  readonly accent: string | null;
  /** A data URL of a small PNG or WebP. */
  readonly logo: string | null;
  /** Message on the error pages for links. */
  readonly message: string | null;
  /** Contact link: a `mailto:` or `https:` URL. */
  readonly contact: string | null;
  /** URL to which expired links without their own `expiredUrl` redirect, encoded for the `Location` header. */
  readonly expiredUrl: string | null;
  readonly updatedAt: number;
}

/** Read operations for branding. */
export interface BrandingReads {
  /** @returns undefined when the account has no branding */
  branding(accountId: number): MaybePromise<Branding | undefined>;
}

/** Write operations for branding. */
export interface BrandingWrites {
  putBranding(accountId: number, branding: Branding): Promise<void>;
  deleteBranding(accountId: number): Promise<void>;
}

/** Maximum size of a logo in bytes. Small, because every page that shows the logo embeds it. */
export const largestLogoBytes = 32 * 1_024;
/** Maximum width and height in pixels. Without this limit, a small file could decode to a huge image in memory. */
export const longestLogoSide = 2_048;

const dataUrl = /^data:image\/(?:png|webp);base64,([A-Za-z\d+/]+={0,2})$/;

/**
 * Returns the validation error for a logo, or undefined if the logo is valid. Reads type and size from the image bytes,
 * not from the declared media type.
 */
export function logoProblem(text: string): Problem | undefined {
  // Base64 encodes three bytes as four characters, so a string of this length is always too long. Rejects it without
  // decoding.
  if (text.length > 2 * largestLogoBytes) return logoTooLong();
  const [, base64 = ''] = dataUrl.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > largestLogoBytes) return logoTooLong();
  const sides = sidesOfPng(bytes) ?? sidesOfWebp(bytes);
  const isOfItsKind = text.startsWith('data:image/png') === (sidesOfPng(bytes) !== undefined);
  if (sides === undefined || !isOfItsKind) {
    const form = 'data:image/png;base64,… or data:image/webp;base64,…';
    return problem('logo', 'invalid_format', `logo must be a PNG or WebP image as a data URL: ${form}`);
  }
  if (sides.every((side) => side >= 1 && side <= longestLogoSide)) return undefined;
  return problem('logo', 'out_of_range', `logo must be at most ${longestLogoSide} pixels per side.`);
}

function logoTooLong(): Problem {
  return problem(
    'logo',
    'too_long',
    `logo must be at most ${largestLogoBytes / 1_024} KiB. Use a smaller image.`,
  );
}

type Sides = readonly [width: number, height: number];

/** Returns the dimensions of a PNG from its first chunk, the header. */
function sidesOfPng(bytes: Buffer): Sides | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 16) !== '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')
    return undefined;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** Returns the dimensions of a WebP. The lossy, lossless and extended formats store them in different ways. */
function sidesOfWebp(bytes: Buffer): Sides | undefined {
  const kind = /^RIFF....WEBP(VP8[ LX])/s.exec(bytes.toString('latin1', 0, 16))?.[1];
  if (kind === 'VP8L' && bytes.length >= 25) {
    const bits = bytes.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (kind === undefined || kind === 'VP8L' || bytes.length < 30) return undefined;
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
}
