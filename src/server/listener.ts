import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { errorAnswer, jsonHeaders, Refusal } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { Failure } from '../model/failures.ts';
import { createServer } from '../runtime/node-http.ts';
import { sendError, sendJson } from './answer.ts';
import { badRequest } from './bad-request.ts';
import type { RequestsBelow } from './below-path.ts';
import type { Cors } from './cors.ts';
import type { FastPath } from './fast-path/fast-path.ts';
import { endLingering, lingerAfter } from './linger.ts';
import { type ListenAddress, listenOn } from './port.ts';
import { createResend, ResentRequest } from './raw-targets.ts';
import type { TickLimit } from './tick-limit.ts';
import type { AnswerTlsCheck } from './tls/check.ts';

/** Error codes for requests that no handler receives. */
const transportRefusals: readonly ErrorCode[] = [
  ...(['BAD_REQUEST', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'URI_TOO_LONG'] as const),
  ...(['EXPECTATION_FAILED', 'HEADERS_TOO_LARGE', 'ROUTE_NOT_FOUND'] as const),
];

/** How long a connection may stay idle after the port has closed, in milliseconds. */
const lastRequestMs = 250;

/** `lastRequestMs` if other processes are still listening. Longer, so that most connections close after a response. */
const lastRequestOfWorkerMs = 2_000;

/** Maximum number of API requests that wait until the API is loaded. Each request takes memory. */
const maxWaitingForApi = 1_000;

/** Maximum length in bytes of an unused body to read. Reading it costs less than opening a new connection. */
const maxUnreadBody = 64 * 1024;

export interface ServerOptions {
  /** Handles all requests except probes and API requests. */
  readonly redirect: RequestListener;
  /** Rejects if this server cannot handle requests, for example because the database is unavailable. */
  readonly checkReady: () => Promise<void>;
  /** Handles a dashboard path. @returns false for any other path */
  readonly dashboard?: ((path: string, ...asked: Parameters<RequestListener>) => boolean) | undefined;
  /** Whether the API provides MCP at `/mcp`. */
  readonly assistants?: boolean;
  /** Returns true if a path outside `/api` belongs to the API too. */
  readonly isCompatible?: ((path: string) => boolean) | undefined;
  /** Set if `BASE_URL` has a path. Request targets for the shared domain then start with this path. */
  readonly below?: RequestsBelow | undefined;
  readonly newRequestId: () => string;
  readonly tickLimit: TickLimit;
  /** Set if pages from other origins may call this server. */
  readonly cors?: Cors | undefined;
  /** `Strict-Transport-Security` header for TLS connections; undefined for none. */
  readonly strictTransport?: string | undefined;
  /** Handler for `/tls-check`, where proxies ask whether a host may have a certificate; undefined if disabled. */
  readonly tlsCheck?: AnswerTlsCheck | undefined;
}

/** An additional port that hands its connections to the listener. */
export interface FurtherPort {
  readonly server: NetServer;
  /** Closes connections that have not sent a request yet. */
  endIdle(): void;
}

/** Counts of responses sent by the listener itself since the process started. */
export interface ListenerStats {
  readonly probes: Record<'healthz' | 'readyz', { ok: number; refused: number }>;
  /** Number of requests that reached no handler, such as malformed or oversized requests, by error code. */
  readonly refusals: Map<ErrorCode, number>;
}

/** First path segments of paths that are not public. This listener handles them, not the fast path. */
export const mounts: ReadonlySet<string> = new Set([
  ...['api', 'dashboard', 'healthz', 'readyz', 'metrics', 'tls-check', 'mcp'],
]);

/** `stop`: the whole service stops. `leave`: only this process stops; others continue to listen on its socket. */
export type End = 'stop' | 'leave';

export interface Listener {
  readonly server: Server;
  readonly stats: ListenerStats;
  /** Returns true if `/readyz` would return 200. */
  isReady(): Promise<boolean>;
  /** Serves `/metrics` on this port. @param answers handles a request; returns false for an unknown path */
  mountMetrics(answers: (request: IncomingMessage, response: ServerResponse) => boolean): void;
  /** Mounts the API. Until the API is mounted, API requests wait, and `/readyz` returns "not ready". */
  mountApi(listener: RequestListener): void;
  /** Opens the port. @returns the actual port */
  listen(place: ListenAddress): Promise<number>;
  /** Adds a port that hands its connections to this listener, and closes together with it. */
  addPort(port: FurtherPort): void;
  /** Installs the fast path for plain redirects in front of Node's parser. */
  useFastPath(create: (server: Server) => FastPath): void;
  /**
   * Closes each connection as soon as its response is sent. Reports "not ready" unless other processes continue to
   * listen.
   */
  drain(end: End): void;
  /** Closes the ports. Resolves when every accepted request has been handled and every connection is closed. */
  close(): Promise<void>;
}

/**
 * Creates the HTTP listener for probes, the API and public paths. The limits are stricter than Node's defaults, because
 * the listener is exposed to the public internet.
 */
export function createListener(given: ServerOptions): Listener {
  const api = createApiMount(given.newRequestId);
  let metrics: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  let draining: End | undefined;
  let fastPath: FastPath | undefined;
  const furtherPorts: FurtherPort[] = [];
  const stats: ListenerStats = {
    probes: { healthz: { ok: 0, refused: 0 }, readyz: { ok: 0, refused: 0 } },
    refusals: new Map(transportRefusals.map((code) => [code, 0])),
  };
  const counted = (error: Refusal): Refusal => {
    stats.refusals.set(error.code, (stats.refusals.get(error.code) ?? 0) + 1);
    return error;
  };
  const whyUnready = (): Failure | undefined => {
    if (draining === 'stop') return stopping();
    return api.isMounted() ? undefined : starting();
  };
  const probe = createProbes(given, stats, whyUnready);

  const handle: RequestListener = (request, response) => {
    given.cors?.allow(request, response);
    if (given.strictTransport !== undefined && 'encrypted' in request.socket)
      response.setHeader('strict-transport-security', given.strictTransport);
    const problem = badRequest(request) ?? given.below?.removeFrom(request);
    if (problem !== undefined) return sendError(response, counted(problem), given.newRequestId());
    if (given.cors?.preflight(request, response)) return;
    const url = request.url ?? '/';
    if (url.startsWith('/api') && (url.length === 4 || url[4] === '/' || url[4] === '?'))
      return api.answer(request, response);
    const [asked = url] = url.split('?', 1);
    const path = asked.endsWith('/') ? asked.slice(0, -1) : asked;
    if (given.isCompatible?.(asked)) return api.answer(request, response);
    if (path === '/healthz' || path === '/readyz') return probe(path, request, response);
    if (path === '/metrics' && metrics(request, response)) return;
    if (path === '/mcp' && given.assistants && !isVisit(request)) return api.answer(request, response);
    if (given.tlsCheck?.(request, response)) return;
    if (given.dashboard?.(path, request, response)) return;
    return given.redirect(request, response);
  };
  const server = createHttpServer(given, handle, () => draining !== undefined, counted);

  return {
    server,
    stats,
    isReady: async () => {
      if (whyUnready() !== undefined) return false;
      return given.checkReady().then(
        () => true,
        () => false,
      );
    },
    mountMetrics: (answers) => {
      metrics = answers;
    },
    mountApi: api.mount,
    listen: (place) => listenOn(server, place),
    addPort: (port) => void furtherPorts.push(port),
    useFastPath: (create) => {
      fastPath = create(server);
    },
    drain: (end) => {
      draining = end;
      fastPath?.drain();
      // Rejects API requests: the API will not be mounted anymore, and waiting requests would keep connections open.
      if (!api.isMounted())
        api.mount((_request, response) => sendError(response, stopping(), given.newRequestId()));
    },
    close: () => closeGracefully(server, furtherPorts, fastPath, draining === 'leave'),
  };
}

/** Returns true for requests that may be visits: GET and HEAD, unless the client accepts an event stream. */
function isVisit({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return method === 'HEAD' || (method === 'GET' && !accept.includes('text/event-stream'));
}

/** Creates the mount point for the API. Until the API is mounted, up to `maxWaitingForApi` requests wait. */
function createApiMount(newRequestId: () => string) {
  let early: Parameters<RequestListener>[] | undefined = [];
  let api: RequestListener = (...asked) => {
    if (early !== undefined && early.length < maxWaitingForApi) early.push(asked);
    else sendError(asked[1], starting(), newRequestId());
  };
  return {
    answer: (...asked: Parameters<RequestListener>): void => api(...asked),
    isMounted: (): boolean => early === undefined,
    mount(listener: RequestListener): void {
      api = listener;
      for (const asked of early ?? []) api(...asked);
      early = undefined;
    },
  };
}

/** Creates the handler for probes. @param whyUnready returns the error for `/readyz`; undefined to check storage */
function createProbes(
  { newRequestId, checkReady }: ServerOptions,
  { probes }: ListenerStats,
  whyUnready: () => Failure | undefined,
) {
  return (url: '/healthz' | '/readyz', request: IncomingMessage, response: ServerResponse): void => {
    const id = newRequestId();
    const counts = url === '/healthz' ? probes.healthz : probes.readyz;
    const ok = (status: string): void => {
      counts.ok += 1;
      sendJson(response, 200, { status }, id);
    };
    const no = (error: unknown): void => {
      counts.refused += 1;
      sendError(response, error, id);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return no(
        new Refusal('METHOD_NOT_ALLOWED', 'Health checks support GET and HEAD only.', { allow: 'GET, HEAD' }),
      );
    }
    if (url === '/healthz') return ok('ok');
    const refusal = whyUnready();
    if (refusal !== undefined) return no(refusal);
    checkReady().then(() => ok('ready'), no);
  };
}

/** Creates Node's HTTP server, with the checks that run before a request reaches `handle`. */
function createHttpServer(
  { newRequestId, tickLimit }: ServerOptions,
  handle: RequestListener,
  isDraining: () => boolean,
  counted: (error: Refusal) => Refusal,
): Server {
  /** Requests that are deferred to a later tick, at most one per connection. */
  const deferred = new WeakMap<Socket, () => void>();
  const answerDeferred = (socket: Socket): void => {
    const answer = deferred.get(socket);
    deferred.delete(socket);
    answer?.();
  };
  const take: RequestListener = (request, response) => {
    request.arrivedAt = performance.now();
    // Closes the connection after an unhandled upgrade. Otherwise Node would ignore parse errors on the connection, and
    // the client would wait for a response that never comes.
    const { socket } = request;
    if (isDraining() || request.headers.upgrade !== undefined || socket instanceof ResentRequest)
      response.shouldKeepAlive = false;
    endBodies(request, response);
    // Defers only one request per connection. A client may pipeline thousands of requests, and their responses would
    // exhaust memory.
    if (deferred.has(socket)) answerDeferred(socket);
    if (tickLimit.isFull() && response.socket !== null) {
      deferred.set(socket, () => handle(request, response));
      tickLimit.later(() => answerDeferred(socket));
    } else handle(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000, // longer than load balancers' idle timeout, or they would reuse closed connections
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false, // `badRequest` checks it; Node would respond without our error envelope
      noDelay: true,
    },
    take,
  );
  // Leaves "100 Continue" to the handler that reads the body, so that clients do not send bodies for rejected requests.
  server.on('checkContinue', take);
  server.on('checkExpectation', (_request, response) =>
    sendError(response, counted(new Refusal('EXPECTATION_FAILED')), newRequestId()),
  );
  server.on('connect', (_request, socket: Socket) => {
    const refusal = new Refusal('METHOD_NOT_ALLOWED', 'CONNECT is not supported.', {
      allow: 'GET, HEAD',
    });
    refuseRaw(socket, counted(refusal), newRequestId());
  });
  const resend = createResend(server);
  server.on('clientError', (error: NodeJS.ErrnoException, given: Socket | ResentRequest) => {
    const socket = given instanceof ResentRequest ? given.socket : given;
    if (given === socket && resend(error, socket)) return;
    if (error.code !== 'ECONNRESET') refuseRaw(socket, counted(brokenRequest(error)), newRequestId());
    else socket.destroy();
  });
  return server;
}

/**
 * Closes the ports, and resolves when all connections are closed.
 * @param isLeaving true if other processes continue to listen, and accept the connections that are waiting on the
 * socket
 */
async function closeGracefully(
  server: Server,
  furtherPorts: readonly FurtherPort[],
  fastPath: FastPath | undefined,
  isLeaving: boolean,
): Promise<void> {
  const servers = [server, ...furtherPorts.map((port) => port.server)].filter((one) => one.listening);
  if (!isLeaving) await turnWithoutArrival(servers);
  return new Promise((resolve) => {
    // Closes connections only after they have been idle for a while. A request may be about to arrive, and the response
    // to that request closes the connection. Node's own `close()` would not wait.
    const endIdle = (): void => {
      server.closeIdleConnections();
      fastPath?.endIdle();
      for (const port of furtherPorts) port.endIdle();
    };
    const idle = setInterval(endIdle, isLeaving ? lastRequestOfWorkerMs : lastRequestMs);
    const closing = servers.map(
      (one) => new Promise<void>((closed) => void NetServer.prototype.close.call(one, () => closed())),
    );
    void Promise.all(closing).then(() => {
      clearInterval(idle);
      resolve();
    });
  });
}

const maxTicks = 1_000;

/**
 * Waits, right before the port closes, for a tick of the event loop without new connections. The kernel completes
 * connections before this process accepts them, and would reset connections that are still waiting when the port
 * closes.
 */
async function turnWithoutArrival(servers: readonly NetServer[]): Promise<void> {
  let arrivals = 0;
  const onConnection = (): void => {
    arrivals += 1;
  };
  for (const server of servers) server.on('connection', onConnection);
  for (let tick = 0, seen = -1; tick < maxTicks && seen !== arrivals; tick += 1) {
    seen = arrivals;
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const server of servers) server.off('connection', onConnection);
}

/**
 * Closes the connection after a response if a long body may still follow. Otherwise Node would read the whole body
 * before the next request, no matter how slowly the body arrives.
 */
function endBodies(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length !== undefined || encoding !== undefined) lingerAfter(request);
  if (length !== undefined && Number(length) > maxUnreadBody) response.shouldKeepAlive = false;
  if (encoding === undefined || !response.shouldKeepAlive) return;
  // Announces in the response that the connection will close, unless the body ends first. Without this announcement,
  // the client would send its next request on a closing connection.
  response.shouldKeepAlive = false;
  request.once('end', () => {
    response.shouldKeepAlive = true;
  });
}

function brokenRequest(error: NodeJS.ErrnoException): Refusal {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('HEADERS_TOO_LARGE');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('REQUEST_TIMEOUT');
    default:
      return new Refusal('BAD_REQUEST');
  }
}

const starting = (): Failure => new Failure('STORAGE_UNAVAILABLE');
const stopping = (): Failure => new Failure('SHUTTING_DOWN');

/** Sends an error response on the raw socket, for data that never became a request, and closes the socket. */
function refuseRaw(socket: Socket, error: Refusal, requestId: string): void {
  // Node has removed its own error listener. Without this listener, a reset during the write would be an unhandled
  // error, which ends the process.
  socket.on('error', () => socket.destroy());
  const { status, headers, body } = errorAnswer(error, requestId);
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const lines = { ...jsonHeaders(requestId), 'content-length': length, ...headers, connection: 'close' };
  const head = Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  // Waits, because earlier requests on the same connection are handled in this tick, and their responses must be sent
  // first.
  setImmediate(() => {
    // If a response was already sent on this socket, this is a second error, which gets no response.
    if (!socket.writable || socket.writableEnded) return void socket.destroy();
    endLingering(socket, `HTTP/1.1 ${status} ${body.error.code}\r\n${head}\r\n${text}`);
  });
}
