import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { VisitOptions } from '../../redirect/visit.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { createGeneralHeaders, redirectHeaders } from './general-headers.ts';
import { headerNames } from './plain-get.ts';
import { idleSweepsOf, sweepIdle } from './sweep.ts';

export interface FastPathOptions extends VisitOptions, Pick<ConnectionOptions, 'tickLimit'> {
  /** First path segments that are not public: requests for them are left to `node:http`. */
  readonly mounts: ReadonlySet<string>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether cross-origin requests are left to `node:http`, since their answers need CORS headers. */
  readonly leavesCrossOrigin?: boolean;
  /** `Strict-Transport-Security` header for TLS connections; undefined for none. */
  readonly strictTransport?: string | undefined;
}

export interface FastPath {
  /** Leaves every further request to `node:http`. */
  drain(): void;
  /** Closes idle connections; those without any request so far are left to `node:http`. */
  endIdle(): void;
}

/**
 * Creates the fast path: it sits in front of an HTTP server's parser and answers what visitors of short links nearly
 * always send, a single complete, plain `GET` of a public path in one chunk. `node:http` would spend most of a
 * redirect's time on objects that such a request does not need.
 *
 * It never buffers and never guesses: at the first unexpected byte the connection, with the data read so far, is
 * handed over to `node:http` and stays there. So Node's parser and its timeouts decide in every doubtful case.
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
 * @returns whether the first segment of a request target is a mount; the segment is extracted only if its length
 * matches one
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

/** Has the code of Node's own error, which the server's handler checks for. */
class RequestTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}
