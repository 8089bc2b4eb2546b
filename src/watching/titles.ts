import type { OutboundAnswer } from '../outbound/outbound.ts';

const longestTitle = 255;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
};

/** The title of a page, as one line of at most 255 characters; undefined where it has none, or is no page. */
export function titleIn({ headers, body }: Pick<OutboundAnswer, 'headers' | 'body'>): string | undefined {
  const type = headers['content-type'] ?? '';
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return undefined;
  const text = decoded(body, /charset="?([\w:.-]{1,40})/i.exec(type)?.[1]);
  // No pattern over the whole page: a hostile one could make that take long.
  const lower = text.toLowerCase();
  const begins = lower.indexOf('<title');
  const opened = begins === -1 ? -1 : text.indexOf('>', begins);
  const ends = opened === -1 ? -1 : lower.indexOf('</title', opened);
  if (ends === -1) return undefined;
  const plain = text
    .slice(opened + 1, Math.min(ends, opened + 4_000))
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) =>
      characterOf(name.toLowerCase(), whole),
    );
  const line = plain
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, longestTitle).join('').trim() || undefined;
}

function decoded(body: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function characterOf(name: string, whole: string): string {
  if (!name.startsWith('#')) return named[name] ?? whole;
  const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
