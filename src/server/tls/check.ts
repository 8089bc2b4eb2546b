import type { IncomingMessage, ServerResponse } from 'node:http';

export const tlsCheckPath = '/tls-check';

/** Handles a `/tls-check` request. @returns false for any other path */
export type AnswerTlsCheck = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Creates the handler that tells a proxy with automatic certificates whether a host may have a certificate. The status
 * is 200 if the host may have a certificate, 404 if not, and 503 if the answer is unknown. Proxies ask during a TLS
 * handshake, so hosts in use are checked in memory, without the database.
 * @param isOurs returns true if this installation serves a host, given in lower case
 */
export function createTlsCheck(isOurs: (host: string) => boolean | Promise<boolean>): AnswerTlsCheck {
  const statusFor = async (host: string): Promise<number> => ((await isOurs(host)) ? 200 : 404);
  return ({ url = '', method = '' }, response) => {
    const [path, query] = url.split('?', 2);
    if (path !== tlsCheckPath) return false;
    const host = new URLSearchParams(query).get('domain')?.toLowerCase() ?? '';
    const isRead = method === 'GET' || method === 'HEAD';
    const answer = (status: number): void => {
      response.writeHead(status, {
        ...(!isRead && { allow: 'GET, HEAD' }),
        'content-length': 0,
        'cache-control': 'no-store',
      });
      response.end();
    };
    if (!isRead) answer(405);
    else statusFor(host).then(answer, () => answer(503));
    return true;
  };
}
