import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../api/request/handler.ts';
import type { Ask } from '../../api/request/inner-calls.ts';
import type { Method } from '../../contract/endpoint.ts';
import type { EndpointName } from '../../contract/endpoints/endpoints.ts';
import type { Answer } from '../../contract/envelope.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A request of a program of another service. */
export interface Incoming {
  readonly context: ApiContext;
  /** Calls endpoints of our API with the key of the request. */
  readonly ask: Ask;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly body: Fields;
}

/** What the program is answered. A text is sent as it is, anything else as JSON. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** The media type; JSON unless it is given. */
  readonly type?: string;
}

/** What a request is refused with, before it has the shape of the service. */
export interface Refused {
  readonly answer: Answer;
  readonly query: Fields;
  readonly body: Fields;
  readonly path: string;
}

export interface Route {
  readonly method: Method;
  /** In Fastify's words, from the root of the server. */
  readonly path: string;
  /** Whether no key is asked for. */
  readonly isPublic?: true;
  /** What it asks when something is made already: a key that may not ask that makes nothing. */
  readonly tellsBy?: EndpointName;
  readonly run: (request: Incoming) => Promise<Reply>;
}

/** How one service is spoken: a thin translation to the endpoints of our API, and of its refusals. */
export interface Adapter {
  readonly routes: readonly Route[];
  /** Paths below it that are none of the routes are refused in the shape of the service too. */
  readonly root?: string;
  /** The key in a body, where programs of the service may put it. */
  readonly keyIn?: (body: Fields) => string | undefined;
  refuse(refused: Refused): Reply;
}

export function fieldsOf(value: FastifyRequest['query'] | FastifyRequest['body']): Fields {
  return (value ?? {}) as Fields;
}
