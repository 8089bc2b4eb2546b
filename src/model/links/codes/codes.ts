import { drawSymbols } from '../../drawn-symbols.ts';
import { type Problem, problem } from '../../failures.ts';
import type { RandomBytes } from '../../ids.ts';
import {
  type CodeCharacters,
  codePointsIn,
  hasUnicodeShape,
  isBeyondAscii,
  mixesLookAlikes,
  mostUnits,
  unicodeKey,
} from './unicode-codes.ts';

/** No vowels, so no words; no look-alikes; one case, so that a printed code can be typed (CONTRACT §4). */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';

export const shortestCode = 3;
export const longestCode = 50;
/** Symbols of a generated code while the space is roomy: 28^8, about 38 bits. */
export const generatedCodeLength = 8;

/** The length of drawn codes. It grows when every code of a draw was in use, which happens only in a crowded space. */
export interface DrawnLength {
  now(): number;
  /** From here on codes are at least so long. */
  grow(to: number): void;
}

export function createDrawnLength(): DrawnLength {
  let length = generatedCodeLength;
  return {
    now: () => length,
    grow(to) {
      length = Math.max(length, to);
    },
  };
}

/** Symbols that a client may ask to be drawn: the fewest are 28^6, about 29 bits. */
export const fewestDrawn = 6;
export const mostDrawn = 32;
/** A prefix and the most symbols are a code of the greatest length. */
export const longestPrefix = longestCode - mostDrawn;

/** What a code of any length may be made of, or a segment of one. */
export const codeShape = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
/** The same of what drawn codes begin with: segments, and `/` behind the last one, where the operator allows them. */
export const prefixShape = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*\/?$/;

/** The limit of segments, with `/` between them, that the operator may let codes have. */
export const mostSegments = 5;

/** The operator's choices of what new codes may be. */
export interface CodeRules {
  readonly codeCharacters: CodeCharacters;
  /** How many segments a code may have. */
  readonly codeSegments: number;
}

/**
 * What a code is unique and found by, everywhere (decision 0084): the space of its domain, and the code, folded unless the codes of
 * the domain are exact.
 * @param space empty for the shared domain
 */
export function codeKey(space: string, code: string): string {
  if (space === '') return foldCode(code);
  return space + (isExact(space) ? code : foldCode(code));
}

/** The space of the domain that a key is of. */
export function spaceOf(key: string): string {
  return /^\d+[:=]/.exec(key)?.[0] ?? '';
}

/** Whether the codes of a domain are compared as they are. */
export function isExact(space: string): boolean {
  return space.endsWith('=');
}

/** The space of the domain with this number. */
export function spaceOfDomain(row: number, codes: 'folded' | 'exact'): string {
  return `${row}${codes === 'exact' ? '=' : ':'}`;
}

/** What comes behind every key of a space, in the order of keys. */
export function endOfSpace(space: string): string {
  return space.slice(0, -1) + String.fromCharCode(space.charCodeAt(space.length - 1) + 1);
}

/** The one form of a code that is not exact: `Sale` and `sale` never belong to two people. */
export function foldCode(code: string): string {
  for (let at = 0; at < code.length; at += 1) if (code.charCodeAt(at) > 0x7f) return unicodeKey(code);
  return code.toLowerCase();
}

/**
 * Whether a text could be a code at all, also one made while the operator allowed every script or more segments; anything
 * else needs no look-up. Part of every redirect: a loop.
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
  if (text.length > mostUnits) return false;
  const segments = text.split('/');
  return (
    segments.length <= mostSegments &&
    segments.every((segment) => codeShape.test(segment) || isUnicode(segment)) &&
    codePointsIn(text) <= longestCode
  );
}

function isUnicode(segment: string): boolean {
  return isBeyondAscii(segment) && hasUnicodeShape(segment);
}

/** How many segments a code has. */
export function segmentsIn(code: string): number {
  let count = 1;
  for (let at = code.indexOf('/'); at !== -1; at = code.indexOf('/', at + 1)) count += 1;
  return count;
}

/**
 * What visitors open, in ASCII.
 * @param origin of the shared domain, without a slash at the end
 * @param host of the domain; null or absent for the shared one
 */
export function shortUrlOf(origin: string, code: string, host?: string | null): string {
  return `${host == null ? origin : originAt(origin, host)}/${encodeURIComponent(code).replaceAll('%2F', '/')}`;
}

/** The origin of short URLs at a host: by the same scheme and port as at the installation's own. */
export function originAt(origin: string, host: string): string {
  return origin.replace(/(?<=^https?:\/\/)(?:\[[^\]]*\]|[^:/]+)/, host);
}

/** The limit of an exact code, characters. */
export const longestExactCode = 190;
const exactSegment = /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cs}?#%\\/]+$/u;

/** Whether a text could be a code of a domain whose codes are exact (CONTRACT §10). */
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
 * Words a custom code may not be, nor have as its first segment: the real mounts of the server (`test/acceptance` holds the
 * list against them), paths that it may need later, and words by which a link could pose as one of the service. A link that had
 * its code before the word was reserved keeps it.
 */
export const reservedCodes: ReadonlySet<string> = new Set(reservedWords.trim().split(/\s+/));

/** Files of every host, whose names only exact codes could have. */
const files: ReadonlySet<string> = new Set(['.well-known', 'robots.txt', 'favicon.ico']);

/** What the server itself answers at every host. */
const answered: ReadonlySet<string> = new Set([
  ...['api', 'dashboard', 'healthz', 'readyz', 'metrics', 'tls-check'],
  ...files,
]);

/**
 * Paths of other services' interfaces, which an operator may switch on at any time (decision 0091). The first segment alone is
 * a code like any other.
 */
const interfaces = /^(?:(?:rest|v4)\/|yourls-api\.php$)/i;

/**
 * Returns true if no link of a domain may have the code. An account's own domain reserves only paths that the server answers there,
 * so that no link could be reached by them; the shared domain also reserves {@link reservedCodes}.
 * Words are reserved with hyphens and underscores too: `sign-in` as `signin`.
 * @param space of the domain; empty for the shared one
 */
export function isReserved(code: string, space = ''): boolean {
  const first = foldCode(firstSegment(code));
  const isWord = reservedCodes.has(first) || reservedCodes.has(first.replace(/[-_]/g, ''));
  return answered.has(first) || interfaces.test(code) || (space === '' && isWord);
}

/** The part of a code that pages of the service would share with it. */
export function firstSegment(code: string): string {
  const end = code.indexOf('/');
  return end === -1 ? code : code.slice(0, end);
}

const plainRules: CodeRules = { codeCharacters: 'ascii', codeSegments: 1 };

/** Checks the characters of a custom code (422). Its length is checked with the shape of the body (400). */
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
      `${field} has ${segments.length} segments, with "/" between them; it may have ${codeSegments} at most.`,
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
          'letters and digits of any script, emoji, "-" and "_", nothing invisible',
          'starts with neither "-" nor "_".',
        ]
      : ['letters, digits, "-" and "_"', 'starts with a letter or digit.'];
  return codeSegments === 1
    ? `may hold ${held}, and ${start}`
    : `may have up to ${codeSegments} segments with one "/" between them; each may hold ${held}, and ${start}`;
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

/** The length of a code (400); of one with other characters than those of ASCII the operator's choice decides. */
function lengthProblem(code: string, characters: CodeCharacters): Problem | undefined {
  const length = codePointsIn(code);
  const least = characters === 'unicode' && isBeyondAscii(code) ? 1 : shortestCode;
  if (length >= least && length <= longestCode) return undefined;
  return codeLengthProblem(length, least, longestCode);
}

/** The refusal of a custom code that is too short or too long. */
export function codeLengthProblem(length: number, least: number, most: number): Problem {
  const message = `customCode must be ${least} to ${most} characters.`;
  return problem('customCode', length < least ? 'too_short' : 'too_long', message);
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
export function codeProblems({ customCode, prefix, length }: CodeWish, rules: CodeRules): Problem[] {
  const problems: (Problem | undefined)[] = [];
  if (typeof customCode === 'string') {
    problems.push(
      lengthProblem(customCode, rules.codeCharacters) ?? customCodeProblem(customCode, 'customCode', rules),
    );
    for (const [field, value] of Object.entries({ prefix, length })) {
      if (value === null || value === undefined) continue;
      const message = `${field} is for a code that is drawn; leave it out, or leave out customCode.`;
      problems.push({ field, reason: 'not_allowed', message, code: 'VALIDATION_ERROR' });
    }
  } else if (typeof prefix === 'string') {
    // The drawn symbols may be a segment of their own.
    const begun = prefix.endsWith('/') ? `${prefix}2` : prefix;
    problems.push(customCodeProblem(begun, 'prefix', { ...rules, codeCharacters: 'ascii' }));
  }
  return problems.filter((problem) => problem !== undefined);
}

/** Draws one code of the given length, every symbol equally likely. Never derived from a counter or the URL. */
export function drawCode(length: number, randomBytes: RandomBytes): string {
  return drawSymbols(length, randomBytes, alphabet);
}
