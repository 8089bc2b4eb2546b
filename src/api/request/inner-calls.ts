import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint, SuccessOf } from '../../contract/endpoint.ts';
import { type EndpointName, type Endpoints, endpoints } from '../../contract/endpoints/endpoints.ts';
import type { Answer } from '../../contract/envelope.ts';
import { type AuthOptions, authorize, requireAllowed } from './authenticate.ts';
import { type HandlerReply, handleCall } from './handle.ts';
import type { ApiContext, Handler, Handlers } from './handler.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Values for an internal endpoint call, in the same form as in client requests. */
export interface Call {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  /** Whether unknown field and parameter names are rejected. */
  readonly isStrict?: boolean;
}

/** Result of an internal call. */
export interface InnerResult<Body> {
  readonly body: Body;
  /** Whether the record already existed. */
  readonly existed: boolean;
  /** Media type, if the response is a file. */
  readonly type: string | undefined;
}

/**
 * Calls an endpoint on behalf of the current request. Scope, fields and rules are checked as for a request to that
 * endpoint. The call does not count against the key's rate limit, because the current request has already been counted.
 * @throws Failure as the endpoint does
 */
export type Ask = <N extends EndpointName>(
  name: N,
  call?: Call,
) => Promise<InnerResult<SuccessOf<Endpoints[N]>>>;

/** Internal calls, for routes that offer the API in a format compatible with another service. */
export interface InnerCalls {
  readonly context: ApiContext;
  /** Authenticates a request as if it called an endpoint that is open to every key. @throws Failure */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  askFor(request: FastifyRequest, reply: FastifyReply): Ask;
  /** Checks that a request's key may call an endpoint, before the endpoint is called. @throws Failure */
  requireMay(request: FastifyRequest, name: EndpointName): void;
  /** Counts and logs an error. @returns the API's error response */
  refusalOf(error: unknown, request: FastifyRequest): Answer;
}

/** Placeholder for an endpoint that every valid key may call. */
const anyKey = { access: { key: 'any', bound: true }, method: 'GET' } as Endpoint;

export function createInnerCalls(
  options: AuthOptions,
  handlers: Handlers<Endpoints>,
  refusalOf: InnerCalls['refusalOf'],
): InnerCalls {
  return {
    context: options.context,
    refusalOf,
    async identify(request, reply) {
      request.actor = await authorize(options, anyKey, request, reply);
    },
    requireMay({ actor }, name) {
      if (actor !== null) requireAllowed(actor.key, endpoints[name]);
    },
    askFor({ id, actor, headers: { authorization } }, { raw }) {
      return async (name, { params = {}, query = {}, body = {}, isStrict } = {}) => {
        const endpoint: Endpoint = endpoints[name];
        const handler = handlers[name] as unknown as Handler<Endpoint>;
        if (actor !== null) requireAllowed(actor.key, endpoint);
        // Omits `Prefer` and `Idempotency-Key`, which apply to the current request, not to the endpoint.
        const headers = {
          ...(authorization !== undefined && { authorization }),
          ...(isStrict && { prefer: 'handling=strict' }),
        };
        const request = { id, actor, method: endpoint.method, params, query, body, headers };
        let status = 0;
        let type: string | undefined;
        // Ignores the endpoint's response headers except the content type, because they do not apply to the current
        // response.
        const reply = {
          raw,
          code: (given: number) => {
            status = given;
            return reply;
          },
          header(header: string, value: string) {
            if (header === 'content-type') type = value;
          },
          headers: () => reply,
        };
        const answer = await handleCall(
          options,
          endpoint,
          handler,
          request,
          reply as unknown as HandlerReply,
        );
        const { existing } = endpoint.success;
        return {
          body: answer,
          existed: existing !== undefined && status === existing.status,
          type,
        } as InnerResult<never>;
      };
    },
  };
}
