import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { apiPrefix, deprecationHeaders, type Endpoint, largestBody, methods } from '../contract/endpoint.ts';
import { type EndpointName, type Endpoints, endpoints } from '../contract/endpoints/endpoints.ts';
import { errorAnswer, jsonHeaders, Refusal } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Actor } from '../model/accounts/actors.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { accountHandlers } from './accounts/account.ts';
import { deviceHandlers } from './accounts/devices.ts';
import { keyHandlers } from './accounts/keys.ts';
import { memberHandlers } from './accounts/members.ts';
import { operatorHandlers } from './accounts/operator.ts';
import { passkeyHandlers } from './accounts/passkeys.ts';
import { sessionHandlers } from './accounts/sessions.ts';
import { singleSignOnHandlers } from './accounts/single-sign-on.ts';
import { aliasHandlers } from './aliases.ts';
import { mountAssistants } from './assistants/assistants.ts';
import { auditHandlers } from './audit.ts';
import { brandingHandlers } from './branding.ts';
import { bulkHandlers } from './bulk.ts';
import { dashboardHandlers } from './dashboard.ts';
import { domainHandlers } from './domains.ts';
import { eventHandlers } from './events.ts';
import { exportHandlers } from './exports.ts';
import { folderHandlers } from './folders.ts';
import { historyHandlers } from './history.ts';
import { importHandlers } from './imports/imports.ts';
import { linkHandlers } from './links.ts';
import { manifestHandlers } from './manifests/manifests.ts';
import { qrHandlers } from './qr.ts';
import { type AuthOptions, authorize, countMiss, requirePublicAllowance } from './request/authenticate.ts';
import {
  askForBody,
  checkDeclaredSize,
  checkMediaType,
  hasBody,
  readBodies,
  tooLarge,
  unsupported,
} from './request/body.ts';
import { handleCall } from './request/handle.ts';
import type { Handler, Handlers } from './request/handler.ts';
import { createInnerCalls, type InnerCalls } from './request/inner-calls.ts';
import { type Documentation, mountDocumentation } from './request/static-files.ts';
import { type ApiStats, countAnswer, type RouteName } from './request/stats.ts';
import { traceRequests } from './request/trace.ts';
import { simulationHandlers } from './simulation.ts';
import { clickHandlers } from './statistics/clicks.ts';
import { missedVisitHandlers } from './statistics/missed-visits.ts';
import { shareHandlers } from './statistics/shares.ts';
import { statisticsHandlers } from './statistics/statistics.ts';
import { tagHandlers } from './tags.ts';
import { utmTemplateHandlers } from './utm-templates.ts';
import { webhookHandlers } from './webhooks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    route?: RouteName;
  }
  interface FastifyRequest {
    actor: Actor | null;
    /** Error code of the response, if the request was rejected. */
    errorCode: ErrorCode | '';
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** When the request's headers arrived: time of the monotonic clock, in milliseconds. */
    arrivedAt?: number;
  }
}

const handlers: Handlers<Endpoints> = {
  ...linkHandlers,
  ...historyHandlers,
  ...auditHandlers,
  ...webhookHandlers,
  ...bulkHandlers,
  ...qrHandlers,
  ...simulationHandlers,
  ...folderHandlers,
  ...tagHandlers,
  ...utmTemplateHandlers,
  ...domainHandlers,
  ...importHandlers,
  ...manifestHandlers,
  ...statisticsHandlers,
  ...clickHandlers,
  ...aliasHandlers,
  ...exportHandlers,
  ...shareHandlers,
  ...missedVisitHandlers,
  ...eventHandlers,
  ...accountHandlers,
  ...sessionHandlers,
  ...keyHandlers,
  ...memberHandlers,
  ...operatorHandlers,
  ...passkeyHandlers,
  ...deviceHandlers,
  ...singleSignOnHandlers,
  ...brandingHandlers,
  ...dashboardHandlers,
};

export interface ApiOptions extends AuthOptions {
  readonly newRequestId: () => string;
  readonly documentation: Documentation;
  /** Whether `/mcp`, the endpoint for AI assistants, is enabled. */
  readonly assistants: boolean;
  readonly log: ApiLog;
  /** Counts and durations of responses, for metrics. */
  readonly stats: ApiStats;
  /** Tracing of requests; undefined if tracing is disabled. */
  readonly tracing?: Tracing | undefined;
  /** Mounts additional APIs that are compatible with other services and offer the same functions. */
  readonly mountAlso?: ((fastify: FastifyInstance, inner: InnerCalls) => void) | undefined;
}

export interface ApiLog {
  /** Logs one line per response. The line contains no strings from the request, because they could contain secrets. */
  answered(entry: Readonly<Record<string, unknown>>): void;
  fault(error: unknown, requestId: string): void;
}

/**
 * Creates the Fastify app for everything under `/api`. The app does not listen on a port: once the app is ready, pass
 * requests to its `routing`.
 */
export function createApi(options: ApiOptions): FastifyInstance {
  const fastify = Fastify({
    bodyLimit: largestBody,
    logger: false,
    // Avoids loading Fastify's schema compilers: no route uses a Fastify schema.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: () => options.newRequestId(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    frameworkErrors: (_error, request, reply) => {
      // Fastify calls this function only for malformed percent-encoding in the path. No hooks run, so this function
      // sets the headers and logs the response. The status is 404 (CONTRACT §3).
      setCommonHeaders(request, reply as unknown as FastifyReply, 'body');
      sendError(options, noRoute(), request, reply as unknown as FastifyReply);
      logAnswer(options, request, reply as unknown as FastifyReply);
    },
  });
  fastify.decorateRequest('actor', null);
  fastify.decorateRequest('errorCode', '');
  if (options.tracing !== undefined) traceRequests(fastify, options.tracing);
  readBodies(fastify);
  // Rejects a request for an unknown route before its body is read.
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? notFound(fastify, request) : undefined);
  });
  fastify.addHook('onSend', finishAnswer(options));
  fastify.setErrorHandler((error, request, reply) =>
    sendError(options, translateError(error, request), request, reply),
  );
  fastify.setNotFoundHandler((request, reply) =>
    sendError(options, notFound(fastify, request), request, reply),
  );
  for (const name of Object.keys(endpoints) as EndpointName[])
    addRoute(fastify, options, name, endpoints[name], handlers[name] as unknown as Handler<Endpoint>);
  mountDocumentation(fastify, options.documentation);
  const refusalOf = (error: unknown, request: FastifyRequest) =>
    reportError(options, translateError(error, request), request);
  const inner = createInnerCalls(options, handlers, refusalOf);
  if (options.assistants) mountAssistants(fastify, options, inner);
  options.mountAlso?.(fastify, inner);
  return fastify;
}

function noCompiler(): never {
  throw new Error('Do not set a Fastify schema on this route: requests are validated against the contract.');
}

/** Mounts one endpoint. @param name name of the endpoint in logs and metrics */
export function addRoute(
  fastify: FastifyInstance,
  options: Pick<ApiOptions, keyof AuthOptions>,
  name: EndpointName,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
): void {
  const isPublic = endpoint.access.key === 'none';
  const deprecation = endpoint.deprecation && deprecationHeaders(endpoint);
  fastify.route({
    method: endpoint.method,
    url: apiPrefix + endpoint.path,
    config: { endpoint, route: name },
    bodyLimit: endpoint.largestBody ?? largestBody,
    onRequest: async (request, reply) => {
      if (deprecation !== undefined) reply.headers(deprecation);
      checkDeclaredSize(request);
      if (isPublic) requirePublicAllowance(options, request, reply);
      else request.actor = await authorize(options, endpoint, request, reply);
      const isOfPage = request.actor?.session !== undefined && hasBody(request);
      if (endpoint.body !== undefined) checkMediaType(request, isOfPage);
      askForBody(request, reply);
    },
    handler: async (request, reply) => {
      const answer = handleCall(options, endpoint, handler, request, reply);
      return isPublic ? countMiss(options, request, answer) : answer;
    },
  });
}

/**
 * Creates the hook that sets the shared headers and logs the response. The hook uses no promises, because it runs for
 * every response. It logs before sending instead of in `onResponse`: an `onResponse` hook would keep requests in memory
 * until V8 collects the old generation, and that collection takes half a second.
 */
function finishAnswer(options: ApiOptions) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    logAnswer(options, request, reply);
    setCommonHeaders(request, reply, payload);
    // Logs stream errors, because the client receives no reason: once the headers are sent, an error can only close the
    // connection.
    if (payload instanceof Readable) payload.once('error', (error) => options.log.fault(error, request.id));
    done(null, payload);
  };
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  // Keeps the headers that a file response has set: the content type and, for static files, `Cache-Control`.
  const isFile = reply.hasHeader('cache-control') || reply.hasHeader('content-disposition');
  for (const [name, value] of Object.entries(jsonHeaders(request.id))) {
    if (!isFile || !reply.hasHeader(name)) reply.header(name, value);
  }
  if (payload === undefined || payload === null) reply.removeHeader('content-type');
}

/** Returns the response for an error. Counts the error, and logs it if the server is at fault. */
function reportError(options: ApiOptions, error: unknown, request: FastifyRequest) {
  const answer = errorAnswer(error, request.id);
  const { code } = answer.body.error;
  options.stats.errors[code] += 1;
  request.errorCode = code;
  if (isFault(code)) options.log.fault(error, request.id);
  return answer;
}

function sendError(options: ApiOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = reportError(options, error, request);
  void reply.code(status).headers(headers).send(body);
}

/** Returns true for errors that are the server's fault. The log reports these errors to the operator. */
function isFault(code: ErrorCode): boolean {
  return code === 'INTERNAL_ERROR' || code === 'STORAGE_UNAVAILABLE';
}

/** Converts Fastify's own errors into API errors. */
function translateError(error: unknown, request: FastifyRequest): unknown {
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

/** Returns 405 with `Allow` if the path exists with another method, else 404. */
function notFound(fastify: FastifyInstance, request: FastifyRequest): Refusal {
  const url = request.url.split('?', 1)[0] ?? '/';
  const allowed = methods.filter((method) => fastify.findRoute({ method, url }) !== null);
  if (allowed.length === 0) return noRoute();
  const allow = allowed.join(', ');
  return new Refusal('METHOD_NOT_ALLOWED', `This path supports ${allow}, not ${request.method}.`, { allow });
}

function noRoute(): Refusal {
  return new Refusal('ROUTE_NOT_FOUND');
}

function logAnswer(options: ApiOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const route = config?.route ?? 'none';
  const ms = msSince(request);
  countAnswer(options.stats, route, reply.statusCode, ms);
  options.log.answered({
    requestId: request.id,
    method: request.method,
    route: url ?? 'unknown',
    status: reply.statusCode,
    ...(request.errorCode !== '' && { errorCode: request.errorCode }),
    // Rounds to 0.01 ms, because most responses take less than one millisecond.
    ms: Math.round(ms * 100) / 100,
    ...(request.actor && { key: request.actor.key.id }),
    ...(request.actor?.session && { session: request.actor.session.id }),
  });
}

/**
 * Returns how many milliseconds a request has taken so far, including time in the queue and the transfer of the body.
 */
function msSince({ raw }: FastifyRequest): number {
  const now = performance.now();
  return now - (raw.arrivedAt ?? now);
}
