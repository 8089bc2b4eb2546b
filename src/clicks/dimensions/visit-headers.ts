/** The request headers that click facts are read from. Missing headers are empty. */
export interface VisitHeaders {
  agent: string;
  referer: string;
  language: string;
  /** True if the visitor sends a do-not-track signal: `Sec-GPC: 1` or `DNT: 1`. */
  optsOut: boolean;
  /** True if a purpose header says that the browser only prefetches the URL, without a click by the visitor. */
  prefetch: boolean;
  /** The country reported by the operator's proxy; empty if the proxy does not send it. */
  country: string;
}

/** Headers in which browsers and fetchers state the purpose of a request. */
export const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Returns true if a purpose header declares a prefetch, such as `prefetch` or `prefetch;prerender`. Also accepts
 * `preview`, which Safari sends for its top sites.
 */
export function isPrefetch(value: string): boolean {
  return /^\s*(prefetch|prerender|preview)\b/i.test(value);
}

/** Do-not-track headers. */
export const optOutHeaders = ['sec-gpc', 'dnt'] as const;

/** Returns true if the value of a do-not-track header is `1`, which opts out. */
export function isOptOut(value: string): boolean {
  return value.trim() === '1';
}

/**
 * Creates a function that reads a visit's headers. It takes `rawHeaders`, because building `IncomingMessage.headers`
 * would take longer.
 * @param countryHeader name of the country header in lower case; empty if there is none
 * @returns a function that takes the `rawHeaders` of a request: alternating names and values. If a header is repeated,
 * its first value is used.
 */
export function createReadVisitHeaders(
  countryHeader: string,
): (rawHeaders: readonly string[]) => VisitHeaders {
  const names = [
    'user-agent',
    'referer',
    'accept-language',
    countryHeader,
    ...purposeHeaders,
    ...optOutHeaders,
  ];
  // Indexed by length: true if a relevant header has a name of this length. Most other headers can be skipped by the
  // length of their names alone.
  const mayMatter: readonly boolean[] = Array.from(
    { length: 1 + Math.max(...names.map((name) => name.length)) },
    (_, length) => length > 0 && names.some((name) => name.length === length),
  );
  return (rawHeaders) => {
    const found: VisitHeaders = {
      agent: '',
      referer: '',
      language: '',
      optsOut: false,
      prefetch: false,
      country: '',
    };
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      if (!mayMatter[name.length]) continue;
      const value = rawHeaders[index + 1] ?? '';
      const plain = name.toLowerCase();
      if (plain === countryHeader) found.country ||= value.trim();
      switch (plain) {
        case 'user-agent':
          found.agent ||= value;
          break;
        case 'referer':
          found.referer ||= value;
          break;
        case 'accept-language':
          found.language ||= value;
          break;
        case 'sec-gpc':
        case 'dnt':
          found.optsOut ||= isOptOut(value);
          break;
        case 'sec-purpose':
        case 'purpose':
        case 'x-purpose':
        case 'x-moz':
          found.prefetch ||= isPrefetch(value);
      }
    }
    return found;
  };
}
