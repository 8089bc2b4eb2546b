/**
 * Ways to merge a short URL's query into the destination: drop the query (`none`), add only parameters that the
 * destination lacks (`add`), or also replace existing parameters (`override`).
 */
export const forwardModes = ['none', 'add', 'override'] as const;
export type ForwardMode = (typeof forwardModes)[number];

/** Parameters that Linkfold consumes and does not forward. */
const ownParameters: ReadonlySet<string> = new Set(['trigger']);
/**
 * Maximum length of the `Location` header in bytes. Several popular clients reject responses whose headers exceed 16
 * KiB. Only URLs with mostly non-ASCII characters can become that long.
 */
export const longestLocation = 15 * 1024;
// Matches characters to encode. Parsers treat them differently, and browsers send some of them unencoded (brackets,
// braces, quotes).
const unsafe = /[^\w.~!$'()*+,;:@/?%=&-]+/g;
const strayPercent = /%(?![\da-f]{2})/gi;

/**
 * Merges the query of the visited short URL into a destination. Changes only the query, because the owner chooses the
 * scheme, host, path and fragment. Never throws. Returns the location unchanged if the result would be too long.
 * @param location printable ASCII
 * @param query query as the visitor sent it, without `?`
 */
export function forwardQuery(location: string, query: string, mode: ForwardMode): string {
  if (mode === 'none' || query === '') return location;
  const given = forwardedIn(query);
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

/** Returns the parameters to forward, encoded for the destination's query. */
export function forwardedPairs(query: string): string {
  return forwardedIn(query)
    .map(({ text }) => text)
    .join('&')
    .replaceAll("'", '%27');
}

function forwardedIn(query: string): Pair[] {
  return pairsOf(encodeQuery(query)).filter(({ name }) => !ownParameters.has(name));
}

interface Pair {
  /** The parameter's decoded name. */
  readonly name: string;
  /** Name and value, encoded as in the URL. */
  readonly text: string;
}

/** Percent-encodes characters that a URL must not contain, without changing the parameter values. */
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

/** Splits a string before the first occurrence of a delimiter. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
