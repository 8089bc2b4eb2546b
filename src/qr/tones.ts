import { channelsOf, contrastOf } from './colours.ts';

/** The contrast that WCAG 2.2 asks of text (AA). */
const readable = 4.5;
/** The grounds of pages in both themes. */
const light = '#fbfaf8';
const dark = '#151412';

/** What a colour that an owner has chosen becomes where it has to be read. */
export interface Tones {
  /** On the button, which has the colour itself. */
  readonly onAccent: string;
  /** The button under the pointer. */
  readonly hover: string;
  /** As text on light and on dark ground. */
  readonly onLight: string;
  readonly onDark: string;
}

/** The nearest tones of a colour that can be read. */
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
