import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentType } from './exposition.ts';

export interface EndpointOptions {
  /** Returns all current metrics in the Prometheus text format. */
  readonly read: () => Promise<string>;
  /** Token required as `Authorization: Bearer`; null if none is required. */
  readonly token: string | null;
  /** Called when the metrics could not be read. */
  readonly onFault: (error: unknown) => void;
}

/** Handles GET and HEAD requests for `/metrics` with the right token. @returns true if the request was handled */
export type AnswerMetrics = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createMetricsEndpoint({ read, token, onFault }: EndpointOptions): AnswerMetrics {
  const mayRead = token === null ? () => true : bearerCheck(token);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await read();
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  };

  return (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const isHere = path === '/metrics' || path === '/metrics/';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isHere || !isRead || !mayRead(request.headers.authorization)) return false;
    answer(request, response).catch((error: unknown) => {
      onFault(error);
      if (!response.headersSent) response.writeHead(500, { 'content-length': 0 });
      response.end();
    });
    return true;
  };
}

/**
 * Creates a function that checks the token. It compares digests, because they have a fixed length, which allows a
 * comparison in constant time.
 */
function bearerCheck(token: string): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (header) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? [];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

/** Responds with 404 to requests for any other path on the metrics port. */
export function refuseOther(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end('Use GET /metrics. If METRICS_TOKEN is set, send it as a bearer token.\n');
}
