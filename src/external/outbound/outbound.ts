import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { request as send } from '../../runtime/node-http.ts';
import { version } from '../../runtime/version.ts';
import { type Allowed, readAllowed } from './allowed.ts';
import { type ConnectionTarget, GuardedAgent } from './connections.ts';
import { OutboundFailure } from './failure.ts';

export interface OutboundOptions {
  /** Destinations allowed in addition to the public internet (OUTBOUND_ALLOW). Default: none. */
  readonly allowed?: Allowed;
  /** Timeout in ms for DNS, connection and TLS together. */
  readonly connectMs?: number;
  /**
   * Maximum number of connections per host, which are kept open when idle. With 0 (default), there is no limit and none
   * are kept.
   */
  readonly keep?: number;
  readonly lookup?: LookupFunction;
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** Headers that are sent only to the URL's origin, not after a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Value of `User-Agent`, sent to every origin. Defaults to the program and its version. */
  readonly agent?: string;
  /** Maximum number of redirects to follow; ignored for POST. With 0 (default), a redirect is returned as is. */
  readonly redirects?: number;
  /** Maximum body size in bytes, both before and after decompression. Default 64 KiB. */
  readonly maxBytes?: number;
  /** True to truncate a longer body instead of rejecting it. */
  readonly isTruncated?: boolean;
  /** Timeout in ms from the connection to the response headers. */
  readonly firstByteMs?: number;
  /** Timeout in ms for everything, including redirects. */
  readonly totalMs?: number;
  /** True to allow ports other than 80 and 443 even if OUTBOUND_ALLOW lists neither the host nor its address. */
  readonly anyPort?: boolean;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Header names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Final URL. `redirects` is the number of redirects followed. */
  readonly url: string;
  readonly redirects: number;
  /** Expiry of the final host's certificate, in ms since the epoch; null without TLS. */
  readonly certificateEndsAt: number | null;
}

export interface Outbound {
  /**
   * Requests a URL that a user has provided. Any status counts as success.
   * @throws OutboundFailure with a message that may be logged and shown
   */
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
  /** Closes idle connections. */
  close(): void;
}

const maxHeaderBytes = 16 * 1_024;
const leadsOn: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates the client for user-provided URLs. All requests to such URLs go through this client. */
export function createOutbound({
  allowed = readAllowed(''),
  connectMs = 5_000,
  keep = 0,
  lookup,
}: OutboundOptions = {}): Outbound {
  const pool = keep > 0 ? { keepAlive: true, maxSockets: keep, maxFreeSockets: keep } : {};
  const agent = new GuardedAgent({ allowed, connectMs, lookup }, pool);

  return {
    async request(address, { redirects = 0, totalMs = 30_000, signal, ...request } = {}) {
      const ends = AbortSignal.timeout(totalMs);
      const stops = signal === undefined ? ends : AbortSignal.any([ends, signal]);
      let url = readAddress(address);
      let { headers } = request;
      for (let hops = 0; ; hops += 1) {
        const target = targetOf(url, allowed, request.anyPort === true);
        let answer: DirectAnswer;
        try {
          answer = await ask({ url, target, agent, request: { ...request, headers: headers ?? {} }, stops });
        } catch (error) {
          if (signal?.aborted) throw new OutboundFailure('aborted', `The request to ${url.host} was aborted`);
          if (ends.aborted)
            throw new OutboundFailure(
              'timeout',
              `the response from ${url.host} was not complete within ${totalMs} ms`,
            );
          throw failureOf(error, url.host);
        }
        const { location } = answer.headers;
        if (
          redirects === 0 ||
          !leadsOn.has(answer.status) ||
          location === undefined ||
          request.method === 'POST'
        )
          return { ...answer, url: url.href, redirects: hops };
        if (hops === redirects)
          throw new OutboundFailure('redirect', `${url.host} redirects more than ${redirects} times`);
        const next = nextOf(url, location);
        // The headers are dropped, because they may contain secrets that must not be sent to another origin.
        if (next.origin !== url.origin) headers = undefined;
        url = next;
      }
    },
    close: () => agent.destroy(),
  };
}

/** Parses a URL. @throws OutboundFailure if it is not an http(s) URL, or contains a username or password */
function readAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OutboundFailure('address', 'The URL is not an http or https URL');
  if (url.username !== '' || url.password !== '')
    throw new OutboundFailure('address', `The URL at ${url.host} contains a username or password`);
  return url;
}

function nextOf(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  if (to === null || (from.protocol === 'https:' && to.protocol !== 'https:'))
    throw new OutboundFailure('redirect', `${from.host} redirects to a URL that is not allowed`);
  return readAddress(to.href);
}

const defaultPorts: ReadonlySet<number> = new Set([80, 443]);

/**
 * Returns the connection target for a URL.
 * @throws OutboundFailure if the port is neither 80 nor 443, unless `anyPort` is set or the operator has listed the
 * host or its address
 */
function targetOf(url: URL, allowed: Allowed, anyPort: boolean): ConnectionTarget {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (!anyPort && !defaultPorts.has(port) && !allowed.host(host) && !allowed.namesAddress(host))
    throw new OutboundFailure(
      'forbidden',
      `${url.host} has a port other than 80 and 443; to allow requests to this host, add it to OUTBOUND_ALLOW`,
    );
  return { host, port, isSecure };
}

type DirectAnswer = Omit<OutboundAnswer, 'url' | 'redirects'>;

interface DirectRequest {
  readonly url: URL;
  readonly target: ConnectionTarget;
  readonly agent: GuardedAgent;
  readonly request: Omit<OutboundRequest, 'redirects' | 'totalMs' | 'signal'>;
  readonly stops: AbortSignal;
}

function ask({ url, target, agent, request, stops }: DirectRequest): Promise<DirectAnswer> {
  const { method = 'GET', headers, body, maxBytes = 65_536, firstByteMs = 10_000 } = request;
  const { agent: name = `linkfold/${version}`, isTruncated = false } = request;
  return new Promise((resolve, reject) => {
    stops.throwIfAborted();
    const options: ClientRequestArgs & ConnectionTarget = {
      ...target,
      // The connection handles TLS, so Node's HTTP client sees only plain HTTP.
      protocol: 'http:',
      agent,
      method,
      path: url.pathname + url.search,
      headers: { 'user-agent': name, 'accept-encoding': 'gzip', ...headers, host: url.host },
      maxHeaderSize: maxHeaderBytes,
      signal: stops,
    };
    let timer: NodeJS.Timeout | undefined;
    const sent = send(options, (answer) => {
      clearTimeout(timer);
      const certificateEndsAt = endOfCertificate(answer.socket);
      readBody(answer, method === 'HEAD' ? 0 : maxBytes, url.host, isTruncated).then((read) => {
        const pairs = Object.entries(answer.headersDistinct).map(([name, values = []]) => [
          name,
          values.join(', '),
        ]);
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(pairs),
          body: read,
          certificateEndsAt,
        });
      }, reject);
    });
    sent.on('error', reject).on('close', () => clearTimeout(timer));
    sent.on('socket', () => {
      const late = `${url.host} did not respond within ${firstByteMs} ms`;
      timer = setTimeout(() => sent.destroy(new OutboundFailure('timeout', late)), firstByteMs);
    });
    sent.end(body);
  });
}

function endOfCertificate(socket: Socket): number | null {
  if (!(socket instanceof TLSSocket)) return null;
  const endsAt = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  return Number.isNaN(endsAt) ? null : endsAt;
}

async function readBody(
  answer: IncomingMessage,
  most: number,
  host: string,
  isTruncated: boolean,
): Promise<Buffer> {
  // The limit is applied before and after decompression, because a few bytes may decompress to gigabytes, or gigabytes
  // to almost nothing.
  const bounded = async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > most)
        throw new OutboundFailure('too-long', `the response from ${host} is larger than ${most} bytes`);
      yield chunk;
    }
  };
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
  if (isTruncated && most > 0) return beginning(answer, most);
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  // `most` is 0 for a HEAD response, which has no body to decompress although its headers may name an encoding.
  if (encoding === 'identity' || most === 0) await pipeline(answer, bounded, collect);
  else if (encoding === 'gzip') await pipeline(answer, bounded, createGunzip(), bounded, collect);
  else {
    answer.destroy();
    throw new OutboundFailure('broken', `the response from ${host} has an unsupported Content-Encoding`);
  }
  return Buffer.concat(chunks);
}

/** Returns the first decompressed bytes of a body, and does not read the rest. */
async function beginning(answer: IncomingMessage, most: number): Promise<Buffer> {
  const source = answer.headers['content-encoding'] === 'gzip' ? answer.pipe(createGunzip()) : answer;
  answer.on('error', (error) => source.destroy(error));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= most) break;
    }
  } catch (error) {
    // If the connection was lost after some data had arrived, this data is enough, because the body is truncated
    // anyway.
    if (bytes === 0) throw error;
  }
  answer.destroy();
  return Buffer.concat(chunks).subarray(0, most);
}

/** Converts an error from the system or the HTTP parser to a failure. The failure contains no sent or received data. */
function failureOf(error: unknown, host: string): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'HPE_HEADER_OVERFLOW')
    return new OutboundFailure(
      'too-long',
      `the response headers from ${host} are larger than ${maxHeaderBytes} bytes`,
    );
  if (/^(?:HPE_|Z_|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|ERR_INVALID_|ERR_HTTP)/.test(code))
    return new OutboundFailure(
      'broken',
      `the response from ${host} is incomplete or not HTTP (${code})`,
      code,
    );
  const said = code === '' ? '' : ` (${code})`;
  return new OutboundFailure('unreachable', `${host} cannot be reached${said}`, code);
}
