import type { Answer, Send } from './transport.ts';

/** Options for every call. */
export interface CallOptions {
  /**
   * Idempotency key, which makes it safe to repeat a POST in a later call. By default, the client generates a key for
   * every POST. PUT, PATCH and DELETE ignore it.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Revision (`include=revision`) or `ETag` that the link must still have. Otherwise, the call fails with
   * `REVISION_MISMATCH`.
   */
  readonly ifMatch?: number | string | undefined;
  /** Overrides the client's `timeoutMs` for this call. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the client's `retries` for this call. */
  readonly retries?: number | undefined;
  /** Aborts the call, including its waits between attempts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each response before the call ends, including error responses and responses that are followed by a
   * retry.
   */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}

/** Route of an endpoint, and the location of its input. */
export interface EndpointFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v1`; `:name` marks a path parameter. */
  readonly path: string;
  /** Location of the input; undefined if the endpoint has no input. */
  readonly input?: 'query' | 'body';
  /** Query fields that are sent as one parameter per item. */
  readonly repeated?: readonly string[];
  /** Media types of the response, if it is a file instead of JSON. */
  readonly files?: readonly string[];
  /** Set if the file is streamed. */
  readonly isStream?: true;
}

/**
 * Creates the function that calls an endpoint. Its arguments are the path parameters in order, the input if the
 * endpoint has any, and the options.
 */
export function createCall(endpoint: EndpointFacts, send: Send) {
  const { method, path, input, repeated = [], files, isStream } = endpoint;
  const params = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);

  return async (...given: unknown[]): Promise<unknown> => {
    const values = given.splice(0, params.length);
    const fields = (input && given.shift()) || {};
    const { idempotencyKey, ifMatch, ...options } = (given.shift() ?? {}) as CallOptions;
    const headers: Record<string, string> = {};
    // A POST without input gets an empty JSON object, because the server requires a JSON body if a request uses the
    // session cookie.
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

/** Returns a random idempotency key. `crypto.randomUUID` is not used, because browsers provide it only over HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Returns the entity tag for a revision. Entity tags, lists of entity tags and `*` are returned unchanged. */
function etagOf(ifMatch: number | string): string {
  return /^\d+$/.test(String(ifMatch)) ? `"${ifMatch}"` : String(ifMatch);
}

function pathWith(path: string, parameters: readonly string[], values: readonly unknown[]): string {
  return parameters.reduce((made, name, at) => {
    const given = values[at];
    const value = typeof given === 'number' ? String(given) : given;
    // The URL parser would remove the path segments "", "." and "..", so the request would reach another endpoint.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be a string that is not empty, "." or "..".`);
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

/** Returns the response's only property other than `success`. For a page, returns its `data` and `pagination`. */
function resultIn(answer: Record<string, unknown> | undefined): unknown {
  if (answer === undefined) return undefined;
  const { success: _, ...rest } = answer;
  return 'pagination' in rest ? rest : Object.values(rest)[0];
}
