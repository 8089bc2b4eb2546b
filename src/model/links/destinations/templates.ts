import { type Problem, problem } from '../../failures.ts';
import { createDateFormatter } from './date-patterns.ts';
import {
  type Destination,
  type DestinationRules,
  hostProblem,
  isLonger,
  isProblem,
  localDomains,
  readDestination,
} from './destinations.ts';
import { forwardedPairs } from './forwarded-query.ts';

/** The values from a visit that replace placeholders in a template. */
export interface TemplateVisit {
  /** Code as it appears in the requested URL. */
  readonly code: string;
  /** Path segments after the code, decoded. */
  readonly rest: readonly string[];
  /** The short URL's query, without `?`. */
  readonly query: string;
  /** Returns the user name from a trusted proxy; an empty string if there is none. */
  readonly user: () => string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The link's time zone. */
  readonly zone: string;
}

/**
 * The URL for a visit, or the reason why there is no URL: a placeholder has no value, or its value is not allowed at
 * its position.
 */
export type Expanded =
  | { readonly location: string }
  | { readonly unfilled: string }
  | { readonly refused: true };

/** A compiled destination with placeholders. */
export interface Template {
  readonly expand: (visit: TemplateVisit) => Expanded;
  /** The template serialized for the link's `location`, with placeholders. */
  readonly text: string;
}

type Read = (visit: TemplateVisit) => string;
type UrlPart = 'host' | 'path' | 'query' | 'fragment';

interface Placeholder {
  /** Name as shown in messages, such as `{1}`. */
  readonly name: string;
  readonly read: Read;
  /** Default for a missing value; undefined if the placeholder has no default. */
  readonly fallback: string | undefined;
}

/** `opens` and `closes` delimit a part that is omitted when its placeholder has no value: `{path?channels/{path}}`. */
type Token = string | Placeholder | { readonly opens: Placeholder } | { readonly closes: true };
type Part =
  | string
  | (Placeholder & { readonly encode: (value: string) => string | undefined })
  | { readonly when: Placeholder; readonly parts: readonly Part[] };

const maxPlaceholders = 20;
const tokenShape = /\{\{|\}\}|\{([^{}|?]*)(\}|\?|\|[^{}]*\})|[{}]|[^{}]+/g;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// Matches dot segments. Browsers resolve dot segments, even encoded ones, and would then leave the path that the owner
// chose.
const dotSegment = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

class Fault extends Error {}

function readerOf(name: string): Read | undefined {
  if (/^[1-9]$/.test(name)) return ({ rest }) => rest[Number(name) - 1] ?? '';
  if (name === 'path') return ({ rest }) => rest.join('/');
  if (name === 'query' || name === 'code') return (visit) => visit[name];
  if (name === 'user') return ({ user }) => user();
  const [, date, parameter] = /^(?:date(?::(.+))?|query\.(.+))$/.exec(name) ?? [];
  if (parameter !== undefined) {
    const wanted = decodeURIComponent(parameter);
    return ({ query }) => new URLSearchParams(query).get(wanted) ?? '';
  }
  const write = /^date(?::|$)/.test(name) ? createDateFormatter(date ?? 'yyyy-MM-dd') : undefined;
  return write && (({ at, zone }) => write(at, zone));
}

/** Decodes a name or a default, which may be percent-encoded. @throws Fault */
function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Fault(`has a malformed "%" in {${name}}`);
  }
}

function placeholderOf(given: string, fallback?: string): Placeholder {
  const [, argument] = /^query\.(.+)$/.exec(given) ?? [];
  const name = argument === undefined ? given : `query.${encodeURIComponent(decoded(argument, given))}`;
  const read = readerOf(name);
  if (read === undefined) throw new Fault(`has the unknown placeholder {${name}}`);
  return { name: `{${name}}`, read, fallback: fallback === undefined ? undefined : decoded(fallback, name) };
}

/** Splits a template into tokens. @throws Fault for invalid syntax */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const shape = new RegExp(tokenShape);
  let isInside = false;
  for (let found = shape.exec(text); found !== null; found = shape.exec(text)) {
    const [all, name, end = ''] = found;
    if (isInside && all.startsWith('}')) {
      isInside = false;
      tokens.push({ closes: true });
      shape.lastIndex = found.index + 1;
    } else if (name === undefined) {
      if (all === '{' || all === '}')
        throw new Fault(`has a single "${all}"; write "${all}${all}" for a literal brace`);
      tokens.push(all === '{{' || all === '}}' ? all.slice(1) : all);
    } else if (end === '?') {
      if (isInside) throw new Fault(`has an optional part inside another one, at {${name}?`);
      isInside = true;
      tokens.push({ opens: placeholderOf(name) });
    } else tokens.push(placeholderOf(name, end === '}' ? undefined : end.slice(1, -1)));
  }
  if (isInside) throw new Fault('has an optional part that is not closed');
  if (tokens.filter((token) => typeof token !== 'string').length > maxPlaceholders)
    throw new Fault(`has more than ${maxPlaceholders} placeholders`);
  return tokens;
}

/**
 * Replaces each placeholder with a marker. The result is a plain URL, so the URL parser can locate the placeholders.
 */
function marked(text: string, tokens: readonly Token[]) {
  let mark = 'lf';
  while (text.toLowerCase().includes(mark)) mark += 'x';
  const url = tokens.map((token, at) => (typeof token === 'string' ? token : `${mark}${at}z`)).join('');
  return { url, marks: new RegExp(`${mark}(\\d+)z`) };
}

/** @throws Fault for a placeholder in the scheme, user info or port, where placeholders are not allowed */
function checkAuthority(url: string, marks: RegExp, tokens: readonly Token[]): void {
  const [, scheme = '', authority = ''] = /^([^/?#]*)\/?\/?([^/?#]*)/.exec(url) ?? [];
  const [user = ''] = authority.includes('@') ? authority.split('@') : [];
  for (const [where, part] of Object.entries({
    scheme,
    'user info': user,
    port: /:.*/.exec(authority)?.[0] ?? '',
  })) {
    const token = tokens[Number(marks.exec(part)?.[1])];
    if (token !== undefined) throw new Fault(`has ${nameOf(token)} in its ${where}`);
  }
}

function nameOf(token: Token): string {
  if (typeof token === 'string' || 'closes' in token) return 'a placeholder';
  return 'opens' in token ? `${token.opens.name.slice(0, -1)}?…}` : token.name;
}

/**
 * Matches public second-level domains. A placeholder directly below one (`{1}.co.uk`) could redirect to any stranger's
 * host.
 */
const publicSecondLevels =
  /^(?:ac|asn|co|com|edu|firm|gen|go|gob|gov|gv|id|ind|info|ltd|me|mil|ne|net|nic|nom|or|org|plc|sch|web)\.[a-z]{2}$/;
/** Top-level domains that cannot be registered (RFC 2606, RFC 6762). */
const reservedDomains = new Set([...localDomains, 'example', 'test', 'invalid']);

/**
 * Checks that a placeholder is below a registrable domain.
 * @param rest host after the placeholder's dot
 * @throws Fault
 */
function checkHost(name: string, rest: string): void {
  const isOpen = rest.includes('.') ? publicSecondLevels.test(rest) : !reservedDomains.has(rest);
  if (isOpen)
    throw new Fault(`has ${name} in the registrable domain of its host; only a label below it can vary`);
}

/**
 * Builds a template from the serialized URL and the placeholders.
 * @throws Fault when a placeholder is at an invalid position
 */
function build(tokens: readonly Token[], href: string, marks: RegExp): Template {
  const pieces = href.split(new RegExp(marks, 'g'));
  const marked = tokens.flatMap((token, at) =>
    typeof token === 'string' ? [] : [{ token, at: String(at) }],
  );
  if (pieces.length !== 2 * marked.length + 1 || marked.some(({ at }, n) => pieces[2 * n + 1] !== at))
    throw new Fault('has a placeholder in a place where none is allowed');
  const all: Part[] = [];
  let parts = all;
  let seen = '';
  let text = '';
  let opened: UrlPart | undefined;
  const add = (literal: string): void => {
    seen += literal;
    text += literal.replace(/[{}]/g, '$&$&');
    if (literal !== '') parts.push(literal);
  };
  add(pieces[0] ?? '');
  for (const [n, { token }] of marked.entries()) {
    const next = pieces[2 * n + 2] ?? '';
    const place = partAfter(seen);
    if (place === 'host') checkLabel(seen, token, next);
    if (typeof token === 'string') continue;
    if ('closes' in token) {
      parts = all;
      text += '}';
      if (place !== opened && (next !== '' || n < marked.length - 1))
        throw new Fault('has text after an optional part with "?" or "#"');
    } else if ('opens' in token) {
      opened = place;
      const inside: Part[] = [];
      parts.push({ when: token.opens, parts: inside });
      parts = inside;
      text += `${token.opens.name.slice(0, -1)}?`;
    } else {
      parts.push({ ...token, encode: encoderOf(token, place, seen) });
      text += sourceOf(token);
    }
    add(next);
  }
  return { text, expand: (visit) => expand(all, visit) };
}

function sourceOf({ name, fallback }: Placeholder): string {
  const inner = name.slice(1, -1);
  return fallback === undefined ? `{${inner}}` : `{${inner}|${encodeURIComponent(fallback)}}`;
}

/** Returns the URL part that continues after `seen`, the beginning of a serialized URL. */
function partAfter(seen: string): UrlPart {
  if (seen.includes('#')) return 'fragment';
  if (seen.includes('?')) return 'query';
  return seen.indexOf('/', 'https://'.length) === -1 ? 'host' : 'path';
}

/** @throws Fault unless the placeholder is the whole first label of the host */
function checkLabel(seen: string, token: Token, next: string): void {
  if (
    !/^https?:\/\/$/.test(seen) ||
    !/^\.[^:/]/.test(next) ||
    typeof token === 'string' ||
    !('name' in token)
  )
    throw new Fault(`has ${nameOf(token)} in its host, where only the first label can be a placeholder`);
  checkHost(token.name, /^\.([^:/]*)/.exec(next)?.[1] ?? '');
  if (token.fallback !== undefined && toHostLabel(token.fallback) === undefined)
    throw new Fault(`has a default for ${token.name} that is not a host label`);
}

function encoderOf(
  { name }: Placeholder,
  place: UrlPart,
  before: string,
): (value: string) => string | undefined {
  if (place === 'host') return toHostLabel;
  if (place === 'path' && name === '{path}') return encodePath;
  return place === 'query' && name === '{query}' && /[?&]$/.test(before) ? forwardedPairs : encodeValue;
}

/** Returns a host label, or undefined if invalid. Labels with "--" at position 3 are reserved for IDNA (RFC 5891). */
function toHostLabel(value: string): string | undefined {
  const lower = value.toLowerCase();
  return label.test(lower) && lower.slice(2, 4) !== '--' ? lower : undefined;
}

function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function encodePath(value: string): string {
  return value.includes('/') ? value.split('/').map(encodeValue).join('/') : encodeValue(value);
}

function expand(parts: readonly Part[], visit: TemplateVisit): Expanded {
  const location = written(parts, visit);
  if (typeof location !== 'string') return location;
  return dotSegment.test(location) ? { refused: true } : { location };
}

function written(
  parts: readonly Part[],
  visit: TemplateVisit,
): string | Exclude<Expanded, { location: string }> {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if ('when' in part) {
      if (part.when.read(visit) === '') continue;
      const inside = written(part.parts, visit);
      if (typeof inside !== 'string') return inside;
      text += inside;
    } else {
      const value = part.read(visit) || part.fallback;
      if (value === undefined) return { unfilled: part.name };
      const encoded = part.encode(value);
      if (encoded === undefined) return { refused: true };
      text += encoded;
    }
  }
  return text;
}

/** Splits a path into decoded segments. Returns undefined if a segment is malformed. */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Appends the rest of a visit's path to a destination.
 * @param location the destination's serialized URL
 * @param rest decoded path segments after the code
 */
export function appendPath(location: string, rest: readonly string[]): Expanded {
  if (rest.length === 0) return { location };
  const [, base = '', end = ''] = /^([^?#]*?)\/?([?#].*)?$/s.exec(location) ?? [];
  const appended = `${base}/${rest.map(encodeValue).join('/')}${end}`;
  return dotSegment.test(appended) ? { refused: true } : { location: appended };
}

/** Compiles a template. A template that was stored under older rules and is now invalid rejects every visit. */
export function compileTemplate(text: string): Template {
  try {
    const tokens = tokensOf(text);
    const { url, marks } = marked(text, tokens);
    return build(tokens, new URL(url).href, marks);
  } catch {
    return { text, expand: () => ({ refused: true }) };
  }
}

/** Parses a destination with placeholders, like {@link readDestination}. */
export function readTemplate(given: string, rules: DestinationRules): Destination | Problem {
  const text = given.trim();
  if (isLonger(text, rules.maxLength))
    return problem('url', 'too_long', `url must be at most ${rules.maxLength} characters.`);
  try {
    const tokens = tokensOf(text);
    const { url, marks } = marked(text, tokens);
    checkAuthority(url, marks, tokens);
    const read = readDestination(url, { ...rules, maxLength: Number.POSITIVE_INFINITY });
    if (isProblem(read)) return read;
    return { url: text, location: build(tokens, read.location, marks).text };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return problem('url', 'invalid_format', `url ${error.message}.`, 'INVALID_TEMPLATE');
  }
}

/** Serializes a stored destination for the `Location` header. */
export function serialized(url: string, isTemplate: boolean): string {
  return isTemplate ? compileTemplate(url).text : new URL(url).href;
}

/** Parses a destination, with placeholders if the link is a template. */
export function readTarget(
  text: string,
  rules: DestinationRules,
  isTemplate: boolean,
): Destination | Problem {
  return isTemplate ? readTemplate(text, rules) : readDestination(text, rules);
}

/**
 * Checks the length and host of the final URL for a visit. The host may vary by visit, or may have been blocked since
 * the link was created.
 */
export function expandedProblem(
  location: string,
  rules: DestinationRules,
): 'too-long' | 'refused' | undefined {
  if (location.length > rules.maxLength) return 'too-long';
  const [, hostname = '', port = '', pathname = ''] =
    /^https?:\/\/(\[[^\]]*\]|[^:/]*):?(\d*)([^?#]*)/.exec(location) ?? [];
  return hostProblem({ hostname, port, pathname }, rules) === undefined ? undefined : 'refused';
}
