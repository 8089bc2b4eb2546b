/** Values of the operator's setting for the characters that new codes may contain. */
export const codeCharacters = ['ascii', 'unicode'] as const;
export type CodeCharacters = (typeof codeCharacters)[number];

// No two alternatives in `visible` can start with the same character, so matching is unambiguous and takes linear time.
// Invisible characters (fillers, letter joiners, direction marks) are excluded. A joiner may only join emoji.
const letter = String.raw`[[\p{L}\p{N}]--\p{ExtPict}--\p{DI}][\p{M}--\p{DI}]*`;
const picture = String.raw`\p{ExtPict}(?:\p{EMod}|\uFE0F)?`;
const visible = String.raw`(?:${letter}|${picture}(?:\u200D${picture})*|\p{RI}{2})`;
const shape = new RegExp(`^${visible}(?:${visible}|-|_)*$`, 'v');

const latin = /\p{Script=Latin}/u;
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const hasNonAscii = /[^\0-\x7f]/;
/** Maximum length of a Unicode code in UTF-16 units, which leaves space for decomposed letters. */
export const maxCodeUnits = 400;

/** Returns true if a string contains a non-ASCII character. */
export function isBeyondAscii(text: string): boolean {
  return hasNonAscii.test(text);
}

/**
 * Folds differences between codes that readers do not notice: case, compatibility forms (`ﬁ`, full width) and emoji
 * selectors. The result does not depend on the locale. A final sigma is folded to the ordinary sigma.
 */
export function unicodeKey(code: string): string {
  const plain = code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/[\uFE0E\uFE0F]/g, '');
  return plain.normalize('NFKC');
}

/**
 * Returns true if a string consists only of emoji and of letters and digits in any script. `-` and `_` are allowed
 * after the first character.
 */
export function hasUnicodeShape(code: string): boolean {
  return code.length <= maxCodeUnits && shape.test(code.normalize('NFC')) && shape.test(unicodeKey(code));
}

/** Returns true if a code mixes Latin letters with Cyrillic or Greek letters, many of which look the same. */
export function mixesLookAlikes(code: string): boolean {
  const key = unicodeKey(code);
  return latin.test(key) && likeLatin.test(key);
}

/** Counts the characters in a code as users see them: the code points of the composed form. */
export function codePointsIn(code: string): number {
  return Array.from(code.normalize('NFC')).length;
}
