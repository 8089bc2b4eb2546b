import { unescape as decode } from 'node:querystring';

/** How a visitor opened the short URL. The index is stored with every click: append only. */
export const triggers = ['link', 'qr', 'preview'] as const;

/** Campaign parameters in the query of a visited short URL. Missing parameters are empty. */
export interface Campaign {
  /** An index into {@link triggers}. */
  readonly trigger: number;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly utmTerm: string;
  readonly utmContent: string;
}

const none: Campaign = {
  trigger: 0,
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmTerm: '',
  utmContent: '',
};

const parameters: ReadonlyMap<string, Exclude<keyof Campaign, 'trigger'>> = new Map([
  ['utm_source', 'utmSource'],
  ['utm_medium', 'utmMedium'],
  ['utm_campaign', 'utmCampaign'],
  ['utm_term', 'utmTerm'],
  ['utm_content', 'utmContent'],
]);

/** The parameter that QR codes and the preview page add to their links: `?trigger=qr`. */
const triggerParameter = 'trigger';

/** Maximum length of a query; the rest is ignored. */
export const maxQueryLength = 2048;
/** Maximum length of a campaign word (a parameter value), in code points. */
export const maxWordLength = 100;
/**
 * Maximum length of a percent-encoded word. A code point has up to four bytes, each encoded as three characters
 * (`%41`).
 */
const maxEncodedLength = 12 * maxWordLength;

/**
 * Parses campaign parameters. If a parameter is repeated, its first valid value is used. Never throws.
 * @param query the query of the short URL, without `?`
 */
export function readCampaign(query: string): Campaign {
  if (query === '') return none;
  const found: { -readonly [Key in keyof Campaign]: Campaign[Key] } = { ...none };
  for (const pair of query.slice(0, maxQueryLength).split('&')) {
    const end = pair.indexOf('=');
    if (end === -1) continue;
    const name = pair.slice(0, end);
    const key = parameters.get(name);
    if (key !== undefined) found[key] ||= decodeWord(pair.slice(end + 1));
    else if (name === triggerParameter) found.trigger ||= triggerIndex(pair.slice(end + 1));
  }
  return found;
}

function triggerIndex(value: string): number {
  return Math.max(0, (triggers as readonly string[]).indexOf(value));
}

function decodeWord(encoded: string): string {
  return clean(decode(encoded.slice(0, maxEncodedLength).replaceAll('+', ' ')));
}

/**
 * Removes characters that are invisible or would reorder the surrounding text, and truncates the rest to 100 code
 * points.
 */
function clean(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return visible.length <= maxWordLength ? visible : [...visible].slice(0, maxWordLength).join('').trim();
}
