import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { BelowPath, VisitOptions } from '../../redirect/visit.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { headerNames } from './plain-get.ts';

const sweepMs = 1_000;

/** Returns the keep-alive timeout as a number of idle checks, which run once a second. */
function idleSweepsOf(server: Server): number {
  return Math.ceil(server.keepAliveTimeout / sweepMs);
}

/**
 * Checks all connections once a second until the server closes. A connection that does not send its request in time
 * gets the same response as from `node:http`. An idle connection is closed. A timer per connection would cost more than
 * a visit.
 */
function sweepIdle(server: Server, connections: ReadonlySet<Connection>): void {
  const idleSweeps = idleSweepsOf(server);
  const silentSweeps = Math.ceil(server.headersTimeout / sweepMs);
  const sweep = (): void => {
    for (const connection of connections) {
      connection.sweeps += 1;
      if (connection.pending) continue;
      if (!connection.answered && connection.sweeps > silentSweeps) connection.timeOut();
      else if (connection.answered && connection.sweeps > idleSweeps) connection.socket.destroy();
    }
  };
  const sweeping = setInterval(sweep, sweepMs).unref();
  server.once('close', () => clearInterval(sweeping));
}

export interface FastPathOptions extends VisitOptions, Pick<ConnectionOptions, 'tickLimit'> {
  /** First path segments of paths that are not public. `node:http` handles requests for these paths. */
  readonly mounts: ReadonlySet<string>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Handling of the path of `BASE_URL`; undefined if `BASE_URL` has no path. */
  readonly below?: BelowPath | undefined;
  /** True if `node:http` must handle cross-origin requests, whose responses need CORS headers. */
  readonly leavesCrossOrigin?: boolean;
  /** `Strict-Transport-Security` header for TLS connections; undefined for none. */
  readonly strictTransport?: string | undefined;
}

export interface FastPath {
  /** Makes `node:http` handle all requests from now on. */
  drain(): void;
  /** Closes idle connections. Connections that have not sent a request yet are handed over to `node:http`. */
  endIdle(): void;
}

/**
 * Creates the fast path, in front of an HTTP server's parser. It handles the request that visitors of short links
 * nearly always send: a complete, plain `GET` for a public path in one chunk. `node:http` would spend most of a
 * redirect's time on objects that such a request does not need.
 *
 * The fast path never buffers and never guesses. At the first unexpected byte, it hands the connection over to
 * `node:http` permanently, with the data read so far. Node's parser and timeouts therefore decide all doubtful cases.
 */
export function createFastPath(server: Server, options: FastPathOptions): FastPath {
  const { redirect, readFacts, clientOf, hostOf, userHeader, tickLimit, leavesCrossOrigin = false } = options;
  const parse = server.listeners('connection')[0] as (this: Server, socket: Socket) => void;
  server.off('connection', parse);

  const connections = new Set<Connection>();
  const shared: ConnectionOptions = {
    redirect,
    readFacts,
    clientOf,
    hostOf,
    userHeader,
    tickLimit,
    below: options.below,
    leavesCrossOrigin,
    connections,
    draining: false,
    names: headerNames(options.countryHeader),
    isMounted: createIsMounted(options.mounts),
    redirectHeaders: redirectHeaders(options.referrerPolicy),
    overTls:
      options.strictTransport === undefined
        ? ''
        : `Strict-Transport-Security: ${options.strictTransport}\r\n`,
    generalHeaders: createGeneralHeaders(options.now, idleSweepsOf(server)),
    handOver: (socket) => parse.call(server, socket),
    timeOut: (socket) => void server.emit('clientError', new RequestTimeout(), socket),
  };
  server.on('connection', (socket: Socket) => void connections.add(new Connection(socket, shared)));
  sweepIdle(server, connections);

  return {
    drain() {
      shared.draining = true;
    },
    endIdle() {
      for (const connection of connections) {
        if (connection.pending) continue;
        if (connection.answered) connection.socket.destroy();
        else connection.handOver();
      }
    },
  };
}

/**
 * Creates the function that returns true if a request target's first segment is a mount. For speed, the segment is
 * extracted only if a mount has the same length.
 */
function createIsMounted(mounts: ReadonlySet<string>): (target: string) => boolean {
  const lengths = new Set([...mounts].map(({ length }) => length));
  return (target) => {
    const query = target.indexOf('?');
    let end = query === -1 ? target.length : query;
    const slash = target.indexOf('/', 1);
    if (slash !== -1 && slash < end) end = slash;
    return lengths.has(end - 1) && mounts.has(target.slice(1, end));
  };
}

/**
 * Error for a request timeout. It has the same code as Node's own error, because the server's `clientError` handler
 * checks the code.
 */
class RequestTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/**
 * Creates the function that returns the headers that `node:http` adds to every response, and the empty line that ends
 * them. The headers are rebuilt every second, because `Date` changes. `closes` is true if the connection closes after
 * the response.
 * @param now returns milliseconds since the epoch
 * @param keepAliveSeconds timeout for idle connections
 */
function createGeneralHeaders(now: () => number, keepAliveSeconds: number): (closes: boolean) => string {
  let second = Number.NaN;
  let closing = '';
  let keeping = '';
  return (closes) => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) {
      second = current;
      const date = `Date: ${new Date(second * 1_000).toUTCString()}\r\nConnection: `;
      closing = `${date}close\r\n\r\n`;
      keeping = `${date}keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
    }
    return closes ? closing : keeping;
  };
}

/** Returns the constant headers of redirects, which follow `Location`. */
function redirectHeaders(referrerPolicy: string | undefined): string {
  const policy = referrerPolicy === undefined ? '' : `Referrer-Policy: ${referrerPolicy}\r\n`;
  return `\r\nCache-Control: no-store\r\nContent-Length: 0\r\n${policy}`;
}
