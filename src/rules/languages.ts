/** Maximum number of language ranges to read. Browsers send fewer. */
const maxRanges = 32;
const longestHeader = 512;

/**
 * If the destination's language is unknown, a rule's language is chosen only if its quality value (`q` in
 * `Accept-Language`) is at least this fraction of the highest quality value in the visitor's header.
 */
const preferredShare = 0.9;

interface Range {
  /** Language range in lower case. `*` stands for any language. */
  readonly tag: string;
  readonly quality: number;
}

/** A parsed `Accept-Language` header (RFC 9110 §12.5.4). */
interface Preferences {
  /** The accepted ranges, best first. `*` comes after named ranges of the same quality. */
  readonly ranges: readonly Range[];
  /** The quality of each named range. */
  readonly qualities: ReadonlyMap<string, number>;
  /** Primary tags of the visitor's most preferred languages. */
  readonly preferred: ReadonlySet<string>;
}

/** The last parsed header, cached because headers may be long and a visit may need the same header several times. */
let last: { readonly header: string; readonly preferences: Preferences } | undefined;

/** Parses `Accept-Language`. Ignores malformed ranges and never throws. */
function readPreferences(header: string): Preferences {
  if (last?.header === header) return last.preferences;
  const named = header
    .slice(0, longestHeader)
    .split(',', maxRanges)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';');
      return { tag: tag.trim().toLowerCase(), quality: qualityOf(parameters) };
    })
    .filter(({ tag }) => tag !== '');
  const ranges = named
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || Number(a.tag === '*') - Number(b.tag === '*'));
  const least = (ranges[0]?.quality ?? 0) * preferredShare - Number.EPSILON;
  const preferences = {
    ranges,
    qualities: new Map(named.map(({ tag, quality }) => [tag, quality])),
    preferred: new Set(ranges.filter(({ quality }) => quality >= least).map(({ tag }) => primaryOf(tag))),
  };
  last = { header, preferences };
  return preferences;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0;
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0] ?? '';
}

/**
 * Reasons why a language, or no language, was chosen. `rule`, `destination`: one of the visitor's ranges matches a
 * rule's language or the destination's. `any`: the visitor accepts any language, so the destination is used.
 * `less-preferred`: a rule matches, but the visitor prefers another language, which the destination may have.
 * `no-match`: no language matches.
 */
export const languageReasons = ['rule', 'destination', 'any', 'less-preferred', 'no-match'] as const;

/** The result of a negotiation. */
export interface LanguageChoice {
  /** The chosen language in lower case; undefined if no language was chosen. */
  readonly language?: string | undefined;
  /** The range in the visitor's `Accept-Language` that determined the result. */
  readonly range?: string | undefined;
  readonly reason: (typeof languageReasons)[number];
}

/** The languages that a rule offers. */
export interface LanguageOffer {
  /** Index of the rule, from 0 to 30. */
  readonly place: number;
  /** Language tags in lower case. */
  readonly tags: readonly string[];
}

/**
 * Chooses a language for a visitor.
 * @param header `Accept-Language`
 * @param open bit set of the participating rules, by index
 * @param own language of the default destination in lower case; undefined if unknown
 */
export type Negotiate = (header: string, open: number, own: string | undefined) => LanguageChoice;

/**
 * Creates the function that negotiates between the languages of rules and of the destination (RFC 4647 §3.4, lookup).
 * The range `de` also matches `de-at`. The function looks up the visitor's ranges in an index instead of iterating over
 * the offers, because there may be thousands of languages.
 */
export function createNegotiate(offers: readonly LanguageOffer[]): Negotiate {
  const index = indexOf(offers);

  return (header, open, own) => {
    const preferences = readPreferences(header);
    let reason: LanguageChoice['reason'] = 'no-match';
    for (const { tag } of preferences.ranges) {
      if (tag === '*') return { language: own, range: tag, reason: 'any' };
      const found = lookUp(index, tag, open, own);
      if (found === undefined || isRefused(found.language, preferences)) continue;
      if (own !== undefined || preferences.preferred.has(primaryOf(tag))) return { ...found, range: tag };
      reason = 'less-preferred';
    }
    return { reason };
  };
}

interface Index {
  /** For each language, the bit set of the rules that offer it. */
  readonly exact: ReadonlyMap<string, number>;
  /** For each wider tag (such as `de`), the first narrower language (such as `de-at`) of each rule. */
  readonly narrower: ReadonlyMap<string, readonly { readonly place: number; readonly tag: string }[]>;
}

function indexOf(offers: readonly LanguageOffer[]): Index {
  const exact = new Map<string, number>();
  const narrower = new Map<string, { place: number; tag: string }[]>();
  for (const { place, tags } of offers) {
    for (const tag of tags) {
      exact.set(tag, (exact.get(tag) ?? 0) | (1 << place));
      for (const wider of widerThan(tag)) {
        const known = narrower.get(wider);
        if (known === undefined) narrower.set(wider, [{ place, tag }]);
        else if (known.at(-1)?.place !== place) known.push({ place, tag });
      }
    }
  }
  return { exact, narrower };
}

type LanguageMatch = LanguageChoice & { readonly language: string };

function lookUp(
  { exact, narrower }: Index,
  range: string,
  open: number,
  own = '',
): LanguageMatch | undefined {
  const same = (tag: string): LanguageMatch | undefined =>
    ((exact.get(tag) ?? 0) & open) !== 0
      ? { language: tag, reason: 'rule' }
      : tag === own
        ? { language: tag, reason: 'destination' }
        : undefined;
  const found = same(range);
  if (found !== undefined) return found;
  if (own.startsWith(`${range}-`)) return { language: own, reason: 'destination' };
  const below = narrower.get(range)?.find(({ place }) => (open & (1 << place)) !== 0);
  if (below !== undefined) return { language: below.tag, reason: 'rule' };
  for (const wider of widerThan(range)) {
    const general = same(wider);
    if (general !== undefined) return general;
  }
  return undefined;
}

/** Returns true if the visitor's most specific range for a language has quality 0. */
function isRefused(language: string, { qualities }: Preferences): boolean {
  for (const tag of [language, ...widerThan(language)]) {
    const quality = qualities.get(tag);
    if (quality !== undefined) return quality === 0;
  }
  return false;
}

/** Yields the tags that are wider than a tag, narrowest first. For `zh-hant-tw`, yields `zh-hant`, then `zh`. */
export function* widerThan(tag: string): Generator<string, void, undefined> {
  for (let end = tag.lastIndexOf('-'); end > 0; end = tag.lastIndexOf('-', end - 1)) yield tag.slice(0, end);
}
