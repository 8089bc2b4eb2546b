import { channelsOf, contrastOf } from './colours.ts';

/** Contrast that WCAG 2.2 requires for text (AA). */
const readable = 4.5;
/** Page background in the light theme. */
const light = '#fbfaf8';
const dark = '#151412';

/** Readable variants of an accent color for different backgrounds. */
export interface Tones {
  /** Text color on a button in the accent color. */
  readonly onAccent: string;
  /** Button color on hover. */
  readonly hover: string;
  /** Accent color for text on a light background. `onDark` is for a dark background. */
  readonly onLight: string;
  readonly onDark: string;
}

/** Returns the readable variants that are closest to an accent color. */
export function tonesOf(accent: string): Tones {
  const onAccent = contrastOf(accent, '#ffffff') >= readable ? '#ffffff' : '#000000';
  return {
    onAccent,
    hover: mixed(accent, onAccent === '#ffffff' ? '#000000' : '#ffffff', 0.14),
    onLight: toned(accent, '#000000', light),
    onDark: toned(accent, '#ffffff', dark),
  };
}

function toned(colour: string, towards: string, ground: string): string {
  for (let part = 0; part < 1; part += 0.04) {
    const tone = mixed(colour, towards, part);
    if (contrastOf(tone, ground) >= readable) return tone;
  }
  return towards;
}

function mixed(colour: string, other: string, part: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((one, at) => Math.round(one + ((others[at] ?? 0) - one) * part));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
