import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../api/request/handler.ts';
import type { Ask } from '../../api/request/inner-calls.ts';
import type { Method } from '../../contract/endpoint.ts';
import type { EndpointName } from '../../contract/endpoints/endpoints.ts';
import type { Answer } from '../../contract/envelope.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A request in the API of another service. */
export interface Incoming {
  readonly context: ApiContext;
  /** Calls endpoints of our API with the key of the request. */
  readonly ask: Ask;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly body: Fields;
}

/** The response to a client. A string is sent as it is, anything else as JSON. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Content type; JSON by default. */
  readonly type?: string;
}

/** An error response, before it is converted to the format of the service. */
export interface ErrorResponse {
  readonly answer: Answer;
  readonly query: Fields;
  readonly body: Fields;
  readonly path: string;
}

export interface Route {
  readonly method: Method;
  /** Path in Fastify's syntax, from the root of the server. */
  readonly path: string;
  /** Whether the route requires no key. */
  readonly isPublic?: true;
  /** Endpoint that provides the response after a write. A key without permission to call it may not write either. */
  readonly respondsWith?: EndpointName;
  readonly run: (request: Incoming) => Promise<Reply>;
}

/** The API of another service, as a thin translation to our endpoints and errors. */
export interface Adapter {
  readonly routes: readonly Route[];
  /** Root path of the API. Unknown paths below this root also return errors in the format of the service. */
  readonly root?: string;
  /** Returns the key from the body, for services that accept a key in the body. */
  readonly keyIn?: (body: Fields) => string | undefined;
  refuse(refused: ErrorResponse): Reply;
}

export function fieldsOf(value: FastifyRequest['query'] | FastifyRequest['body']): Fields {
  return (value ?? {}) as Fields;
}
