/** More ranges than any browser sends are not read. */
const maxRanges = 32;
const longestHeader = 512;

interface Range {
  readonly tag: string;
  readonly quality: number;
}

/** The ranges of an `Accept-Language` that the visitor accepts, the best first (RFC 9110 §12.5.4). Never throws. */
function readLanguages(header: string): readonly Range[] {
  const ranges: Range[] = [];
  for (const part of header.slice(0, longestHeader).split(',', maxRanges)) {
    const [tag = '', ...parameters] = part.split(';');
    const quality = qualityOf(parameters);
    if (tag.trim() !== '' && quality > 0) ranges.push({ tag: tag.trim().toLowerCase(), quality });
  }
  return ranges.sort((a, b) => b.quality - a.quality);
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0;
}

/** Only one: a header may be long, and links with rules are many. */
let last:
  | { readonly find: Negotiate; readonly header: string; readonly best: string | undefined }
  | undefined;

/** Returns the one of the offered languages that suits the visitor best, by the visitor's header; undefined when none does. */
export type Negotiate = (header: string) => string | undefined;

/**
 * Prepares the choice among offered languages: the visitor's best range that any of them meets. A range `de` meets the offer
 * `de-at`, and the range `de-at` the offer `de` when the visitor names nothing closer, as browsers send no more general
 * range for the reader of `de-AT` (RFC 4647 §3.4, lookup). Owners may offer thousands of languages and visitors may ask for
 * any, so a choice looks each range up and never goes through the offers; several conditions of a visit cost one choice.
 * @param offered in lower case, in the order of preference of the owner
 */
export function createNegotiate(offered: readonly string[]): Negotiate {
  const exact = new Set(offered);
  const narrower = narrowerOf(offered);

  const find = (header: string): string | undefined => {
    for (const { tag } of readLanguages(header)) {
      if (tag === '*') return offered[0];
      const best = exact.has(tag) ? tag : (narrower.get(tag) ?? widerOf(tag, exact));
      if (best !== undefined) return best;
    }
    return undefined;
  };
  return (header) => {
    if (last?.find !== find || last.header !== header) last = { find, header, best: find(header) };
    return last.best;
  };
}

/** The first offer below each range that is wider than one. */
function narrowerOf(offered: readonly string[]): ReadonlyMap<string, string> {
  const narrower = new Map<string, string>();
  for (const offer of offered) {
    for (const wider of widerThan(offer)) if (!narrower.has(wider)) narrower.set(wider, offer);
  }
  return narrower;
}

function widerOf(tag: string, exact: ReadonlySet<string>): string | undefined {
  for (const wider of widerThan(tag)) if (exact.has(wider)) return wider;
  return undefined;
}

/** Of `zh-hant-tw`: `zh-hant`, then `zh`. */
function* widerThan(tag: string): Generator<string, void, undefined> {
  for (let end = tag.lastIndexOf('-'); end > 0; end = tag.lastIndexOf('-', end - 1)) yield tag.slice(0, end);
}
