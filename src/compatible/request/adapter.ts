import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../api/request/handler.ts';
import type { Ask } from '../../api/request/inner-calls.ts';
import type { Method } from '../../contract/endpoint.ts';
import type { EndpointName } from '../../contract/endpoints/endpoints.ts';
import type { Answer } from '../../contract/envelope.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A request in the format of another service's API. */
export interface Incoming {
  readonly context: ApiContext;
  /** Calls endpoints of Linkfold's API with the request's key. */
  readonly ask: Ask;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly body: Fields;
}

/** The response to a client. A string body is sent unchanged, any other body as JSON. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Content type. The default is JSON. */
  readonly type?: string;
}

/** An error response, before it is converted to the service's format. */
export interface ErrorResponse {
  readonly answer: Answer;
  readonly query: Fields;
  readonly body: Fields;
  readonly path: string;
}

export interface Route {
  readonly method: Method;
  /** Absolute path in Fastify's route syntax. */
  readonly path: string;
  /** Whether the route requires no key. */
  readonly isPublic?: true;
  /**
   * Endpoint that provides the response after a write. A key without permission to call this endpoint may not write
   * either.
   */
  readonly respondsWith?: EndpointName;
  readonly run: (request: Incoming) => Promise<Reply>;
}

/** Adapter that translates another service's API to Linkfold's endpoints and errors. */
export interface Adapter {
  readonly routes: readonly Route[];
  /** Root path of the API. Unknown paths below this root also return errors in the service's format. */
  readonly root?: string;
  /** Returns the key from the body. Set only for services that accept a key in the body. */
  readonly keyIn?: (body: Fields) => string | undefined;
  refuse(refused: ErrorResponse): Reply;
}

export function fieldsOf(value: FastifyRequest['query'] | FastifyRequest['body']): Fields {
  return (value ?? {}) as Fields;
}
