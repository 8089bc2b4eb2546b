import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../../runtime/node-http.ts';

export interface PlainPortOptions {
  /** Returns the response to an ACME HTTP-01 challenge (RFC 8555, section 8.3). */
  readonly proofOf: (host: string, token: string) => Promise<string | undefined>;
  /** Returns the response to a domain verification request over plain HTTP; undefined for any other path. */
  readonly domainProofOf: (host: string, path: string) => Promise<string | undefined>;
  /** Returns true if this installation serves a host, given in lower case. */
  readonly isOurs: (host: string) => boolean | Promise<boolean>;
  /** Returns the shared domain's base URL. Requests for unknown hosts are redirected to its origin. */
  readonly origin: () => string;
}

const challengePath = '/.well-known/acme-challenge/';
/** How long clients may cache the redirect to HTTPS, in seconds. */
const redirectCacheSeconds = 3_600;

/** Creates the server for the plain HTTP port. It redirects to HTTPS and responds to ACME challenges. */
export function createPlainPort({ proofOf, domainProofOf, isOurs, origin }: PlainPortOptions): Server {
  const send = (response: ServerResponse, status: number, text: string): void => {
    const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  const prove = async (host: string, token: string, response: ServerResponse): Promise<void> => {
    const proof = await proofOf(host, token);
    if (proof === undefined) send(response, 404, 'Challenge not found.\n');
    else send(response, 200, proof);
  };
  const redirectToHttps = async (
    { method, url = '/' }: IncomingMessage,
    host: string,
    response: ServerResponse,
  ): Promise<void> => {
    const proof = method === 'GET' ? await domainProofOf(host, url) : undefined;
    if (proof !== undefined) return send(response, 200, proof);
    const { port, origin: ours } = new URL(origin());
    const there = (await isOurs(host)) ? `https://${host}${port && `:${port}`}` : ours;
    // Uses 308 for other methods, because clients may change the method to GET after 301, but not after 308.
    const status = method === 'GET' || method === 'HEAD' ? 301 : 308;
    const location = `${there}${url.startsWith('/') ? url : '/'}`;
    response.writeHead(status, {
      location,
      'content-length': 0,
      'cache-control': `max-age=${redirectCacheSeconds}`,
    });
    response.end();
  };
  return createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, requireHostHeader: false },
    (request, response) => {
      const host = hostIn(request.headers.host ?? '');
      const { url = '' } = request;
      const answered = url.startsWith(challengePath)
        ? prove(host, url.slice(challengePath.length), response)
        : redirectToHttps(request, host, response);
      answered.catch(() => send(response, 503, 'Temporarily unavailable. Try again later.\n'));
    },
  );
}

/** Returns the host name from a `Host` header, without port and trailing dot, in lower case. */
function hostIn(header: string): string {
  return header.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
