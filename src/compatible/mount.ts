import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '../api/request/body.ts';
import type { InnerCalls } from '../api/request/inner-calls.ts';
import { methods } from '../contract/endpoint.ts';
import { Refusal } from '../contract/envelope.ts';
import { bitly } from './bitly/bitly.ts';
import { kutt } from './kutt/kutt.ts';
import { type Adapter, fieldsOf, type Reply, type Route } from './request/adapter.ts';
import type { ServiceName } from './services.ts';
import { shlink } from './shlink/shlink.ts';
import { yourls } from './yourls/yourls.ts';

const adapters: Readonly<Record<ServiceName, Adapter>> = { yourls, shlink, kutt, bitly };

/** Mounts the APIs compatible with other services, next to Linkfold's own API. */
export function mountCompatible(
  fastify: FastifyInstance,
  inner: InnerCalls,
  services: readonly ServiceName[],
): void {
  for (const name of services)
    void fastify.register((scope, _options, done) => {
      mountAdapter(scope, inner, adapters[name]);
      done();
    });
}

const form = /^application\/x-www-form-urlencoded\b/i;

function mountAdapter(scope: FastifyInstance, inner: InnerCalls, adapter: Adapter): void {
  scope.removeAllContentTypeParsers();
  // Accepts any content type, because clients of these services send various content types or none.
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, readBody(request.headers['content-type'] ?? '', bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  scope.setErrorHandler((error, request, reply) => {
    const answer = inner.refusalOf(error, request);
    const [path = ''] = request.url.split('?', 1);
    const { query, body } = request;
    reply.headers(answer.headers);
    return send(reply, adapter.refuse({ answer, path, query: fieldsOf(query), body: fieldsOf(body) }));
  });
  for (const route of adapter.routes) addRoute(scope, inner, adapter, route);
  if (adapter.root !== undefined)
    scope.route({
      method: [...methods].filter((method) => method !== 'HEAD'),
      url: `${adapter.root}/*`,
      config: { route: 'compatible' },
      handler: () => Promise.reject(new Refusal('ROUTE_NOT_FOUND')),
    });
}

function addRoute(scope: FastifyInstance, inner: InnerCalls, adapter: Adapter, route: Route): void {
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (route.isPublic !== true) await inner.identify(request, reply);
  };
  // Authenticates before reading the body, unless the body may contain the key.
  const isKeyInBody = adapter.keyIn !== undefined && route.method !== 'GET';
  scope.route({
    method: route.method,
    url: route.path,
    config: { route: 'compatible' },
    ...(!isKeyInBody && { onRequest: identify }),
    handler: async (request, reply) => {
      const { query, params } = request;
      const body = fieldsOf(request.body);
      if (isKeyInBody) {
        const key = adapter.keyIn?.(body);
        if (key !== undefined) request.headers.authorization = `Bearer ${key}`;
        await identify(request, reply);
      }
      if (route.respondsWith !== undefined) inner.requireMay(request, route.respondsWith);
      const ask = inner.askFor(request, reply);
      const { context } = inner;
      const asked = { context, ask, body, query: fieldsOf(query) };
      return send(reply, await route.run({ ...asked, params: params as Record<string, string> }));
    },
  });
}

function send(reply: FastifyReply, { status, body, type }: Reply): FastifyReply {
  reply.code(status);
  if (type !== undefined) reply.headers({ 'content-type': type, 'cache-control': 'no-store' });
  return reply.send(body);
}

function readBody(type: string, bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  if (form.test(type)) return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  if (/^multipart\//i.test(type)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  return parseBody(bytes);
}
