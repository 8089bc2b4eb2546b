/** The parameters that say where visitors came from. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmName = (typeof utmNames)[number];
export type Utm = Readonly<Record<UtmName, string>>;

export const noUtm: Utm = { source: '', medium: '', campaign: '', term: '', content: '' };

/** One spelling for all: lower case, no spaces at the ends, underscores between words. */
export function tidy(name: UtmName, value: string): string {
  const text = value.trim().toLowerCase();
  return name === 'term' ? text : text.replaceAll(/\s+/g, '_');
}

/** Takes the UTM parameters out of an address. Everything else of it stays as it was written. */
export function splitUtm(url: string): { readonly url: string; readonly utm: Utm } {
  const [, before = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const utm: Record<UtmName, string> = { ...noUtm };
  const left = search
    .slice(1)
    .split('&')
    .filter((pair) => {
      const [, name, value = ''] = /^utm_(source|medium|campaign|term|content)=(.*)$/i.exec(pair) ?? [];
      if (name === undefined) return pair !== '';
      utm[name.toLowerCase() as UtmName] = decode(value);
      return false;
    });
  return { url: before + (left.length > 0 ? `?${left.join('&')}` : '') + hash, utm };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

/** What is added to an address: `?utm_source=newsletter&utm_medium=email`; empty for nothing. */
export function utmText(utm: Utm, hasQuery: boolean): string {
  const pairs = utmNames.flatMap((name) => {
    const value = tidy(name, utm[name]);
    return value === '' ? [] : [`utm_${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`];
  });
  return pairs.length === 0 ? '' : (hasQuery ? '&' : '?') + pairs.join('&');
}

/** An address in three parts: before our additions, the additions, and what follows (the fragment). */
export function withUtm(url: string, utm: Utm): readonly [string, string, string] {
  const at = url.indexOf('#');
  const before = at < 0 ? url : url.slice(0, at);
  const hash = at < 0 ? '' : url.slice(at);
  return [before, utmText(utm, before.includes('?')), hash];
}

export function hasUtm(utm: Utm): boolean {
  return utmNames.some((name) => utm[name].trim() !== '');
}
