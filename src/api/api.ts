import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { apiPrefix, type Endpoint, largestBody, methods } from '../contract/endpoint.ts';
import { type EndpointName, type Endpoints, endpoints } from '../contract/endpoints.ts';
import { errorAnswer, jsonHeaders, Refusal } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { ApiKey } from '../domain/keys.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { accountHandlers } from './account.ts';
import { type AuthOptions, authorize } from './authenticate.ts';
import { askForBody, checkDeclaredSize, checkMediaType, readBodies, tooLarge, unsupported } from './body.ts';
import { folderHandlers } from './folders.ts';
import { handleCall } from './handle.ts';
import type { Handler, Handlers } from './handler.ts';
import { linkHandlers } from './links.ts';
import { type Documentation, mountDocumentation } from './static-files.ts';
import { type ApiStats, countAnswer, type RouteName } from './stats.ts';
import { traceRequests } from './trace.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    route?: RouteName;
  }
  interface FastifyRequest {
    apiKey: ApiKey | null;
    /** What was refused, when something was. */
    errorCode: ErrorCode | '';
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** When its headers had come, by the monotonic clock, ms. */
    arrivedAt?: number;
  }
}

const handlers: Handlers<Endpoints> = { ...linkHandlers, ...folderHandlers, ...accountHandlers };

export interface ApiOptions extends AuthOptions {
  readonly newRequestId: () => string;
  readonly documentation: Documentation;
  readonly log: ApiLog;
  /** Where to count answers. */
  readonly stats: ApiStats;
  /** Undefined where the operator wants no traces. */
  readonly tracing?: Tracing | undefined;
}

export interface ApiLog {
  /** One line per answer, without anything the caller could have hidden a secret in. */
  answered(entry: Readonly<Record<string, unknown>>): void;
  fault(error: unknown, requestId: string): void;
}

/** Everything under `/api`, on Fastify. It listens on no port: give requests to its `routing` when it is ready. */
export function createApi(given: ApiOptions): FastifyInstance {
  const fastify = Fastify({
    bodyLimit: largestBody,
    logger: false,
    // No route has a schema of Fastify's: the compilers for them need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: () => given.newRequestId(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    frameworkErrors: (_error, request, reply) => {
      // The only one that reaches us is a malformed percent-encoding in the path: no such route (CONTRACT §3). It has
      // passed no hook.
      setCommonHeaders(request, reply as unknown as FastifyReply, 'body');
      sendError(given, noRoute(), request, reply as unknown as FastifyReply);
      noteAnswer(given, request, reply as unknown as FastifyReply);
    },
  });
  fastify.decorateRequest('apiKey', null);
  fastify.decorateRequest('errorCode', '');
  if (given.tracing !== undefined) traceRequests(fastify, given.tracing);
  readBodies(fastify);
  // Where nothing is mounted, nothing else about the request matters: refused before its body is looked at.
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? notFound(fastify, request) : undefined);
  });
  fastify.addHook('onSend', finishAnswer(given));
  fastify.setErrorHandler((error, request, reply) =>
    sendError(given, asRefusal(error, request), request, reply),
  );
  fastify.setNotFoundHandler((request, reply) =>
    sendError(given, notFound(fastify, request), request, reply),
  );
  for (const name of Object.keys(endpoints) as EndpointName[]) addRoute(fastify, given, name);
  mountDocumentation(fastify, given.documentation);
  return fastify;
}

function noCompiler(): never {
  throw new Error('Routes are checked by their contract, not by a schema of Fastify.');
}

function addRoute(fastify: FastifyInstance, given: ApiOptions, name: EndpointName): void {
  const endpoint: Endpoint = endpoints[name];
  const handler = handlers[name] as unknown as Handler<Endpoint>;
  fastify.route({
    method: endpoint.method,
    url: apiPrefix + endpoint.path,
    config: { endpoint, route: name },
    bodyLimit: endpoint.largestBody ?? largestBody,
    onRequest: async (request, reply) => {
      checkDeclaredSize(request);
      request.apiKey = await authorize(given, endpoint, request, reply);
      if (endpoint.body !== undefined) checkMediaType(request);
      askForBody(request, reply);
    },
    handler: (request, reply) => handleCall(given, endpoint, handler, request, reply),
  });
}

/**
 * Without promises, for every answer passes here. Noted before it leaves and not in `onResponse`: with a hook there, each
 * request stays in memory with those that came after it until V8 looks through its old objects, half a second of work.
 */
function finishAnswer(given: ApiOptions) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    noteAnswer(given, request, reply);
    setCommonHeaders(request, reply, payload);
    done(null, payload);
  };
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  // A file says by itself what it is, and for how long it is good.
  const isFile = reply.hasHeader('cache-control');
  for (const [name, value] of Object.entries(jsonHeaders(request.id))) {
    if (!isFile || !reply.hasHeader(name)) reply.header(name, value);
  }
  if (payload === undefined || payload === null) reply.removeHeader('content-type');
}

function sendError(given: ApiOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorAnswer(error, request.id);
  given.stats.errors[body.error.code] += 1;
  request.errorCode = body.error.code;
  if (isFault(body.error.code)) given.log.fault(error, request.id);
  void reply.code(status).headers(headers).send(body);
}

/** What the operator must hear of, beside the caller. */
function isFault(code: ErrorCode): boolean {
  return code === 'INTERNAL_ERROR' || code === 'STORAGE_UNAVAILABLE';
}

/** Fastify's own refusals in our words. */
function asRefusal(error: unknown, request: FastifyRequest): unknown {
  switch ((error as { code?: string }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupported();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new Refusal('INVALID_JSON', 'The request body ended early.');
    default:
      return error;
  }
}

/** 405 with `Allow` where the path exists with another method, else 404. */
function notFound(fastify: FastifyInstance, request: FastifyRequest): Refusal {
  const url = request.url.split('?', 1)[0] ?? '/';
  const allowed = methods.filter((method) => fastify.findRoute({ method, url }) !== null);
  if (allowed.length === 0) return noRoute();
  const allow = allowed.join(', ');
  return new Refusal('METHOD_NOT_ALLOWED', `This path answers ${allow}, not ${request.method}.`, { allow });
}

function noRoute(): Refusal {
  return new Refusal('ROUTE_NOT_FOUND', 'There is no such path in this API.');
}

function noteAnswer(given: ApiOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const route = config?.route ?? 'none';
  const ms = msSince(request);
  countAnswer(given.stats, route, reply.statusCode, ms);
  given.log.answered({
    requestId: request.id,
    method: request.method,
    route: url ?? 'unknown',
    status: reply.statusCode,
    ...(request.errorCode !== '' && { errorCode: request.errorCode }),
    // To the hundredth: most answers take less than a millisecond.
    ms: Math.round(ms * 100) / 100,
    ...(request.apiKey && { key: request.apiKey.id }),
  });
}

/** How long a request has been here, its wait for its turn and for its body included, ms. */
function msSince({ raw }: FastifyRequest): number {
  const now = performance.now();
  return now - (raw.arrivedAt ?? now);
}
