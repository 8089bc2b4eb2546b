import type { OutboundAnswer } from '../outbound/outbound.ts';

const maxTitleLength = 255;
/** Maximum length of a title's source in characters. */
const maxSourceLength = 4_000;
/**
 * Elements whose content is skipped, because it is not part of the page's own markup. The title of an SVG, for example,
 * is not the page's title.
 */
const skipped = ['script', 'style', 'svg', 'math', 'template', 'noscript', 'textarea', 'iframe', 'xmp'];
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Extracts the title of an HTML page as one line of at most 255 characters.
 * @returns undefined for a page without a title, for other media types, and for unsupported encodings
 */
export async function titleIn({
  headers,
  body,
}: Pick<OutboundAnswer, 'headers' | 'body'>): Promise<string | undefined> {
  const type = headers['content-type'] ?? '';
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return undefined;
  const source = titleSource(decoded(body, /charset="?([\w:.-]{1,40})/i.exec(type)?.[1]));
  if (source === undefined || source.includes('\ufffd')) return undefined;
  const text = source.includes('&') ? (await import('entities/decode')).decodeHTML(source) : source;
  const line = text
    .toWellFormed()
    .replace(bidi, '')
    .replace(/[\s\p{Cc}\ufffd]+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, maxTitleLength).join('').trim() || undefined;
}

/**
 * Decodes a page. The encoding is given by the byte order mark, the charset in the header, or a `meta` element in the
 * first 1,024 bytes (HTML, 13.2.3.2). The default is UTF-8.
 */
function decoded(body: Uint8Array, ofHeader: string | undefined): string {
  const [first = 0, second = 0] = body;
  const utf16 =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  try {
    return new TextDecoder(utf16 ?? ofHeader ?? charsetOfMeta(body)).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function charsetOfMeta(body: Uint8Array): string {
  const head = Buffer.from(body.subarray(0, 1_024))
    .toString('latin1')
    .replace(/<!--.*?-->/gs, '');
  const charset = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(head)?.[1] ?? 'utf-8';
  // If the `meta` element can be read byte by byte, the page is not in UTF-16, whatever the element declares.
  return /^utf-?16/i.test(charset) ? 'utf-8' : charset;
}

/**
 * Returns the source of the title. It is found tag by tag, because a regular expression over the whole page could be
 * slow on a hostile page.
 */
function titleSource(text: string): string | undefined {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf('<'); at !== -1; at = lower.indexOf('<', at)) {
    if (lower.startsWith('<!--', at)) {
      at = after(lower, '-->', at + 2);
    } else {
      const [, name = ''] = /^<([a-z]+)(?=[\s/>])/.exec(lower.slice(at, at + 12)) ?? [];
      if (name === 'title') {
        const opened = after(lower, '>', at);
        const ends = lower.indexOf('</title', opened);
        return ends === -1 ? undefined : text.slice(opened, Math.min(ends, opened + maxSourceLength));
      }
      at = skipped.includes(name) ? after(lower, `</${name}`, after(lower, '>', at)) : at + 1;
    }
  }
  return undefined;
}

/** Returns the position after the next occurrence of a string, or the end of the text. */
function after(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found + part.length;
}
