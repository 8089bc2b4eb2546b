import type { Socket } from 'node:net';
import { isOptOut, isPrefetch } from '../../clicks/dimensions/visit-headers.ts';
import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import type { ServedDomain } from '../../model/domains/domains.ts';
import type { Visit, VisitClient, VisitOptions } from '../../redirect/visit.ts';
import {
  accept,
  closes,
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
/** A host of the greatest length and a port. */
const longestKept = 260;

/** What a plain `GET` says, read from its bytes when it is asked for. One object serves all visits of a connection. */
export abstract class PlainVisit implements Visit {
  readonly method = 'GET';
  target = '';
  readonly socket: Socket;
  abstract readonly options: Pick<VisitOptions, 'readFacts' | 'clientOf' | 'hostOf' | 'userHeader'>;
  /** The request; empty after its answer. */
  chunk: Buffer = noBytes;
  /** Where the values of the wanted headers begin and end in the chunk. */
  spans = noSpans;
  domain: ServedDomain | undefined;
  /** The last `Host` header on this connection, and what it means: nearly always that of the next request. */
  hostText = '';
  hostName = '';
  /** Where requests come from that no proxy has sent on. */
  ownClient: VisitClient | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  abstract sendTo(location: string, status?: number): void;
  abstract send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void;

  header(field: number): string {
    return this.chunk.toString('latin1', this.spans[2 * field], this.spans[2 * field + 1]).trim();
  }

  /** Whether the connection ends with the answer. */
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

  /** The same header as before is told by its bytes: no text is made. */
  host(): string {
    const { chunk, spans, hostText } = this;
    let start = spans[2 * host] ?? 0;
    const end = spans[2 * host + 1] ?? 0;
    // So nothing has to be cut off the text, which would be slower to read then.
    if (chunk[start] === space) start += 1;
    if (end - start !== hostText.length) return this.readHost(start, end);
    for (let at = 0; at < hostText.length; at += 1)
      if (chunk[start + at] !== hostText.charCodeAt(at)) return this.readHost(start, end);
    return this.hostName;
  }

  readHost(start: number, end: number): string {
    const text = this.chunk.toString('latin1', start, end);
    const name = this.options.hostOf(text.trim());
    // As long as a header may be, but no longer than a host: many connections would keep many kilobytes.
    if (text.length > longestKept) return name;
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
    return this.rareHeaders('cookie')[0] ?? '';
  }

  user(): string {
    const { userHeader } = this.options;
    const values = userHeader !== '' && this.client().isProxied ? this.rareHeaders(userHeader) : [];
    return values.length > 1 ? '' : (values[0] ?? '');
  }

  /** The values of a header, searched for among plain header lines, as few visits ask for it. */
  rareHeaders(name: string): string[] {
    const head = this.chunk.toString('latin1', 0, this.chunk.indexOf('\r\n\r\n'));
    return head.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon === name.length && line.slice(0, colon).toLowerCase() === name
        ? [line.slice(colon + 1).trim()]
        : [];
    });
  }

  /** A form comes by POST, and that is left to `node:http`. */
  async form(): Promise<URLSearchParams> {
    return new URLSearchParams();
  }
}
