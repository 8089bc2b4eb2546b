import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createReadVisitHeaders } from '../clicks/dimensions/visit-headers.ts';
import { Refusal } from '../contract/envelope.ts';
import type { ClickFacts } from '../model/clicks/click-facts.ts';
import type { ServedDomain } from '../model/domains/domains.ts';
import { queryOf } from '../redirect/path.ts';
import type { Visit, VisitClient, VisitOptions } from '../redirect/visit.ts';
import { basePathOf } from '../runtime/base-path.ts';
import { isSameOrigin } from '../runtime/same-origin.ts';

/** Maximum size of a form in bytes. This is enough for one percent-encoded field of 256 characters in any script. */
const maxFormBytes = 4_096;
const formType = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/** Number of redirects per connection. */
const redirectsOn = new WeakMap<Socket, number>();

function constantHeaders(referrerPolicy: string | undefined): string[] {
  const policy = referrerPolicy === undefined ? [] : ['Referrer-Policy', referrerPolicy];
  return ['Cache-Control', 'no-store', 'Content-Length', '0', ...policy];
}

/**
 * Reads a submitted form. For a request without a body, returns an empty form.
 * @throws Refusal UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE; REQUEST_TIMEOUT if the client disconnects before the form is
 * complete
 */
async function readForm(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams> {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return new URLSearchParams();
  if (!formType.test(headers['content-type'] ?? ''))
    throw new Refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the form with "Content-Type: application/x-www-form-urlencoded".',
    );
  if (Number(headers['content-length'] ?? 0) > maxFormBytes) throw tooLarge();
  if (headers.expect !== undefined) response.writeContinue();
  const parts: Buffer[] = [];
  let length = 0;
  const end = Promise.withResolvers<void>();
  // Reads and discards the rest of an oversized form, like the rest of any rejected body.
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length > maxFormBytes) end.reject(tooLarge());
    else parts.push(part);
  });
  request.once('end', end.resolve);
  const gone = (): void =>
    end.reject(new Refusal('REQUEST_TIMEOUT', 'The form was not received in time. Send it again.'));
  request.once('error', gone);
  request.once('close', gone);
  await end.promise;
  return new URLSearchParams(Buffer.concat(parts).toString());
}

function tooLarge(): Refusal {
  const text = `The form is larger than ${maxFormBytes / 1024} KiB.`;
  return new Refusal('BODY_TOO_LARGE', text, { connection: 'close' });
}

/**
 * Creates the handler for visits that arrive through `node:http`.
 * @param redirectsPerConnection maximum number of redirects before a connection is closed. Unlimited by default
 */
export function createHttpVisits(options: VisitOptions, redirectsPerConnection?: number): RequestListener {
  const { redirect, readFacts, hostOf, clientOf, countryHeader, userHeader, referrerPolicy } = options;
  const readHeaders = createReadVisitHeaders(countryHeader);
  const constant = constantHeaders(referrerPolicy);

  class HttpVisit implements Visit {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly root: string;
    domain: ServedDomain | undefined;

    constructor(request: IncomingMessage, response: ServerResponse) {
      this.request = request;
      this.response = response;
      this.root = basePathOf(request.headers);
    }
    get method(): string {
      return this.request.method ?? '';
    }
    get target(): string {
      return this.request.url ?? '/';
    }
    set target(target: string) {
      this.request.url = target;
    }
    host(): string {
      return hostOf(this.request.headers.host ?? '');
    }
    client(): VisitClient {
      const { socket, headers } = this.request;
      return clientOf(socket.remoteAddress, headers['x-forwarded-for']?.toString());
    }
    facts(): ClickFacts {
      const { agent, referer, language, optsOut, prefetch, country } = readHeaders(this.request.rawHeaders);
      const { network, isProxied } = this.client();
      return readFacts({
        agent,
        referer,
        language,
        optsOut,
        prefetch,
        country: isProxied ? country : '',
        query: queryOf(this.target),
        address: network,
        domain: this.domain?.host ?? '',
      });
    }
    accept(): string {
      return this.request.headers.accept ?? '';
    }
    address(): string | undefined {
      const { network, isExempt } = this.client();
      return isExempt ? undefined : network;
    }
    languages(): string {
      return String(this.request.headers['accept-language'] ?? '');
    }
    cookies(): string {
      return this.request.headers.cookie ?? '';
    }
    user(): string {
      const isNamed = userHeader !== '' && this.client().isProxied;
      const { [userHeader]: [user, ...others] = [] } = isNamed ? this.request.headersDistinct : {};
      return others.length > 0 ? '' : (user ?? '').trim();
    }
    isSameOrigin(): boolean {
      return isSameOrigin(this.request.headers);
    }
    form(): Promise<URLSearchParams> {
      return readForm(this.request, this.response);
    }
    sendTo(location: string, status = 302): void {
      if (redirectsPerConnection !== undefined) this.count(redirectsPerConnection);
      this.response.writeHead(status, ['Location', location, ...constant]);
      this.response.end();
    }
    /**
     * Closes the connection after `max` redirects, so that the client opens a new connection, which starts on the fast
     * path. Otherwise proxies would use the same connection forever.
     */
    count(max: number): void {
      const redirects = (redirectsOn.get(this.request.socket) ?? 0) + 1;
      redirectsOn.set(this.request.socket, redirects);
      if (redirects >= max) this.response.shouldKeepAlive = false;
    }
    send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
      this.response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
      this.response.end(body);
    }
  }

  return (request, response) => redirect(new HttpVisit(request, response));
}
