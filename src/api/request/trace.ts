import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../../runtime/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/** Traces every API request and the writes of its handler. Call before other hooks are added. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  fastify.decorateRequest('span', null);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url } = request.routeOptions;
    const name = url === undefined ? request.method : `${request.method} ${url}`;
    request.span = tracing.beginRequest(name, request.headers);
    done();
  });
  // Enters the span after the body has been read, because body events run in the connection's async context.
  fastify.addHook('preHandler', (request, _reply, done) => {
    if (request.span === null) done();
    else request.span.enclose(done);
  });
  // Ends the span when an event stream starts, because the stream may last for days.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config?.endpoint?.success.events !== undefined) endSpan(request, reply);
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply);
    done();
  });
}

function endSpan(request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const facts = {
    'http.request.method': request.method,
    ...(url !== undefined && { 'http.route': url }),
    'http.response.status_code': reply.statusCode,
    'linkfold.endpoint': config.route ?? 'none',
    'linkfold.request_id': request.id,
  };
  request.span?.end(facts, request.errorCode === '' ? undefined : request.errorCode);
  request.span = null;
}
