/** Those headers of a visit that say something of the click; empty when they are missing. */
export interface VisitHeaders {
  agent: string;
  referer: string;
  language: string;
  /** Whether the visitor asks not to be distinguished: `Sec-GPC: 1` or `DNT: 1`. */
  optsOut: boolean;
  /** Whether a purpose header declares that the browser only fetches ahead, and no visitor has clicked. */
  prefetch: boolean;
  /** What the operator's proxy says of the visitor's country, when it has a header for that. */
  country: string;
}

/** The headers in which browsers and fetchers state the purpose of a request. */
export const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a purpose header declares a prefetch: `prefetch`, `prefetch;prerender`; Safari says `preview` for its top sites. */
export function isPrefetch(value: string): boolean {
  return /^\s*(prefetch|prerender|preview)\b/i.test(value);
}

/** The headers in which visitors ask not to be distinguished. */
export const optOutHeaders = ['sec-gpc', 'dnt'] as const;

/** Whether such a header asks for it. */
export function isOptOut(value: string): boolean {
  return value.trim() === '1';
}

/**
 * Creates the function that reads them.
 * @param countryHeader in lower case; empty when there is none
 * @returns takes the `rawHeaders` of a request: names and values in turn. Of a header that comes twice the first one counts.
 * Building `IncomingMessage.headers` would cost more.
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
  // By a name's length most headers are passed over without looking at them.
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
