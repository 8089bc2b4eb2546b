import type { RandomBytes } from './ids.ts';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Generates a random string of uniformly distributed symbols (digits and letters by default). */
export function randomSymbols(length: number, randomBytes: RandomBytes, symbols = base62): string {
  // Bytes above the largest multiple of the number of symbols would favor the first symbols.
  const unbiased = 256 - (256 % symbols.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiased && text.length < length) text += symbols[byte % symbols.length];
    }
  }
  return text;
}
