import type { Problem } from '../failures.ts';
import type { RandomBytes } from '../ids.ts';
import {
  type CodeCharacters,
  codePointsIn,
  hasUnicodeShape,
  isBeyondAscii,
  mixesLookAlikes,
  unicodeKey,
} from './unicode-codes.ts';

/** No vowels, so no words; no look-alikes; one case, so that a printed code can be typed (CONTRACT §4). */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const unbiased = 256 - (256 % alphabet.length);

export const shortestCode = 3;
export const longestCode = 50;
/** Symbols of a generated code while the space is roomy: 28^8, about 38 bits. */
export const generatedCodeLength = 8;

/** Symbols that a client may ask to be drawn: the fewest are 28^6, about 29 bits. */
export const fewestDrawn = 6;
export const mostDrawn = 32;
/** A prefix and the most symbols are a code of the greatest length. */
export const longestPrefix = longestCode - mostDrawn;

/** What a code of any length may be made of. */
export const codeShape = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The one form under which a code is unique and found: `Sale` and `sale` never belong to two people. */
export function foldCode(code: string): string {
  for (let at = 0; at < code.length; at += 1) if (code.charCodeAt(at) > 0x7f) return unicodeKey(code);
  return code.toLowerCase();
}

/**
 * Whether a path segment could be a code at all, also one made while the operator allowed every script; anything else
 * needs no look-up. Part of every redirect: a loop.
 */
export function couldBeCode(segment: string): boolean {
  const { length } = segment;
  if (length === 0 || length > longestCode || !isAlphanumeric(segment.charCodeAt(0)))
    return couldBeUnicode(segment);
  for (let at = 1; at < length; at += 1) {
    const character = segment.charCodeAt(at);
    if (!isAlphanumeric(character) && character !== 0x2d && character !== 0x5f)
      return couldBeUnicode(segment);
  }
  return true;
}

function couldBeUnicode(segment: string): boolean {
  return isBeyondAscii(segment) && hasUnicodeShape(segment) && codePointsIn(segment) <= longestCode;
}

/** What visitors open, in ASCII. @param origin without a slash at the end */
export function shortUrlOf(origin: string, code: string): string {
  return `${origin}/${encodeURIComponent(code)}`;
}

function isAlphanumeric(character: number): boolean {
  const lower = character | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (character >= 0x30 && character <= 0x39);
}

/**
 * Words a custom code may not be: the real mounts of the server (`test/acceptance` holds the list against them), paths
 * that it may need later, and words by which a link could pose as one of the service. A link that had its code before the
 * word was reserved keeps it.
 */
export const reservedCodes: ReadonlySet<string> = new Set([
  ...['api', 'docs', 'dashboard', 'healthz', 'readyz', 'metrics', 'assets', 'static', 'favicon', 'robots'],
  ...['about', 'abuse', 'account', 'accounts', 'admin', 'administrator', 'app', 'auth', 'billing', 'contact'],
  ...['help', 'home', 'index', 'info', 'legal', 'linkfold', 'login', 'logout', 'mail', 'oauth', 'official'],
  ...['password', 'pay', 'payment', 'preview', 'privacy', 'register', 'report', 'reset', 'root', 'secure'],
  ...['security', 'settings', 'signin', 'signout', 'signup', 'sso', 'status', 'support', 'system', 'terms'],
  ...['unsubscribe', 'user', 'users', 'verify', 'webhook', 'webhooks', 'www'],
  ...[
    'analytics',
    'callback',
    'console',
    'domains',
    'embed',
    'events',
    'export',
    'folders',
    'graphql',
    'import',
  ],
  ...['invite', 'links', 'manifest', 'mcp', 'oidc', 'openapi', 'qrcode', 'saml', 'scim', 'search', 'session'],
  ...['sessions', 'setup', 'share', 'shared', 'sitemap', 'statistics', 'stats', 'swagger', 'tags', 'teams'],
]);

export function isReserved(code: string): boolean {
  return reservedCodes.has(foldCode(code));
}

/** Checks the characters of a custom code (422). Its length is checked with the shape of the body (400). */
export function customCodeProblem(
  code: string,
  field = 'customCode',
  characters: CodeCharacters = 'ascii',
): Problem | undefined {
  if (codeShape.test(code)) return undefined;
  const isUnicode = characters === 'unicode';
  if (isUnicode && isBeyondAscii(code.normalize('NFC')) && hasUnicodeShape(code))
    return mixesLookAlikes(code) ? lookAlikes(field) : undefined;
  const allowed = isUnicode
    ? 'letters and digits of any script, emoji, "-" and "_", nothing invisible, and starts with neither "-" nor "_".'
    : 'letters, digits, "-" and "_", and starts with a letter or digit.';
  return codeProblem(field, `${field} may hold ${allowed}`);
}

function lookAlikes(field: string): Problem {
  return codeProblem(
    field,
    `${field} has Latin letters beside Cyrillic or Greek ones, which look alike; use one script.`,
  );
}

function codeProblem(field: string, message: string): Problem {
  return { field, reason: 'invalid_characters', message, code: 'INVALID_CUSTOM_CODE' };
}

/** Of a code with other characters than those of ASCII the operator's choice decides on the length (400). */
function lengthProblem(code: string, characters: CodeCharacters): Problem | undefined {
  const length = isBeyondAscii(code) ? codePointsIn(code) : shortestCode;
  const least = characters === 'unicode' ? 1 : shortestCode;
  if (length >= least && length <= longestCode) return undefined;
  const [reason, limit] =
    length < least
      ? (['too_short', `at least ${least}`] as const)
      : (['too_long', `at most ${longestCode}`] as const);
  const message = `customCode must be ${limit} characters.`;
  return { field: 'customCode', reason, message, code: 'VALIDATION_ERROR' };
}

/** What a client says of the code of a new link. */
export interface CodeWish {
  readonly customCode?: string | null | undefined;
  /** What the drawn code begins with. */
  readonly prefix?: string | null | undefined;
  /** How many symbols are drawn behind it. */
  readonly length?: number | null | undefined;
}

/** What is wrong with a wish beyond types and lengths. */
export function codeProblems(
  { customCode, prefix, length }: CodeWish,
  characters: CodeCharacters,
): Problem[] {
  const problems: (Problem | undefined)[] = [];
  if (typeof customCode === 'string') {
    problems.push(
      lengthProblem(customCode, characters) ?? customCodeProblem(customCode, 'customCode', characters),
    );
    for (const [field, value] of Object.entries({ prefix, length })) {
      if (value === null || value === undefined) continue;
      const message = `${field} is for a code that is drawn; leave it out, or leave out customCode.`;
      problems.push({ field, reason: 'not_allowed', message, code: 'VALIDATION_ERROR' });
    }
  } else if (typeof prefix === 'string') problems.push(customCodeProblem(prefix, 'prefix'));
  return problems.filter((problem) => problem !== undefined);
}

/** Draws one code of the given length, every symbol equally likely. Never derived from a counter or the URL. */
export function drawCode(length: number, randomBytes: RandomBytes): string {
  let code = '';
  while (code.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiased && code.length < length) code += alphabet[byte % alphabet.length];
    }
  }
  return code;
}
