import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Asked {
  /** GET, when nothing is said. */
  readonly method?: string;
  readonly path: string;
  /** An API key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Sends the body in chunks, without declaring its length. */
  readonly chunked?: boolean;
}

/** An answer as it came over the wire: nothing followed, joined or decoded. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

const keptAlive = new Agent({ keepAlive: true, maxSockets: 256 });
/** Room for the longest Location that can be stored. */
const maxHeaderSize = 256 * 1024;
const patienceMs = 60_000;

/**
 * One request, resolved when its whole answer is here; rejects when it broke off, or when no answer came within a minute.
 * Not `fetch`, which tidies up what it sends, repeats requests when it sees fit and costs several times as much.
 */
export function ask(
  { port, host = '127.0.0.1', agent = keptAlive }: { port: number; host?: string; agent?: Agent },
  { method = 'GET', path, key, headers, body, chunked = false }: Asked,
): Promise<Answer> {
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
      // It has no end: what came first is the answer.
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
