/** More ranges than any browser sends are not read. */
const maxRanges = 32;
const longestHeader = 512;

interface Range {
  readonly tag: string;
  readonly quality: number;
}

/** The ranges of an `Accept-Language` that the visitor accepts, the best first (RFC 9110 §12.5.4). Never throws. */
export function readLanguages(header: string): readonly Range[] {
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

/**
 * The one of the offered languages that suits the visitor best: the visitor's best range that any of them meets. A range
 * `de` meets the offer `de-at`, and the range `de-at` the offer `de` when the visitor names nothing closer, as browsers
 * send no more general range for the reader of `de-AT` (RFC 4647 §3.4, lookup).
 * @param offered in lower case, in the order of preference of the owner
 */
export function negotiate(header: string, offered: readonly string[]): string | undefined {
  for (const { tag } of readLanguages(header)) {
    if (tag === '*') return offered[0];
    const exact =
      offered.find((offer) => offer === tag) ?? offered.find((offer) => offer.startsWith(`${tag}-`));
    if (exact !== undefined) return exact;
    for (let end = tag.lastIndexOf('-'); end > 0; end = tag.lastIndexOf('-', end - 1)) {
      const wider = tag.slice(0, end);
      if (offered.includes(wider)) return wider;
    }
  }
  return undefined;
}
