import type { Socket } from 'node:net';
import type { BelowPath, VisitOptions } from '../../redirect/visit.ts';
import { STATUS_CODES } from '../../runtime/node-http.ts';
import { type HeaderNames, host, maxBytes, newSpans, origin, readPlainGet } from './plain-get.ts';
import { noBytes, PlainVisit } from './plain-visit.ts';
import { readAsStream, readInto } from './read-into.ts';

/** Options and state that all fast-path connections of a server share. */
export interface ConnectionOptions
  extends Pick<VisitOptions, 'redirect' | 'readFacts' | 'clientOf' | 'hostOf' | 'userHeader'> {
  /** Open connections that have not been handed over to `node:http`. */
  readonly connections: Set<Connection>;
  /** Whether `node:http` handles all requests from now on. */
  draining: boolean;
  /** Names of the request headers to read or reject. */
  readonly names: HeaderNames;
  /** Returns true if a request target is not a public path. */
  readonly isMounted: (target: string) => boolean;
  /** Set if `BASE_URL` has a path. Request targets for the shared domain then start with this path. */
  readonly below: BelowPath | undefined;
  /** Whether `node:http` handles cross-origin requests. */
  readonly leavesCrossOrigin: boolean;
  /** Limits the number of visits per tick of the event loop. */
  readonly tickLimit: { isFull(): boolean; later(work: () => void): void };
  /** Headers that follow `Location` in every redirect. */
  readonly redirectHeaders: string;
  /** Additional headers for responses on encrypted connections. */
  readonly overTls: string;
  /** Returns the last headers of every response, and the empty line that ends them. */
  readonly generalHeaders: (closes: boolean) => string;
  /** Hands a connection over to `node:http`. */
  readonly handOver: (socket: Socket) => void;
  /** Sends the error response on a connection whose request did not arrive in time. */
  readonly timeOut: (socket: Socket) => void;
}

/** Read buffer that all connections share. It has the same size as Node's own buffer. */
const shared = Buffer.allocUnsafeSlow(65_536);
const sharedSpans = newSpans();

/**
 * Copy of a request whose response is pending. A copy is needed because other connections read into the same buffer.
 */
interface RequestCopy {
  readonly chunk: Buffer;
  readonly spans: Int32Array;
}

/** Copies for reuse, because a new copy needs two allocations outside the JavaScript heap. */
const spareCopies: RequestCopy[] = [];
/** Maximum number of copies to keep for reuse. */
const maxSpareCopies = 1_024;

const connection = Symbol('connection');
type Visited = Socket & { [connection]: Connection };

function connectionOf(socket: Socket): Connection {
  return (socket as Visited)[connection];
}

// All connections share these callbacks, because creating closures for each connection would cost time and memory.
function onRead(this: Socket, length: number): void {
  const own = connectionOf(this);
  if (!own.take(shared, length)) own.leave(Buffer.copyBytesFrom(shared, 0, length));
}
function onEnd(this: Socket): void {
  const own = connectionOf(this);
  own.ended = true;
  if (!own.pending) own.close();
}
function onData(this: Socket, chunk: Buffer): void {
  const own = connectionOf(this);
  if (!own.take(chunk, chunk.length)) own.leave(chunk);
}
function onError(this: Socket): void {
  this.destroy();
}
function onClose(this: Socket): void {
  const own = connectionOf(this);
  own.options.connections.delete(own);
}

/** A connection with its current visit. */
export class Connection extends PlainVisit {
  readonly options: ConnectionOptions;
  /** Response headers that depend on whether this connection is encrypted. */
  readonly ownHeaders: string;
  requestCopy: RequestCopy | undefined;
  /** Number of idle checks since the last response. Checks run once a second. */
  sweeps = 0;
  answered = false;
  pending = false;
  leaving = false;
  ended = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    super(socket);
    this.options = options;
    this.ownHeaders = 'encrypted' in socket ? options.overTls : '';
    (socket as Visited)[connection] = this;
    if (!readInto(socket, shared, onRead, onEnd)) socket.on('data', onData).on('end', onEnd);
    socket.on('error', onError).on('close', onClose);
  }

  /** Handles received data. @returns false if `node:http` must handle the request */
  take(chunk: Buffer, length: number): boolean {
    const { draining, tickLimit, redirect } = this.options;
    if (this.pending || draining) return false;
    this.spans = sharedSpans;
    if (!this.read(chunk, length)) return false;
    this.pending = true;
    if (tickLimit.isFull()) this.redirectLater();
    else redirect(this);
    if (this.pending) this.copyRequest(chunk, length);
    return true;
  }

  copyRequest(chunk: Buffer, length: number): void {
    const copy = spareCopies.pop() ?? { chunk: Buffer.allocUnsafeSlow(maxBytes), spans: newSpans() };
    this.requestCopy = copy;
    copy.spans.set(sharedSpans);
    this.spans = copy.spans;
    if (chunk !== shared) return;
    shared.copy(copy.chunk, 0, 0, length);
    this.chunk = copy.chunk;
  }

  releaseCopy(): void {
    const copy = this.requestCopy;
    this.chunk = noBytes;
    this.spans = sharedSpans;
    if (copy === undefined) return;
    this.requestCopy = undefined;
    if (spareCopies.length < maxSpareCopies) spareCopies.push(copy);
  }

  /**
   * Defers the visit to a later tick. This is a separate method, so that visits handled immediately create no closure.
   */
  redirectLater(): void {
    const { tickLimit, redirect } = this.options;
    tickLimit.later(() => redirect(this));
  }

  /** Parses a request. @returns true for a plain request for a public path */
  read(chunk: Buffer, length: number): boolean {
    const { names, leavesCrossOrigin, isMounted, below } = this.options;
    const end = readPlainGet(chunk, length, this.spans, names);
    if (end === 0 || (leavesCrossOrigin && this.has(origin))) return false;
    this.chunk = chunk;
    this.target = chunk.toString('latin1', 4, end);
    return (below === undefined || this.removePath(below)) && !isMounted(this.target);
  }

  /** Removes the path of `BASE_URL` from the target. @returns false if `node:http` must handle the target */
  removePath({ path, targetOf }: BelowPath): boolean {
    const target = targetOf(this.target, this.header(host));
    if (target === undefined) return false;
    this.root = target === this.target ? '' : path;
    this.target = target;
    return true;
  }

  sendTo(location: string, status = 302): void {
    const { redirectHeaders, generalHeaders } = this.options;
    const line = status === 302 ? '302 Found' : `${status} ${STATUS_CODES[status]}`;
    const headers = `${redirectHeaders}${this.ownHeaders}${generalHeaders(this.closes())}`;
    this.write(`HTTP/1.1 ${line}\r\nLocation: ${location}${headers}`, 'latin1');
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.ownHeaders}`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    const length = Buffer.byteLength(body);
    head += `content-length: ${length}\r\n${this.options.generalHeaders(this.closes())}`;
    if (typeof body === 'string') this.write(head + body, 'utf8');
    else this.write(head + body.toString('latin1'), 'latin1');
  }

  write(answer: string, encoding: BufferEncoding): void {
    const { socket } = this;
    const isLast = this.closes();
    this.pending = false;
    this.answered = true;
    this.sweeps = 0;
    this.releaseCopy();
    if (socket.destroyed) return;
    // Stops reading requests while the client does not read the responses.
    if (!socket.write(answer, encoding) && !this.leaving) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
    if (isLast) this.close();
    else if (this.leaving) this.handOver();
    else if (this.ended) this.close();
  }

  /**
   * Closes the connection. Data that the kernel has accepted is still sent, and TLS sends a close notification first.
   */
  close(): void {
    const { socket } = this;
    if (socket.writableLength === 0 && !('encrypted' in socket)) socket.destroy();
    else socket.destroySoon();
  }

  /** Hands the connection over to `node:http` after the pending response. */
  leave(chunk: Buffer): void {
    if (!this.pending) return this.handOver(chunk);
    this.leaving = true;
    this.socket.pause();
    this.socket.unshift(chunk);
  }

  /**
   * Handles a request timeout. The server's `clientError` handler sends the response, as it does for other connections.
   */
  timeOut(): void {
    this.release();
    this.options.timeOut(this.socket);
  }

  release(): void {
    const { socket } = this;
    this.options.connections.delete(this);
    readAsStream(socket);
    socket.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
  }

  handOver(chunk?: Buffer): void {
    const { socket } = this;
    this.release();
    if (chunk !== undefined) socket.unshift(chunk);
    this.options.handOver(socket);
    if (this.leaving) socket.resume();
  }
}
