/** Which characters the operator lets new codes have. */
export const codeCharacters = ['ascii', 'unicode'] as const;
export type CodeCharacters = (typeof codeCharacters)[number];

// The parts begin with different characters, so that a text is read in one way only, and in one pass. Letters and emoji that
// are not to be seen are none: fillers, joiners of letters, marks of direction. A joiner joins emoji alone.
const letter = String.raw`[[\p{L}\p{N}]--\p{ExtPict}--\p{DI}][\p{M}--\p{DI}]*`;
const picture = String.raw`\p{ExtPict}(?:\p{EMod}|\uFE0F)?`;
const visible = String.raw`(?:${letter}|${picture}(?:\u200D${picture})*|\p{RI}{2})`;
const shape = new RegExp(`^${visible}(?:${visible}|-|_)*$`, 'v');

const latin = /\p{Script=Latin}/u;
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const beyondAscii = /[^\0-\x7f]/;
/** Of UTF-16 units: code points of a code with its decomposed letters. */
export const mostUnits = 400;

/** Whether a text has a character outside ASCII. */
export function isBeyondAscii(text: string): boolean {
  return beyondAscii.test(text);
}

/**
 * What spellings of a code have in common that people take for one: case, compatibility forms (`ﬁ`, full width), the selector of
 * coloured pictures. The same on every machine: no locale, and a sigma at the end is any sigma.
 */
export function unicodeKey(code: string): string {
  const plain = code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/[\uFE0E\uFE0F]/g, '');
  return plain.normalize('NFKC');
}

/** Whether letters, digits and emoji of any script, with `-` and `_` behind them, are all that a text holds. */
export function hasUnicodeShape(code: string): boolean {
  return code.length <= mostUnits && shape.test(code.normalize('NFC')) && shape.test(unicodeKey(code));
}

/** Whether Latin letters stand beside Cyrillic or Greek ones, of which many look the same. */
export function mixesLookAlikes(code: string): boolean {
  const key = unicodeKey(code);
  return latin.test(key) && likeLatin.test(key);
}

/** Characters as people count them in limits: code points of the composed form. */
export function codePointsIn(code: string): number {
  return Array.from(code.normalize('NFC')).length;
}
