import type { Answer, Send } from './transport.ts';

/** Options of every call. */
export interface CallOptions {
  /** Makes a repetition of a POST safe across calls; the client draws one for every POST otherwise. PUT, PATCH and DELETE are refused with one. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Changes a link only while it has this revision (`include=revision`) or this `ETag`; otherwise the call fails with
   * `REVISION_MISMATCH`.
   */
  readonly ifMatch?: number | string | undefined;
  /** Overrides `timeoutMs` of the client for this call. */
  readonly timeoutMs?: number | undefined;
  /** Overrides `retries` of the client for this call. */
  readonly retries?: number | undefined;
  /** Ends the call, its waits included. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each answer that comes, before the call ends: refusals too, and those before another attempt. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}

/** Where an endpoint is and where its input goes. */
export interface EndpointFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`; `:name` marks a path parameter. */
  readonly path: string;
  /** Where its input goes; undefined where there is none. */
  readonly input?: 'query' | 'body';
  /** Fields of the query that are lists with a parameter for each member. */
  readonly repeated?: readonly string[];
  /** The media types of an answer that is a file and not JSON. */
  readonly files?: readonly string[];
  /** Whether that file is read as it comes. */
  readonly isStream?: true;
}

/**
 * Makes the function of one endpoint. Its arguments are the path parameters in their order, the input if the endpoint
 * has any, and the options.
 */
export function createCall(endpoint: EndpointFacts, send: Send) {
  const { method, path, input, repeated = [], files, isStream } = endpoint;
  const params = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);

  return async (...given: unknown[]): Promise<unknown> => {
    const values = given.splice(0, params.length);
    const fields = (input && given.shift()) || {};
    const { idempotencyKey, ifMatch, ...options } = (given.shift() ?? {}) as CallOptions;
    const headers: Record<string, string> = {};
    // A page's session is believed only with a body that says it is JSON, even where there is nothing to say.
    const sent = input === 'body' ? fields : method === 'POST' ? {} : undefined;
    if (sent !== undefined) headers['content-type'] = 'application/json';
    if (files !== undefined) headers['accept'] = `${files.join(', ')}, application/json;q=0.1`;
    const drawn = idempotencyKey ?? (method === 'POST' ? randomKey() : undefined);
    if (drawn !== undefined) headers['idempotency-key'] = drawn;
    if (ifMatch !== undefined) headers['if-match'] = etagOf(ifMatch);
    const answer = await send({
      method,
      path: `/api/v1${pathWith(path, params, values)}${input === 'query' ? queryText(Object.entries(fields), repeated) : ''}`,
      headers,
      body: sent === undefined ? undefined : JSON.stringify(sent),
      isRepeatable: method !== 'PATCH' && method !== 'DELETE',
      isFile: files !== undefined,
      isStream,
      ...options,
    });
    if (answer instanceof Blob || answer instanceof ReadableStream) return answer;
    return resultIn(answer as Record<string, unknown> | undefined);
  };
}

/** Not `crypto.randomUUID`: browsers have that only on pages that came by https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Returns the entity tag of a revision; what is an entity tag, a list of them or `*` stays. */
function etagOf(ifMatch: number | string): string {
  return /^\d+$/.test(String(ifMatch)) ? `"${ifMatch}"` : String(ifMatch);
}

function pathWith(path: string, parameters: readonly string[], values: readonly unknown[]): string {
  return parameters.reduce((made, name, at) => {
    const given = values[at];
    const value = typeof given === 'number' ? String(given) : given;
    // The URL parser would resolve "", "." and ".." away, and the request would reach another endpoint.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be a text that is neither empty nor "." nor "..".`);
    return made.replace(`:${name}`, () => encodeURIComponent(value));
  }, path);
}

export function queryText(
  fields: readonly (readonly [string, unknown])[],
  repeated: readonly string[],
): string {
  const given = fields
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) =>
      repeated.includes(name) && Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]],
    );
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The one thing beside `success`; a page keeps its `data` and `pagination`. */
function resultIn(answer: Record<string, unknown> | undefined): unknown {
  if (answer === undefined) return undefined;
  const { success: _, ...rest } = answer;
  return 'pagination' in rest ? rest : Object.values(rest)[0];
}
