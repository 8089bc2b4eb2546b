import { type Problem, problem } from '../../failures.ts';
import type { RandomBytes } from '../../ids.ts';
import { randomSymbols } from '../../random-symbols.ts';
import {
  type CodeCharacters,
  codePointsIn,
  hasUnicodeShape,
  isBeyondAscii,
  maxCodeUnits,
  mixesLookAlikes,
  unicodeKey,
} from './unicode-codes.ts';

/**
 * Symbols in generated codes: no vowels, to avoid words; no look-alikes; no upper case, to ease typing (CONTRACT §4).
 */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';

export const shortestCode = 3;
export const longestCode = 50;
/** Length of a generated code while the code space is sparse: 28^8 possible codes, about 38 bits. */
export const generatedCodeLength = 8;

/**
 * Length of generated codes. It grows when all candidates for a code are taken, which means that the space is crowded.
 */
export interface GeneratedCodeLength {
  now(): number;
  /** Sets the minimum length of new codes. */
  grow(to: number): void;
}

export function createGeneratedCodeLength(): GeneratedCodeLength {
  let length = generatedCodeLength;
  return {
    now: () => length,
    grow(to) {
      length = Math.max(length, to);
    },
  };
}

/** Minimum code length that a client may request: 28^6 possible codes, about 29 bits. */
export const minGeneratedLength = 6;
export const maxGeneratedLength = 32;
/** Maximum length of a prefix, which leaves space for the longest generated part. */
export const longestPrefix = longestCode - maxGeneratedLength;

/** Matches an ASCII code or one of its segments, regardless of length. */
export const codeShape = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
/** Matches a prefix: one or more segments, optionally with a trailing `/`. */
export const prefixShape = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*\/?$/;

/** Upper limit of `CODE_SEGMENTS`: the number of `/`-separated segments in a code. */
export const maxSegments = 5;

/** The operator's settings for new codes. */
export interface CodeRules {
  readonly codeCharacters: CodeCharacters;
  /** Maximum number of `/`-separated segments in a code. */
  readonly codeSegments: number;
}

/**
 * Returns a code's unique key (docs/decisions/codes-and-domains.md): its domain's space, followed by the code. The code
 * is lowercased unless the domain is case-sensitive.
 * @param space empty for the shared domain
 */
export function codeKey(space: string, code: string): string {
  if (space === '') return foldCode(code);
  return space + (isExact(space) ? code : foldCode(code));
}

/** Returns the space of a key's domain. */
export function spaceOf(key: string): string {
  return /^\d+[:=]/.exec(key)?.[0] ?? '';
}

/** Returns true if codes on a domain are case-sensitive. */
export function isExact(space: string): boolean {
  return space.endsWith('=');
}

/** Returns the space of the domain with this row number. */
export function spaceOfDomain(row: number, codes: 'folded' | 'exact'): string {
  return `${row}${codes === 'exact' ? '=' : ':'}`;
}

/** Returns the exclusive upper bound of all keys in a space. */
export function endOfSpace(space: string): string {
  return space.slice(0, -1) + String.fromCharCode(space.charCodeAt(space.length - 1) + 1);
}

/** Folds a case-insensitive code: `Sale` and `sale` are the same code. */
export function foldCode(code: string): string {
  for (let at = 0; at < code.length; at += 1) if (code.charCodeAt(at) > 0x7f) return unicodeKey(code);
  return code.toLowerCase();
}

/**
 * Returns true if a string could be a code, including codes that earlier settings allowed (all scripts, more segments).
 * Other strings do not have to be looked up. Uses a loop for speed, because every redirect calls this function.
 */
export function couldBeCode(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > longestCode || !isAlphanumeric(text.charCodeAt(0)))
    return couldBeSpecial(text);
  for (let at = 1; at < length; at += 1) {
    const character = text.charCodeAt(at);
    if (!isAlphanumeric(character) && character !== 0x2d && character !== 0x5f) return couldBeSpecial(text);
  }
  return true;
}

function couldBeSpecial(text: string): boolean {
  if (text.length > maxCodeUnits) return false;
  const segments = text.split('/');
  return (
    segments.length <= maxSegments &&
    segments.every((segment) => codeShape.test(segment) || isUnicode(segment)) &&
    codePointsIn(text) <= longestCode
  );
}

function isUnicode(segment: string): boolean {
  return isBeyondAscii(segment) && hasUnicodeShape(segment);
}

/** Returns the number of segments in a code. */
export function segmentsIn(code: string): number {
  let count = 1;
  for (let at = code.indexOf('/'); at !== -1; at = code.indexOf('/', at + 1)) count += 1;
  return count;
}

/**
 * Returns the short URL in ASCII.
 * @param origin base URL of the shared domain, without a trailing slash
 * @param host host of the link's domain; null or undefined for the shared domain
 */
export function shortUrlOf(origin: string, code: string, host?: string | null): string {
  return `${host == null ? origin : originAt(origin, host)}/${encodeURIComponent(code).replaceAll('%2F', '/')}`;
}

/**
 * Returns the origin of short URLs on a custom domain: its host with the scheme and port of the shared domain's base
 * URL.
 */
export function originAt(origin: string, host: string): string {
  return origin.replace(
    /^(https?:\/\/)(?:\[[^\]]*\]|[^:/]+)(:\d+)?.*$/,
    (_, scheme, port = '') => scheme + host + port,
  );
}

/** Maximum length of a case-sensitive code, in characters. */
export const longestExactCode = 190;
const exactSegment = /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cs}?#%\\/]+$/u;

/** Returns true if a string could be a code on a case-sensitive domain (CONTRACT §10). */
export function couldBeExactCode(text: string): boolean {
  return (
    text.length <= 2 * longestExactCode &&
    codePointsIn(text) <= longestExactCode &&
    text.split('/').every((segment) => exactSegment.test(segment))
  );
}

function isAlphanumeric(character: number): boolean {
  const lower = character | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (character >= 0x30 && character <= 0x39);
}

const reservedWords = `
  api docs dashboard healthz readyz metrics assets static favicon robots about abuse account accounts admin
  administrator app auth billing contact help home index info legal linkfold login logout mail oauth official password
  pay payment preview privacy register report reset root secure security settings signin signout signup sso status
  support system terms unsubscribe user users verify webhook webhooks www analytics callback console domains embed
  events export folders graphql import invite links manifest mcp oidc openapi qrcode saml scim search session sessions
  setup share shared sitemap statistics stats swagger tags teams tls-check
  2fa adminer cgibin invitation invitations join logoff logon mfa otp passkey passkeys passwords phpmyadmin recover
  recovery signon unlock wpadmin wpcontent wpincludes wpjson wplogin xmlrpc
`;

/**
 * Words that a custom code, or its first segment, must not equal: server routes (`test/acceptance` verifies the list),
 * paths reserved for the future, and words that a link could use to impersonate the service. Links created before a
 * word was reserved are unaffected.
 */
export const reservedCodes: ReadonlySet<string> = new Set(reservedWords.trim().split(/\s+/));

/** Names of well-known files. Only case-sensitive codes could equal these names, because other codes have no dots. */
const wellKnownFiles: ReadonlySet<string> = new Set(['.well-known', 'robots.txt', 'favicon.ico']);

/** First path segments that the server handles on every host. */
const serverPaths: ReadonlySet<string> = new Set([
  ...['api', 'dashboard', 'healthz', 'readyz', 'metrics', 'tls-check'],
  ...wellKnownFiles,
]);

/**
 * Matches API paths of other link shorteners. The operator may enable compatible APIs at any time
 * (docs/decisions/api.md). `rest` and `v4` on their own are not reserved.
 */
const compatiblePaths = /^(?:(?:rest|v4)\/|yourls-api\.php$)/i;

/**
 * Returns true if a code is reserved on a domain. A custom domain reserves only paths that the server handles itself,
 * because a link with such a code would be unreachable. The shared domain also reserves {@link reservedCodes}. Hyphens
 * and underscores in reserved words are ignored: `sign-in` is reserved like `signin`.
 * @param space the domain's space; empty for the shared domain
 */
export function isReserved(code: string, space = ''): boolean {
  const first = foldCode(firstSegment(code));
  const isWord = reservedCodes.has(first) || reservedCodes.has(first.replace(/[-_]/g, ''));
  return serverPaths.has(first) || compatiblePaths.test(code) || (space === '' && isWord);
}

/** Returns a code's first segment, which could collide with a server path. */
export function firstSegment(code: string): string {
  const end = code.indexOf('/');
  return end === -1 ? code : code.slice(0, end);
}

const plainRules: CodeRules = { codeCharacters: 'ascii', codeSegments: 1 };

/** Returns the validation error (422) for a custom code's characters. `lengthProblem` checks its length (400). */
export function customCodeProblem(
  code: string,
  field = 'customCode',
  rules: CodeRules = plainRules,
): Problem | undefined {
  if (codeShape.test(code)) return undefined;
  const { codeCharacters, codeSegments } = rules;
  const segments = codeSegments === 1 ? [code] : code.split('/');
  if (segments.length > codeSegments)
    return codeProblem(
      field,
      `${field} has ${segments.length} segments separated by "/"; the maximum is ${codeSegments}.`,
    );
  const faults = segments.map((segment) => segmentFault(segment, codeCharacters));
  if (faults.includes('characters')) return codeProblem(field, `${field} ${allowedBy(rules)}`);
  return faults.includes('look-alikes') ? lookAlikes(field) : undefined;
}

function segmentFault(segment: string, characters: CodeCharacters): 'characters' | 'look-alikes' | undefined {
  if (codeShape.test(segment)) return undefined;
  if (characters === 'ascii' || !isBeyondAscii(segment.normalize('NFC')) || !hasUnicodeShape(segment))
    return 'characters';
  return mixesLookAlikes(segment) ? 'look-alikes' : undefined;
}

function allowedBy({ codeCharacters, codeSegments }: CodeRules): string {
  const [held, start] =
    codeCharacters === 'unicode'
      ? [
          'letters and digits of any script, emoji, "-" and "_", without invisible characters',
          'must not start with "-" or "_".',
        ]
      : ['letters, digits, "-" and "_"', 'must start with a letter or digit.'];
  return codeSegments === 1
    ? `must contain only ${held}, and ${start}`
    : `can have up to ${codeSegments} segments separated by "/"; each must contain only ${held}, and ${start}`;
}

function lookAlikes(field: string): Problem {
  return codeProblem(
    field,
    `${field} mixes Latin letters with Cyrillic or Greek ones that look alike. Use one script.`,
  );
}

function codeProblem(field: string, message: string): Problem {
  return { field, reason: 'invalid_characters', message, code: 'INVALID_CUSTOM_CODE' };
}

/** Returns the validation error (400) for a code's length. If Unicode is allowed, non-ASCII codes may be shorter. */
function lengthProblem(code: string, characters: CodeCharacters): Problem | undefined {
  const length = codePointsIn(code);
  const least = characters === 'unicode' && isBeyondAscii(code) ? 1 : shortestCode;
  if (length >= least && length <= longestCode) return undefined;
  return codeLengthProblem(length, least, longestCode);
}

/** Returns the validation error for a custom code that is too short or too long. */
export function codeLengthProblem(length: number, least: number, most: number): Problem {
  const message = `customCode must be ${least}–${most} characters.`;
  return problem('customCode', length < least ? 'too_short' : 'too_long', message);
}

/** The code that a client requests for a new link. */
export interface CodeRequest {
  readonly customCode?: string | null | undefined;
  /** Prefix for a generated code. */
  readonly prefix?: string | null | undefined;
  /** Length of the generated part. */
  readonly length?: number | null | undefined;
}

/** Returns the validation errors for a requested code that schema validation does not catch. */
export function codeProblems({ customCode, prefix, length }: CodeRequest, rules: CodeRules): Problem[] {
  const problems: (Problem | undefined)[] = [];
  if (typeof customCode === 'string') {
    problems.push(
      lengthProblem(customCode, rules.codeCharacters) ?? customCodeProblem(customCode, 'customCode', rules),
    );
    for (const [field, value] of Object.entries({ prefix, length })) {
      if (value === null || value === undefined) continue;
      const message = `${field} is for generated codes. Leave out ${field} or customCode.`;
      problems.push(problem(field, 'not_allowed', message));
    }
  } else if (typeof prefix === 'string') {
    // After a trailing `/`, the generated part is a separate segment. "2" stands for that segment.
    const begun = prefix.endsWith('/') ? `${prefix}2` : prefix;
    problems.push(customCodeProblem(begun, 'prefix', { ...rules, codeCharacters: 'ascii' }));
  }
  return problems.filter((problem) => problem !== undefined);
}

/** Generates a random code, uniformly distributed. The code is never derived from a counter or the URL. */
export function generateCode(length: number, randomBytes: RandomBytes): string {
  return randomSymbols(length, randomBytes, alphabet);
}
