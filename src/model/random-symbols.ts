import type { RandomBytes } from './ids.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Generates a text of so many symbols, each with the same chance; of digits and letters unless others are named. */
export function randomSymbols(length: number, randomBytes: RandomBytes, symbols = base62): string {
  // Bytes beyond the last whole multiple would favor the first symbols.
  const unbiased = 256 - (256 % symbols.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiased && text.length < length) text += symbols[byte % symbols.length];
    }
  }
  return text;
}
