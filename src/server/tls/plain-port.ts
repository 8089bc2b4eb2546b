import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../../runtime/node-http.ts';

export interface PlainPortOptions {
  /** The answer to an authority's question (RFC 8555, section 8.3). */
  readonly proofOf: (host: string, token: string) => Promise<string | undefined>;
  /** What a domain that leads here answers at a path, which is asked without TLS; undefined at any other path. */
  readonly domainProofOf: (host: string, path: string) => Promise<string | undefined>;
  /** Whether a host, in lower case, is one of this service. */
  readonly isOurs: (host: string) => boolean | Promise<boolean>;
  /** The origin of the short URLs. */
  readonly origin: () => string;
}

const challengePath = '/.well-known/acme-challenge/';
/** How long a client may go straight to HTTPS without asking again, s. */
const rememberSeconds = 3_600;

/** The server at the port for plain HTTP in addition to that for HTTPS: leads there, and proves hosts to authorities. */
export function createPlainPort({ proofOf, domainProofOf, isOurs, origin }: PlainPortOptions): Server {
  const send = (response: ServerResponse, status: number, text: string): void => {
    const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  const prove = async (host: string, token: string, response: ServerResponse): Promise<void> => {
    const proof = await proofOf(host, token);
    if (proof === undefined) send(response, 404, 'There is no such challenge.\n');
    else send(response, 200, proof);
  };
  const lead = async (
    { method, url = '/' }: IncomingMessage,
    host: string,
    response: ServerResponse,
  ): Promise<void> => {
    const proof = method === 'GET' ? await domainProofOf(host, url) : undefined;
    if (proof !== undefined) return send(response, 200, proof);
    const { port, origin: ours } = new URL(origin());
    const there = (await isOurs(host)) ? `https://${host}${port && `:${port}`}` : ours;
    // A client that posts by mistake must not be led to post something else.
    const status = method === 'GET' || method === 'HEAD' ? 301 : 308;
    const location = `${there}${url.startsWith('/') ? url : '/'}`;
    response.writeHead(status, {
      location,
      'content-length': 0,
      'cache-control': `max-age=${rememberSeconds}`,
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
        : lead(request, host, response);
      answered.catch(() => send(response, 503, 'Not now.\n'));
    },
  );
}

/** Without port and trailing dot, in lower case. */
function hostIn(header: string): string {
  return header.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
