/** Those headers of a visit that say something of the click; empty when they are missing. */
export interface VisitHeaders {
  agent: string;
  referer: string;
  language: string;
  /** Whether the visitor asks not to be told apart: `Sec-GPC: 1` or `DNT: 1`. */
  optsOut: boolean;
}

/**
 * @param rawHeaders of a request: names and values in turn. Of a header that comes twice the first one counts. Building
 *   `IncomingMessage.headers` would cost more.
 */
export function readVisitHeaders(rawHeaders: readonly string[]): VisitHeaders {
  const found: VisitHeaders = { agent: '', referer: '', language: '', optsOut: false };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // By a name's length most headers are passed over without looking at them.
    if (!mayMatter[name.length]) continue;
    const value = rawHeaders[index + 1] ?? '';
    switch (name.toLowerCase()) {
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
        found.optsOut ||= value === '1';
    }
  }
  return found;
}

const mayMatter: readonly boolean[] = Array.from({ length: 16 }, (_, length) =>
  ['user-agent', 'referer', 'accept-language', 'sec-gpc', 'dnt'].some((name) => name.length === length),
);
