import {
  apiPrefix,
  type BodyInputOf,
  type Endpoint,
  type QueryOf,
  type SuccessOf,
} from '../contract/endpoint.ts';
import { type Endpoints, endpoints } from '../contract/endpoints.ts';
import { largestPageSize } from '../contract/links.ts';
import { type Connection, createTransport, type Send } from './transport.ts';

export { includable } from '../contract/links.ts';

export interface CallOptions {
  /** Makes a repetition of a POST safe across calls; one is drawn for every call otherwise. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type Readable<T> = T extends readonly (infer I)[] ? readonly I[] : T;

/** Query parameters as their meaning, numbers and lists, not as their text. */
export type QueryInput<E extends Endpoint> = { [K in keyof QueryOf<E>]: Readable<QueryOf<E>[K]> };

type Input<E extends Endpoint> = BodyInputOf<E> & QueryInput<E>;
type IdArgument<Path extends string> = Path extends `${string}:id${string}` ? [id: string] : [];
type InputArgument<I> = [keyof I] extends [never] ? [] : Partial<I> extends I ? [input?: I] : [input: I];

/** What an answer holds: the one thing beside `success`; a page keeps its `data` and `pagination`. */
type Outcome<S> = S extends { success: true }
  ? S extends { pagination: unknown }
    ? Omit<S, 'success'>
    : S[Exclude<keyof S, 'success'>]
  : undefined;

type Call<E extends Endpoint> = (
  ...given: [...IdArgument<E['path']>, ...InputArgument<Input<E>>, options?: CallOptions]
) => Promise<Outcome<SuccessOf<E>>>;

type Calls = { [Name in keyof Endpoints]: Call<Endpoints[Name]> };

/** What {@link Client.allLinks} may be told: the filters of a list; `limit` is the size of a page. */
export type LinkFilter = Omit<QueryInput<Endpoints['listLinks']>, 'page'>;
export type ListedLink = Awaited<ReturnType<Calls['listLinks']>>['data'][number];

/** One function per endpoint, and those that need several calls. */
export interface Client extends Calls {
  /**
   * Every link, newest first, page by page as they are asked for. None comes twice; one that is deleted meanwhile
   * may make another be passed over.
   */
  allLinks(filter?: LinkFilter, options?: CallOptions): AsyncGenerator<ListedLink, void, undefined>;
}

/**
 * Makes a client: `client.shorten({ url })`, `client.getLink(id)`, `client.updateLink(id, { title })`. Every call
 * throws ApiError when the server refuses and Unreachable when no answer comes.
 */
export const createClient = (connection: Connection): Client => {
  const send = createTransport(connection);
  const calls = Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, createCall(endpoint, send)]),
  ) as unknown as Calls;
  return { ...calls, allLinks: (filter, options) => pageThrough(calls.listLinks, filter, options) };
};

const createCall = (endpoint: Endpoint, send: Send) => {
  const query = Object.keys(endpoint.query ?? {});
  const takesId = endpoint.path.includes(':id');
  const takesInput = query.length + Object.keys(endpoint.body ?? {}).length > 0;

  return async (...given: unknown[]): Promise<unknown> => {
    const id = takesId ? given.shift() : undefined;
    const input = (takesInput ? given.shift() : undefined) ?? {};
    const { idempotencyKey, signal } = (given.shift() ?? {}) as CallOptions;
    const fields = Object.entries(input);
    const body = Object.fromEntries(fields.filter(([name]) => !query.includes(name)));
    const headers: Record<string, string> = {};
    if (endpoint.body !== undefined) headers['content-type'] = 'application/json';
    if (endpoint.idempotent) headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
    const answer = await send({
      method: endpoint.method,
      path:
        apiPrefix + pathWith(endpoint.path, id) + queryText(fields.filter(([name]) => query.includes(name))),
      headers,
      body: endpoint.body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    return outcomeOf(answer as Record<string, unknown> | undefined);
  };
};

const pathWith = (path: string, id: unknown): string => {
  if (id === undefined && !path.includes(':id')) return path;
  // "", "." and ".." would be resolved away and address another endpoint.
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError('id must be the id of a link or folder.');
  return path.replace(':id', encodeURIComponent(id));
};

const queryText = (fields: readonly (readonly [string, unknown])[]): string => {
  const given = fields.filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

const outcomeOf = (answer: Record<string, unknown> | undefined): unknown => {
  if (answer === undefined) return undefined;
  const { success: _, ...rest } = answer;
  return 'pagination' in rest ? rest : Object.values(rest)[0];
};

async function* pageThrough(
  listLinks: Calls['listLinks'],
  filter: LinkFilter = {},
  options: CallOptions = {},
): AsyncGenerator<ListedLink, void, undefined> {
  let previous = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await listLinks({ limit: largestPageSize, ...filter, page }, options);
    // A link made meanwhile pushes those of the last page onto this one.
    for (const link of data) if (!previous.has(link.id)) yield link;
    if (data.length === 0 || page * pagination.limit >= pagination.total) return;
    previous = new Set(data.map((link) => link.id));
  }
}
