import { channelsOf } from '../../src/qr/colours.ts';
import { tonesOf } from '../../src/qr/tones.ts';

/** Hues of the other click classes in charts (bots and previews), in degrees. */
const taken = [36, 250];
/** Minimum difference in hue, in degrees. Closer colors look the same. */
const apartDegrees = 35;
/** Minimum saturation. A less saturated color looks like the color for prefetches. */
const minSaturation = 0.2;

/**
 * Returns a style that uses an account's accent color for buttons, bars and the map. Charts also use this color for
 * clicks by people, unless it resembles the color of another click class.
 */
export function brandStyle(accent: string | null): Readonly<Record<string, string>> | undefined {
  if (accent === null) return undefined;
  const { onLight, onDark, onAccent, hover } = tonesOf(accent);
  const tone = `light-dark(${onLight}, ${onDark})`;
  const mixed = (part: number): string => `color-mix(in srgb, ${tone} ${part}%, var(--paper))`;
  return {
    '--accent': tone,
    '--accent-hover': `light-dark(${hover}, ${onDark})`,
    '--onaccent': onAccent,
    '--tint': mixed(12),
    '--tint-line': mixed(34),
    '--tint-ink': tone,
    '--d-bar': mixed(20),
    '--d-mute': mixed(50),
    '--map-1': mixed(22),
    '--map-2': mixed(42),
    '--map-3': mixed(68),
    '--map-4': tone,
    ...(isApart(accent) && { '--d-human': tone }),
  };
}

/** Returns true if a color differs from the colors of the other click classes. */
function isApart(colour: string): boolean {
  const [red, green, blue] = channelsOf(colour).map((channel) => channel / 255) as [number, number, number];
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  if (range < minSaturation) return false;
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  const hue = (sixth * 60 + 360) % 360;
  return taken.every((other) => {
    const away = Math.abs(hue - other);
    return Math.min(away, 360 - away) >= apartDegrees;
  });
}
