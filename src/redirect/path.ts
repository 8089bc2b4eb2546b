/** What a request target asks for. */
export type Path =
  | { readonly kind: 'root' }
  | { readonly kind: 'elsewhere' }
  /** One segment: a short code, or any other text in its place. */
  | { readonly kind: 'code'; readonly code: string; readonly preview: boolean };

const root: Path = { kind: 'root' };
const elsewhere: Path = { kind: 'elsewhere' };

const slash = 0x2f;
const questionMark = 0x3f;
const hash = 0x23;
const percent = 0x25;
const plus = 0x2b;

/**
 * Reads a request target: the query is ignored, one trailing slash tolerated, `%` decoded, a `+` at the end asks for
 * the preview (CONTRACT §3, §6). A malformed encoding is a code that no link has. One pass, no regular expression.
 */
export function parsePath(target: string): Path {
  const start = target.charCodeAt(0) === slash ? 1 : startOfAbsolute(target);
  if (start === undefined) return elsewhere;
  let end = start;
  let encoded = false;
  for (; end < target.length; end += 1) {
    const character = target.charCodeAt(end);
    if (character === questionMark || character === hash) break;
    if (character === slash) {
      if (!endsAt(target, end + 1)) return elsewhere;
      break;
    }
    if (character === percent) encoded = true;
  }
  if (end === start) return target.charCodeAt(end) === slash ? elsewhere : root;
  const segment = encoded ? decode(target.slice(start, end)) : target.slice(start, end);
  const preview = segment.length > 1 && segment.charCodeAt(segment.length - 1) === plus;
  return { kind: 'code', code: preview ? segment.slice(0, -1) : segment, preview };
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

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '%';
  }
}

/** The query of a request target, without `?`. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : (target.slice(start + 1).split('#', 1)[0] ?? '');
}

const address = /^(?:https?:\/\/[^/?#]*)?(\/[\w%+-]*)\/?(\?[^#]*)?/i;

/** The path of a short code as it was asked for, and the query with `?`, both printable. */
export function addressIn(target: string): { readonly path: string; readonly query: string } {
  const [, path = '/', query = ''] = address.exec(target) ?? [];
  return { path, query: query.replace(/[^\x21-\x7e]+/g, encodeURIComponent) };
}

/** The name of a file below `/.well-known/` (RFC 8615); empty for any other request target. */
export function wellKnownIn(target: string): string {
  return /^(?:https?:\/\/[^/?#]*)?\/\.well-known\/([^?#]*)/i.exec(target)?.[1] ?? '';
}
