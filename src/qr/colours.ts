import { transparent } from './code.ts';

/** Minimum contrast ratio. Below this ratio, cameras in poor light may mistake dark modules for light ones. */
export const minContrast = 3;

const hexColour = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Parses `#1f4d41`, `1f4d41` or `fff`. @returns `#rrggbb` in lower case, or undefined */
export function readColour(text: string): string | undefined {
  if (!hexColour.test(text)) return undefined;
  const digits = text.replace('#', '').toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/**
 * Returns the channels of a color `#rrggbb`, each from 0 to 255. A transparent background counts as white, like paper.
 */
export function channelsOf(colour: string): [red: number, green: number, blue: number] {
  const number = colour === transparent ? 0xffffff : Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** Returns the relative luminance (WCAG) from 0 (black) to 1 (white). */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors: 1 if equal, 21 for black and white. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the reason why a code in these colors may be unreadable, or undefined if it is readable. */
export function colourProblem(
  color: string,
  background: string,
): { readonly kind: 'low_contrast' | 'light_on_dark'; readonly ratio: number } | undefined {
  const ratio = contrastOf(color, background);
  if (ratio < minContrast) return { kind: 'low_contrast', ratio };
  return luminanceOf(color) > luminanceOf(background) ? { kind: 'light_on_dark', ratio } : undefined;
}

/** Formats a contrast ratio, rounded down to one decimal place. */
export function ratioText(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;
}
