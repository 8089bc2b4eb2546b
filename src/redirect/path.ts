import { maxSegments } from '../model/links/codes/codes.ts';

/** What a request target asks for. */
export type Path = { readonly kind: 'root' } | { readonly kind: 'unmatched' } | CodePath;

/** A short code, or any other text in its place: in one segment, or in several. */
export interface CodePath {
  readonly kind: 'code' | 'segments';
  readonly code: string;
  readonly preview: boolean;
  /** The segments behind the code, decoded, where the link takes them. */
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
 * Reads a request target: the query is ignored, one trailing slash tolerated, `%` decoded, a `+` at the end asks for
 * the preview (CONTRACT §3, §6). `%2F` is `/`: some proxies and apps write one for the other. A malformed encoding is a code
 * that no link has. One pass, no regular expression.
 * @param segments how many a code may have
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

/** The path of a request target without its first slash, decoded as far as it can be. */
export function pathTextIn(target: string): string {
  const start = target.charCodeAt(0) === slash ? 1 : (startOfAbsolute(target) ?? target.length);
  const [text = ''] = target.slice(start).split(/[?#]/, 1);
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => decode(bytes));
}

/** The path of a request target as it was sent, without a slash at either end. */
export function rawPathIn(target: string): string {
  const start = target.charCodeAt(0) === slash ? 1 : (startOfAbsolute(target) ?? target.length);
  const [text = ''] = target.slice(start).split(/[?#]/, 1);
  return text.replace(/\/$/, '');
}

/** Returns true if a request target is nothing but slashes, and a query. */
export function isOnlySlashes(target: string): boolean {
  return /^\/+(?:[?#]|$)/.test(target);
}

/** Proxies send `GET http://host/path`. @returns where the path's first segment starts */
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

/** The query of a request target, without `?`. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : (target.slice(start + 1).split('#', 1)[0] ?? '');
}

// No empty segment and no backslash: a location that begins with two slashes would lead to another host.
const address = /^(?:https?:\/\/[^/?#]*)?(\/(?:[^\s/?#\\]+(?:\/[^\s/?#\\]+)*)?)\/?(?=[?#]|$)(\?[^#]*)?/i;

/** The path of a short code as it was asked for, and the query with `?`, both printable. */
export function addressIn(target: string): { readonly path: string; readonly query: string } {
  const [, path = '/', query = ''] = address.exec(target) ?? [];
  return { path: printableOf(path), query: printableOf(query) };
}

function printableOf(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** The path that a cookie for such an address can name: no `;`, which codes that are exact may have. */
export function cookiePathOf(path: string): string {
  const end = path.indexOf(';');
  return end === -1 ? path : path.slice(0, path.lastIndexOf('/', end)) || '/';
}

/** The name of a file below `/.well-known/` (RFC 8615); empty for any other request target. */
export function wellKnownIn(target: string): string {
  return /^(?:https?:\/\/[^/?#]*)?\/\.well-known\/([^?#]*)/i.exec(target)?.[1] ?? '';
}
