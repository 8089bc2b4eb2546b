import type { Socket } from 'node:net';
import { isOptOut, isPrefetch } from '../../clicks/dimensions/visit-headers.ts';
import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import type { ServedDomain } from '../../model/domains/domains.ts';
import type { Visit, VisitClient, VisitOptions } from '../../redirect/visit.ts';
import {
  accept,
  closes,
  cookie,
  forwardedFor,
  host,
  language,
  named,
  newSpans,
  optOuts,
  purposes,
  referer,
  space,
  userAgent,
} from './plain-get.ts';

export const noBytes = Buffer.alloc(0);
const noSpans = newSpans();
/** Maximum length of a `Host` header to cache. A host name with a port is shorter. */
const maxCachedHost = 260;

/** A plain `GET` request, parsed lazily from its bytes. One object is used for all visits on a connection. */
export abstract class PlainVisit implements Visit {
  readonly method = 'GET';
  target = '';
  root = '';
  readonly socket: Socket;
  abstract readonly options: Pick<VisitOptions, 'readFacts' | 'clientOf' | 'hostOf' | 'userHeader'>;
  /** The bytes of the request; empty after the response. */
  chunk: Buffer = noBytes;
  /** Start and end of each wanted header's value in `chunk`. */
  spans = noSpans;
  domain: ServedDomain | undefined;
  /**
   * The last `Host` header on this connection. `hostName` is its normalized host. Both are cached, because the next
   * request nearly always has the same header.
   */
  hostText = '';
  hostName = '';
  /** Client for requests that were not forwarded by a proxy. */
  ownClient: VisitClient | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  abstract sendTo(location: string, status?: number): void;
  abstract send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void;

  header(field: number): string {
    return this.chunk.toString('latin1', this.spans[2 * field], this.spans[2 * field + 1]).trim();
  }

  /** Returns true if the connection closes after the response. */
  closes(): boolean {
    return this.spans[closes] === 1;
  }

  has(field: number): boolean {
    return this.spans[2 * field] !== 0;
  }

  some(fields: readonly number[], says: (value: string) => boolean): boolean {
    for (const field of fields) if (this.has(field) && says(this.header(field))) return true;
    return false;
  }

  /** Returns the host. Reuses the last result if the header's bytes are unchanged, to avoid an allocation. */
  host(): string {
    const { chunk, spans, hostText } = this;
    let start = spans[2 * host] ?? 0;
    const end = spans[2 * host + 1] ?? 0;
    // Skips the leading space in the bytes, because trimming a string would be slower.
    if (chunk[start] === space) start += 1;
    if (end - start !== hostText.length) return this.readHost(start, end);
    for (let at = 0; at < hostText.length; at += 1)
      if (chunk[start + at] !== hostText.charCodeAt(at)) return this.readHost(start, end);
    return this.hostName;
  }

  readHost(start: number, end: number): string {
    const text = this.chunk.toString('latin1', start, end);
    const name = this.options.hostOf(text.trim());
    // Does not cache strings that are longer than any host, because they could use kilobytes per connection.
    if (text.length > maxCachedHost) return name;
    this.hostText = text;
    this.hostName = name;
    return name;
  }

  client(): VisitClient {
    const { socket, options } = this;
    if (this.has(forwardedFor)) return options.clientOf(socket.remoteAddress, this.header(forwardedFor));
    this.ownClient ??= options.clientOf(socket.remoteAddress, undefined);
    return this.ownClient;
  }

  facts(): ClickFacts {
    const { network, isProxied } = this.client();
    const query = this.target.indexOf('?');
    return this.options.readFacts({
      agent: this.header(userAgent),
      referer: this.header(referer),
      language: this.header(language),
      optsOut: this.some(optOuts, isOptOut),
      prefetch: this.some(purposes, isPrefetch),
      country: isProxied && this.has(named) ? this.header(named) : '',
      query: query === -1 ? '' : this.target.slice(query + 1),
      address: network,
      domain: this.domain?.host ?? '',
    });
  }

  accept(): string {
    return this.header(accept);
  }

  address(): string | undefined {
    const { network, isExempt } = this.client();
    return isExempt ? undefined : network;
  }

  languages(): string {
    return this.header(language);
  }

  cookies(): string {
    return this.has(cookie) ? this.header(cookie) : '';
  }

  user(): string {
    const { userHeader } = this.options;
    const values = userHeader !== '' && this.client().isProxied ? this.rareHeaders(userHeader) : [];
    return values.length > 1 ? '' : (values[0] ?? '');
  }

  /** Searches the header lines for a header that few visits need, and returns its values. */
  rareHeaders(name: string): string[] {
    const head = this.chunk.toString('latin1', 0, this.chunk.indexOf('\r\n\r\n'));
    return head.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon === name.length && line.slice(0, colon).toLowerCase() === name
        ? [line.slice(colon + 1).trim()]
        : [];
    });
  }

  /** Never called, because only form submissions need this check. They are POST requests, which `node:http` handles. */
  isSameOrigin(): boolean {
    return false;
  }

  /** Never called, because form submissions are POST requests, which `node:http` handles. */
  async form(): Promise<URLSearchParams> {
    return new URLSearchParams();
  }
}
