import { unescape as decode } from 'node:querystring';

/** How a visitor came to the short URL. The place in the list is stored with every click: append only. */
export const triggers = ['link', 'qr', 'preview'] as const;

/** What the query of a short URL says, as it was visited. Words are empty when nothing was said. */
export interface Campaign {
  /** A place in {@link triggers}. */
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

/** The parameter by which QR codes and the preview page say that the visitor comes from there: `?trigger=qr`. */
const triggerParameter = 'trigger';

/** Longer queries are cut. */
export const longestQuery = 2048;
/** Of a word, in code points. */
export const longestWord = 100;
/** A code point is at most four bytes of three characters each. */
const longestEncoded = 12 * longestWord;

/** @param query of the short URL, without `?`. Never throws; of a parameter that comes twice the first one counts. */
export function readCampaign(query: string): Campaign {
  if (query === '') return none;
  const found: { -readonly [Key in keyof Campaign]: Campaign[Key] } = { ...none };
  for (const pair of query.slice(0, longestQuery).split('&')) {
    const end = pair.indexOf('=');
    if (end === -1) continue;
    const name = pair.slice(0, end);
    const key = parameters.get(name);
    if (key !== undefined) found[key] ||= wordOf(pair.slice(end + 1));
    else if (name === triggerParameter) found.trigger ||= triggerOf(pair.slice(end + 1));
  }
  return found;
}

function triggerOf(value: string): number {
  return Math.max(0, (triggers as readonly string[]).indexOf(value));
}

function wordOf(encoded: string): string {
  return clean(decode(encoded.slice(0, longestEncoded).replaceAll('+', ' ')));
}

/** Without what cannot be seen or would reorder the text around it; cut to a hundred code points. */
function clean(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return visible.length <= longestWord ? visible : [...visible].slice(0, longestWord).join('').trim();
}
