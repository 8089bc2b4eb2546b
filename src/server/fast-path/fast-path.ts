import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isOptOut, isPrefetch } from '../../clicks/dimensions/visit-headers.ts';
import type { ClickFacts } from '../../domain/clicks/click-facts.ts';
import type { Visit, VisitClient, VisitOptions } from '../../redirect/visit.ts';
import { STATUS_CODES } from '../../runtime/node-http.ts';
import { readAsStream, readInto } from '../../runtime/read-into.ts';
import {
  accept,
  anySegments,
  forwardedFor,
  headerNames,
  language,
  named,
  newSpans,
  oneSegment,
  optOuts,
  origin,
  purposes,
  readPlainGet,
  referer,
  userAgent,
} from './plain-get.ts';

export interface FastPathOptions extends VisitOptions {
  /** First path segments that are not public: requests for them are left to `node:http`. */
  readonly mounts: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether requests of pages of other origins are left to `node:http`, since their answers have more headers. */
  readonly leavesPages?: boolean;
  /** Whether short codes may have more than one segment; paths of several are left to `node:http` otherwise. */
  readonly takesSegments?: boolean;
  /** How many visits are answered in one tick of the event loop. */
  readonly tickLimit: { isFull(): boolean; later(work: () => void): void };
}

export interface FastPath {
  /** From now on every request is left to `node:http`. */
  drain(): void;
  /** Ends idle connections; those that have sent no request yet are left to `node:http`. */
  endIdle(): void;
}

const sweepMs = 1_000;

/**
 * Stands before an HTTP server's own parser and answers what visitors of short links nearly always send: one complete,
 * plain `GET` for a public path that came in one piece. `node:http` would spend most of a redirect's time on objects
 * that such a request does not need.
 *
 * It never buffers and never guesses: at the first byte it does not know, the untouched connection goes to `node:http`,
 * with what was read of it, and stays there. So Node's parser and its time-outs decide in every doubtful case.
 */
export function createFastPath(server: Server, options: FastPathOptions): FastPath {
  const {
    redirect,
    readFacts,
    clientOf,
    countryHeader,
    mounts,
    now,
    referrerPolicy,
    tickLimit,
    leavesPages = false,
    takesSegments = false,
  } = options;
  const parse = server.listeners('connection')[0] as (this: Server, socket: Socket) => void;
  server.off('connection', parse);
  server.on('connection', (socket: Socket) => void connections.add(new Connection(socket)));

  const names = headerNames(countryHeader);
  const isPath = takesSegments ? anySegments : oneSegment;
  const mountLengths = new Set([...mounts].map(({ length }) => length));
  const connections = new Set<Connection>();
  const idleSweeps = Math.ceil(server.keepAliveTimeout / sweepMs);
  const silentSweeps = Math.ceil(server.headersTimeout / sweepMs);
  let draining = false;

  let second = 0;
  let general = '';
  /** The headers that `node:http` adds to every answer; rebuilt every second, for the date. */
  const generalHeaders = (): string => {
    const current = Math.floor(now() / 1_000);
    if (current !== second || general === '') {
      second = current;
      const date = new Date(second * 1_000).toUTCString();
      const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${idleSweeps}`;
      general = `Date: ${date}\r\n${keepAlive}\r\n\r\n`;
    }
    return general;
  };
  const redirected = `\r\nCache-Control: no-store\r\nContent-Length: 0\r\n${
    referrerPolicy === undefined ? '' : `Referrer-Policy: ${referrerPolicy}\r\n`
  }`;

  /** One connection, and the one visit on it. */
  class Connection implements Visit {
    readonly method = 'GET';
    target = '';
    readonly socket: Socket;
    chunk: Buffer = nothing;
    /** Where the chunk is while its answer waits. */
    kept: Buffer = nothing;
    /** Where the values of the wanted headers begin and end in the chunk. */
    readonly spans = newSpans();
    /** Where requests come from that no proxy has sent on. */
    ownClient: VisitClient | undefined;
    /** When the last answer was sent. */
    sweeps = 0;
    answered = false;
    pending = false;
    leaving = false;
    ended = false;

    constructor(socket: Socket) {
      this.socket = socket;
      socket
        .on('data', this.onData)
        .on('end', this.onEnd)
        .on('error', this.onError)
        .on('close', this.onClose);
    }

    /** Takes the first chunk only: a connection that begins with any other request stays with `node:http`. */
    readonly onData = (chunk: Buffer): void => {
      if (!this.take(chunk, chunk.length)) return this.leave(chunk);
      if (readInto(this.socket, shared, this.onRead)) this.socket.off('data', this.onData);
    };
    readonly onRead = (length: number): void => {
      if (!this.take(shared, length)) this.leave(Buffer.copyBytesFrom(shared, 0, length));
    };
    readonly onEnd = (): void => {
      this.ended = true;
      if (!this.pending) this.socket.end();
    };
    readonly onError = (): void => void this.socket.destroy();
    readonly onClose = (): void => void connections.delete(this);

    /** @returns false when the request is left to `node:http` */
    take(chunk: Buffer, length: number): boolean {
      if (this.pending || draining || !this.read(chunk, length)) return false;
      this.pending = true;
      if (tickLimit.isFull()) tickLimit.later(() => redirect(this));
      else redirect(this);
      // Its answer waits, and the next connection reads into the same buffer, so the request is copied.
      if (this.pending && chunk === shared) {
        if (this.kept.length < length) this.kept = Buffer.allocUnsafeSlow(2 * length);
        shared.copy(this.kept, 0, 0, length);
        this.chunk = this.kept;
      }
      return true;
    }

    read(chunk: Buffer, length: number): boolean {
      const end = readPlainGet(chunk, length, this.spans, names, isPath);
      if (end === 0 || (leavesPages && this.spans[2 * origin] !== 0)) return false;
      this.chunk = chunk;
      this.target = chunk.toString('latin1', 4, end);
      const query = this.target.indexOf('?');
      let pathLength = (query === -1 ? this.target.length : query) - 1;
      if (takesSegments) {
        const slash = this.target.indexOf('/', 1);
        if (slash !== -1 && slash <= pathLength) pathLength = slash - 1;
      }
      return !mountLengths.has(pathLength) || !mounts.has(this.target.slice(1, pathLength + 1));
    }

    header(field: number): string {
      return this.chunk.toString('latin1', this.spans[2 * field], this.spans[2 * field + 1]).trim();
    }

    has(field: number): boolean {
      return this.spans[2 * field] !== 0;
    }

    client(): VisitClient {
      const { socket } = this;
      if (this.has(forwardedFor)) return clientOf(socket.remoteAddress, this.header(forwardedFor));
      this.ownClient ??= clientOf(socket.remoteAddress, undefined);
      return this.ownClient;
    }

    facts(): ClickFacts {
      const { network, isProxied } = this.client();
      const query = this.target.indexOf('?');
      return readFacts({
        agent: this.header(userAgent),
        referer: this.header(referer),
        language: this.header(language),
        optsOut: this.some(optOuts, isOptOut),
        prefetch: this.some(purposes, isPrefetch),
        country: isProxied && this.has(named) ? this.header(named) : '',
        query: query === -1 ? '' : this.target.slice(query + 1),
        address: network,
      });
    }

    some(fields: readonly number[], says: (value: string) => boolean): boolean {
      for (const field of fields) if (this.has(field) && says(this.header(field))) return true;
      return false;
    }

    accept(): string {
      return this.header(accept);
    }

    address(): string | undefined {
      const { network, isExempt } = this.client();
      return isExempt ? undefined : network;
    }

    languages(): string {
      return this.header(language);
    }

    /** Searched for among plain header lines, as few visits ask for it. */
    cookies(): string {
      const head = this.chunk.toString('latin1', 0, this.chunk.indexOf('\r\n\r\n'));
      return /\r\ncookie:([^\r]*)/i.exec(head)?.[1]?.trim() ?? '';
    }

    /** A form comes by POST, and that is left to `node:http`. */
    async form(): Promise<URLSearchParams> {
      return new URLSearchParams();
    }

    sendTo(location: string, status = 302): void {
      const line = status === 302 ? '302 Found' : `${status} ${STATUS_CODES[status]}`;
      this.write(`HTTP/1.1 ${line}\r\nLocation: ${location}${redirected}${generalHeaders()}`, 'latin1');
    }

    send(status: number, headers: Readonly<Record<string, string>>, body: string): void {
      let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
      for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
      this.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n${generalHeaders()}${body}`, 'utf8');
    }

    write(answer: string, encoding: BufferEncoding): void {
      const { socket } = this;
      this.pending = false;
      this.answered = true;
      this.sweeps = 0;
      this.chunk = nothing;
      if (socket.destroyed) return;
      // While a client does not read its answers, its requests are not read either.
      if (!socket.write(answer, encoding) && !this.leaving) {
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
      if (this.leaving) this.handOver();
      else if (this.ended) socket.end();
    }

    /** Hands the connection to `node:http`, after the answer that is due. */
    leave(chunk: Buffer): void {
      if (!this.pending) return this.handOver(chunk);
      this.leaving = true;
      this.socket.pause();
      this.socket.unshift(chunk);
    }

    /** No request came in time: the server's `clientError` handler answers, as for any other connection. */
    timeOut(): void {
      this.letGo();
      server.emit('clientError', new RequestTimeout(), this.socket);
    }

    letGo(): void {
      const { socket } = this;
      connections.delete(this);
      readAsStream(socket);
      socket
        .off('data', this.onData)
        .off('end', this.onEnd)
        .off('error', this.onError)
        .off('close', this.onClose);
    }

    handOver(chunk?: Buffer): void {
      const { socket } = this;
      this.letGo();
      if (chunk !== undefined) socket.unshift(chunk);
      parse.call(server, socket);
      if (this.leaving) socket.resume();
    }
  }

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

  return {
    drain() {
      draining = true;
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

const nothing = Buffer.alloc(0);
/** As much as Node itself reads at once. */
const shared = Buffer.allocUnsafeSlow(65_536);

/** Has the code of Node's own error, by which the server's handler recognizes it. */
class RequestTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}
