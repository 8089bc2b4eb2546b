/**
 * What happens to the query of a short URL: it is dropped, adds what the destination lacks, or wins over what the
 * destination has.
 */
export const forwardModes = ['none', 'add', 'override'] as const;
export type ForwardMode = (typeof forwardModes)[number];

/** Parameters that speak to us, not to the destination. */
const ours: ReadonlySet<string> = new Set(['trigger']);
/** Several common clients refuse an answer whose headers exceed 16 KiB. */
const longestLocation = 15 * 1024;
// Everything but what all parsers read in the same way: browsers send brackets, braces and quotes as they are typed.
const unsafe = /[^\w.~!$'()*+,;:@/?%=&-]+/g;
const strayPercent = /%(?![\da-f]{2})/gi;

/**
 * The destination with the parameters of the short URL as it was visited. Only its query changes: scheme, host, path and
 * fragment are the owner's. Never throws; a query that would make the location too long is not forwarded.
 * @param location printable ASCII
 * @param query without `?`, as the visitor sent it
 */
export function forwardQuery(location: string, query: string, mode: ForwardMode): string {
  if (mode === 'none' || query === '') return location;
  const given = pairsOf(encodeQuery(query)).filter(({ name }) => !ours.has(name));
  if (given.length === 0) return location;
  const [address, fragment] = cut(location, '#');
  const [base, own] = cut(address, '?');
  const ownPairs = pairsOf(own.slice(1));
  const merged =
    mode === 'override'
      ? [...without(ownPairs, given), ...given]
      : [...ownPairs, ...without(given, ownPairs)];
  const forwarded = `${base}?${merged.map(({ text }) => text).join('&')}${fragment}`;
  return forwarded.length > longestLocation ? location : forwarded;
}

interface Pair {
  /** Decoded. */
  readonly name: string;
  /** As it stands in the URL. */
  readonly text: string;
}

/** Percent-encodes the characters that a URL does not hold as they are; the parameters stay the same. */
export function encodeQuery(query: string): string {
  return query.toWellFormed().replace(strayPercent, '%25').replace(unsafe, encodeURIComponent);
}

function pairsOf(query: string): Pair[] {
  const texts = query.split('&').filter((text) => text !== '');
  return texts.map((text) => ({ text, name: nameOf(text) }));
}

function nameOf(text: string): string {
  const name = text.split('=', 1)[0] ?? '';
  return /[%+]/.test(name) ? ([...new URLSearchParams(name).keys()][0] ?? '') : name;
}

function without(pairs: readonly Pair[], others: readonly Pair[]): Pair[] {
  const names = new Set(others.map(({ name }) => name));
  return pairs.filter(({ name }) => !names.has(name));
}

/** A text in two, the second part with the mark. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
