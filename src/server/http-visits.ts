import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClickClass } from '../domain/clicks.ts';
import type { Visit, VisitOptions } from '../redirect/visit.ts';
import { classOf } from '../redirect/visitor.ts';

/**
 * Visits that come through `node:http`.
 * @param redirectsPerConnection redirects after which a connection is closed; unlimited by default
 */
export function createHttpVisits(options: VisitOptions, redirectsPerConnection?: number): RequestListener {
  const { redirect, classify, addressOf, referrerPolicy } = options;
  const redirectsOn = new WeakMap<Socket, number>();
  const constant = ['Cache-Control', 'no-store', 'Content-Length', '0'];
  if (referrerPolicy !== undefined) constant.push('Referrer-Policy', referrerPolicy);

  class HttpVisit implements Visit {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;

    constructor(request: IncomingMessage, response: ServerResponse) {
      this.request = request;
      this.response = response;
    }
    get method(): string {
      return this.request.method ?? '';
    }
    get target(): string {
      return this.request.url ?? '/';
    }
    clickClass(): ClickClass {
      return classOf(this.request.rawHeaders, classify);
    }
    accept(): string {
      return this.request.headers.accept ?? '';
    }
    address(): string | undefined {
      return addressOf(this.request);
    }
    sendTo(location: string): void {
      if (redirectsPerConnection !== undefined) this.count(redirectsPerConnection);
      this.response.writeHead(302, ['Location', location, ...constant]);
      this.response.end();
    }
    /** Closes the connection after `max` redirects, so that the client opens one on the fast path: proxies never do so. */
    count(max: number): void {
      const { socket } = this.request;
      const redirects = (redirectsOn.get(socket) ?? 0) + 1;
      redirectsOn.set(socket, redirects);
      if (redirects >= max) this.response.shouldKeepAlive = false;
    }
    send(status: number, headers: Readonly<Record<string, string>>, body: string): void {
      this.response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
      this.response.end(body);
    }
  }

  return (request, response) => redirect(new HttpVisit(request, response));
}
