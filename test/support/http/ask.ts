import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Asked {
  /** Defaults to GET. */
  readonly method?: string;
  readonly path: string;
  /** An API key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Strings and bytes are sent unchanged, and other values as JSON. */
  readonly body?: unknown;
  /** Sends the body in chunks without declaring its length. */
  readonly chunked?: boolean;
}

/**
 * A response as received: redirects have not been followed, headers have not been joined, and the body has not been
 * decompressed.
 */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values, alternating. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

const keptAlive = new Agent({ keepAlive: true, maxSockets: 256 });
/** Large enough for the longest `Location` that can be stored. */
const maxHeaderSize = 256 * 1024;
const patienceMs = 60_000;

interface AskedServer {
  readonly port: number;
  readonly host?: string;
  readonly agent?: Agent;
  /**
   * Base URL of a server, which may be below a path. The path is prepended to the paths of requests to the server's own
   * host.
   */
  readonly url?: string;
}

function pathBelow(url: string | undefined, path: string, headers: Asked['headers'] = {}): string {
  const base = url === undefined || 'host' in headers || !path.startsWith('/') ? '/' : new URL(url).pathname;
  return base.replace(/\/$/, '');
}

/**
 * Sends a request and resolves when the response is complete. Rejects if the connection breaks, or after a minute.
 * `fetch` is not used, because it normalizes and retries requests and costs several times as much.
 */
export function ask(
  { port, host = '127.0.0.1', agent = keptAlive, url }: AskedServer,
  { method = 'GET', path: asked, key, headers, body, chunked = false }: Asked,
): Promise<Answer> {
  const path = pathBelow(url, asked, headers) + asked;
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const bytes = isRaw ? body : JSON.stringify(body);
  const sent = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(!isRaw && { 'content-type': 'application/json' }),
    ...(bytes !== undefined && !chunked && { 'content-length': Buffer.byteLength(bytes) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { host, port, agent, method, path, headers: sent, maxHeaderSize, timeout: patienceMs };
    const outgoing = httpRequest(options, (incoming) => {
      // An event stream does not end, so its first chunk counts as the response.
      if (method !== 'HEAD' && incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
        incoming.once('error', reject).once('data', (chunk: Buffer) => {
          const { statusCode: status = 0, headers, rawHeaders } = incoming;
          resolve({ status, headers, rawHeaders, text: chunk.toString('utf8') });
          incoming.off('error', reject).on('error', () => {});
          outgoing.destroy();
        });
        return;
      }
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      incoming.on('end', () => {
        const { statusCode: status = 0, headers, rawHeaders } = incoming;
        resolve({ status, headers, rawHeaders, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer within ${patienceMs} ms`)));
    outgoing.on('error', (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })));
    if (chunked) outgoing.write(bytes);
    outgoing.end(chunked ? undefined : bytes);
  });
}
