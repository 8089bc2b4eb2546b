import { maxSegments } from '../model/links/codes/codes.ts';

/** Parsed request target. */
export type Path = { readonly kind: 'root' } | { readonly kind: 'unmatched' } | CodePath;

/** A path that may be a short code. The kind is `code` for one segment, and `segments` for several. */
export interface CodePath {
  readonly kind: 'code' | 'segments';
  readonly code: string;
  readonly preview: boolean;
  /** The decoded segments after the code, if the link accepts a remainder. */
  readonly rest?: readonly string[];
}

const root: Path = { kind: 'root' };
const unmatched: Path = { kind: 'unmatched' };

const slash = 0x2f;
const questionMark = 0x3f;
const hash = 0x23;
const percent = 0x25;
const plus = 0x2b;

/**
 * Parses a request target: ignores the query, accepts one trailing slash, decodes percent-encoding, and treats a `+` at
 * the end as a request for the preview (CONTRACT §3, §6). `%2F` equals `/`, because some proxies and apps replace one
 * with the other. For malformed percent-encoding, returns a code that no link can have. For speed, the function scans
 * the target only once, without a regular expression.
 * @param segments maximum number of segments in a code
 */
export function parsePath(target: string, segments = maxSegments): Path {
  const start = target.charCodeAt(0) === slash ? 1 : startOfAbsolute(target);
  if (start === undefined) return unmatched;
  let end = start;
  let slashes = 0;
  let encoded = false;
  for (; end < target.length; end += 1) {
    const character = target.charCodeAt(end);
    if (character === questionMark || character === hash) break;
    if (character === slash) {
      if (endsAt(target, end + 1)) break;
      slashes += 1;
      if (slashes === segments) return unmatched;
    }
    if (character === percent) encoded = true;
  }
  if (end === start) return target.charCodeAt(end) === slash ? unmatched : root;
  const text = encoded ? decode(target.slice(start, end)) : target.slice(start, end);
  const preview = text.length > 1 && text.charCodeAt(text.length - 1) === plus;
  const code = preview ? text.slice(0, -1) : text;
  return { kind: slashes === 0 ? 'code' : 'segments', code, preview };
}

/** Returns the path of a request target without the leading slash, decoded as far as possible. */
export function pathTextIn(target: string): string {
  const start = target.charCodeAt(0) === slash ? 1 : (startOfAbsolute(target) ?? target.length);
  const [text = ''] = target.slice(start).split(/[?#]/, 1);
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => decode(bytes));
}

/** Returns the undecoded path of a request target, without leading and trailing slashes. */
export function rawPathIn(target: string): string {
  const start = target.charCodeAt(0) === slash ? 1 : (startOfAbsolute(target) ?? target.length);
  const [text = ''] = target.slice(start).split(/[?#]/, 1);
  return text.replace(/\/$/, '');
}

/** Returns true if the path of a request target consists of slashes only. */
export function isOnlySlashes(target: string): boolean {
  return /^\/+(?:[?#]|$)/.test(target);
}

/**
 * Parses a target in absolute form (`GET http://host/path`), which proxies may send.
 * @returns the start of the path's first segment; undefined for any other form
 */
function startOfAbsolute(target: string): number | undefined {
  const scheme = target.indexOf('://');
  if (scheme !== 4 && scheme !== 5) return undefined;
  if (!/^https?$/i.test(target.slice(0, scheme))) return undefined;
  for (let at = scheme + 3; at < target.length; at += 1) {
    const character = target.charCodeAt(at);
    if (character === slash) return at + 1;
    if (character === questionMark || character === hash) return at;
  }
  return target.length;
}

function endsAt(target: string, at: number): boolean {
  return at === target.length || target.charCodeAt(at) === questionMark || target.charCodeAt(at) === hash;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '%';
  }
}

/** Returns the query of a request target, without `?`. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : (target.slice(start + 1).split('#', 1)[0] ?? '');
}

// Does not match empty segments or backslashes, because browsers would resolve `//name` or `/\name` to another host.
const address = /^(?:https?:\/\/[^/?#]*)?(\/(?:[^\s/?#\\]+(?:\/[^\s/?#\\]+)*)?)\/?(?=[?#]|$)(\?[^#]*)?/i;

/** Returns the requested path and the query (with `?`) of a short URL, both in printable ASCII. */
export function addressIn(target: string): { readonly path: string; readonly query: string } {
  const [, path = '/', query = ''] = address.exec(target) ?? [];
  return { path: printableOf(path), query: printableOf(query) };
}

function printableOf(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** Returns the cookie `Path` for a link: the parent path if the code contains `;`, which would end the attribute. */
export function cookiePathOf(path: string): string {
  const end = path.indexOf(';');
  return end === -1 ? path : path.slice(0, path.lastIndexOf('/', end)) || '/';
}

/** Returns the name of a file below `/.well-known/` (RFC 8615); empty for any other request target. */
export function wellKnownIn(target: string): string {
  return /^(?:https?:\/\/[^/?#]*)?\/\.well-known\/([^?#]*)/i.exec(target)?.[1] ?? '';
}
