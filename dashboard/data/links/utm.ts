/** UTM parameter names, without the `utm_` prefix. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmName = (typeof utmNames)[number];
export type Utm = Readonly<Record<UtmName, string>>;

export const noUtm: Utm = { source: '', medium: '', campaign: '', term: '', content: '' };

/** Normalizes a UTM value: lower case, trimmed, underscores between words. */
export function tidy(name: UtmName, value: string): string {
  const text = value.trim().toLowerCase();
  return name === 'term' ? text : text.replaceAll(/\s+/g, '_');
}

/** Extracts the UTM parameters from a URL. The rest of the URL stays exactly as typed. */
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

/** Converts UTM fields to API format. Returns null if all are empty. */
export function sentUtm(utm: Utm): SentUtm | null {
  const given = utmNames.flatMap((name) => {
    const value = tidy(name, utm[name]);
    return value === '' ? [] : [[name, value]];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** Converts UTM parameters from the API to form fields. Missing parameters become empty strings. */
export function fullUtm(utm: SentUtm | null): Utm {
  const fields = utmNames.map((name) => [name, utm?.[name] ?? '']);
  return Object.fromEntries(fields);
}

export type SentUtm = { readonly [N in UtmName]?: string | undefined };

/**
 * Returns the final URL in three parts: the part before the added parameters, the added parameters, and the fragment.
 * As on the server, added parameters replace existing ones with the same names.
 */
export function withUtm(url: string, utm: SentUtm | null): readonly [string, string, string] {
  const [, base = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const given = utmNames.flatMap((name) => (utm?.[name] === undefined ? [] : [[name, utm[name]] as const]));
  if (given.length === 0) return [base + search, '', hash];
  const left = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !given.some(([name]) => pair.split('=', 1)[0] === `utm_${name}`));
  const added = given.map(([name, value]) => `utm_${name}=${encodeURIComponent(value)}`).join('&');
  return [base + (left.length > 0 ? `?${left.join('&')}` : ''), (left.length > 0 ? '&' : '?') + added, hash];
}

export function hasUtm(utm: Utm): boolean {
  return utmNames.some((name) => utm[name].trim() !== '');
}
