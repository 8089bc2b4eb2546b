import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint, SuccessOf } from '../../contract/endpoint.ts';
import { type EndpointName, type Endpoints, endpoints } from '../../contract/endpoints/endpoints.ts';
import type { Answer } from '../../contract/envelope.ts';
import { type AuthOptions, authorize, requireAllowed } from './authenticate.ts';
import { type HandlerReply, handleCall } from './handle.ts';
import type { ApiContext, Handler, Handlers } from './handler.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What an endpoint is asked from within: values as clients send them. */
export interface Call {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
}

/** What became of a call: the body of its success, and whether it is of a record that was there before. */
export interface Answered<Body> {
  readonly body: Body;
  readonly existed: boolean;
}

/**
 * Calls an endpoint for the request that is being answered: scope, fields and rules are checked as for a request of its own.
 * It takes nothing off the limit of the key, which the request has used once.
 * @throws Failure what the endpoint refuses with
 */
export type Ask = <N extends EndpointName>(
  name: N,
  asked?: Call,
) => Promise<Answered<SuccessOf<Endpoints[N]>>>;

/** For routes that answer in the shape of another service what the endpoints do. */
export interface InnerCalls {
  readonly context: ApiContext;
  /** Finds out whose the key of a request is, as for an endpoint that any key may call. @throws Failure */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  askFor(request: FastifyRequest, reply: FastifyReply): Ask;
  /** Whether the key of a request may call an endpoint, before anything is done. @throws Failure */
  requireMay(request: FastifyRequest, name: EndpointName): void;
  /** Counts and logs what a request is refused with. @returns what the API would answer */
  refusalOf(error: unknown, request: FastifyRequest): Answer;
}

/** What every valid key may call. */
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
      return async (name, { params = {}, query = {}, body = {} } = {}) => {
        const endpoint: Endpoint = endpoints[name];
        const handler = handlers[name] as unknown as Handler<Endpoint>;
        if (actor !== null) requireAllowed(actor.key, endpoint);
        // Neither strict handling nor an idempotency key that was sent is for the endpoint.
        const headers = authorization === undefined ? {} : { authorization };
        const asked = { id, actor, method: endpoint.method, params, query, body, headers };
        let status = 0;
        // The headers of the endpoint's answer are none of the request's.
        const told = {
          raw,
          code: (given: number) => {
            status = given;
            return told;
          },
          header: () => told,
          headers: () => told,
        };
        const answer = await handleCall(options, endpoint, handler, asked, told as unknown as HandlerReply);
        const { existing } = endpoint.success;
        return {
          body: answer,
          existed: existing !== undefined && status === existing.status,
        } as Answered<never>;
      };
    },
  };
}
