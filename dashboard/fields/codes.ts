import { normalUrl } from '../data/links/addresses.ts';

/** Validation error that can be detected in a code without sending a request. */
export type CodeFault =
  | { readonly kind: 'space' | 'start' | 'slash' | 'short' | 'long' | 'longest' }
  | { readonly kind: 'character'; readonly character: string };

/**
 * Checks the rules that apply to every code. Only the server checks letters, emoji and segments.
 * @param isExact whether the domain's codes are case-sensitive and may contain almost any character
 */
export function codeFault(code: string, isExact = false): CodeFault | undefined {
  const given = code.trim();
  if (given === '') return undefined;
  if (isExact) return exactFault(given);
  if (/\s/.test(given)) return { kind: 'space' };
  const odd = /(?![\w/-])[ -~]/.exec(given);
  if (odd !== null) return { kind: 'character', character: odd[0] };
  if (/^[-_]/.test(given)) return { kind: 'start' };
  if (/^\/|\/(?![^-_/])/.test(given)) return { kind: 'slash' };
  const { length } = [...given];
  if (length > 50) return { kind: 'long' };
  return length < 3 && /^[ -~]*$/.test(given) ? { kind: 'short' } : undefined;
}

function exactFault(given: string): CodeFault | undefined {
  if (/\s/.test(given)) return { kind: 'space' };
  const odd = /[?#%\\\p{Cc}]/u.exec(given);
  if (odd !== null) return { kind: 'character', character: odd[0] };
  if (given.split('/').some((part) => /^\.{0,2}$/.test(part))) return { kind: 'slash' };
  return given.length > 190 ? { kind: 'longest' } : undefined;
}

/** Suggests up to `most` codes derived from the destination, most meaningful first. */
export function suggestCodes(url: string, taken: string, year: number, most = 8): string[] {
  const parsed = URL.parse(normalUrl(url) ?? '');
  const words = (parsed?.pathname ?? '')
    .split('/')
    .map((part) => slug(decodeSafely(part)))
    .filter((part) => part.length >= 3);
  const host = slug(parsed?.hostname.replace(/^www\./, '').split('.')[0] ?? '');
  const short = String(year).slice(-2);
  const base = slug(taken);
  const found = [
    ...(base === '' ? [] : [`${base}-${short}`, `${base}-2`, `${base}-${year}`]),
    ...words.toReversed(),
    ...words.map((word) => `${word}-${short}`),
    host,
    `${host}-${short}`,
  ];
  return [...new Set(found)]
    .filter((code) => code !== '' && code !== base && codeFault(code) === undefined)
    .slice(0, most);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => umlauts[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\.(html?|php|aspx?)$/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '');
}

const symbols = '23456789bcdfghjkmnpqrstvwxyz';

/** Generates a code in the same way as the server: eight characters, without vowels or look-alike characters. */
export function drawCode(random: (max: number) => number): string {
  return Array.from({ length: 8 }, () => symbols[random(symbols.length)]).join('');
}
