import { type CallOptions, createCall } from './call.ts';
import {
  type Calls,
  endpoints,
  type ListLinksInput,
  type ListLinksResult,
  largestPageSize,
} from './endpoints.ts';
import { type Connection, createTransport } from './transport.ts';

export type { CallOptions } from './call.ts';
export type * from './endpoints.ts';
export { includable } from './endpoints.ts';
export { ApiError, type ErrorDetail, LinkfoldError, type LinkfoldErrorCode, Unreachable } from './errors.ts';
export type { Connection } from './transport.ts';

/** One page of live links. */
export type LinkPage = Extract<ListLinksResult, { pagination: { total: number } }>;
/** One page of deleted links. */
export type DeletedLinkPage = Exclude<ListLinksResult, LinkPage>;
export type ListedLink = LinkPage['data'][number];
export type DeletedLink = DeletedLinkPage['data'][number];

/** What {@link Client.allLinks} may be told: the filters of a list; `limit` is the size of a page. */
export type LinkFilter = Omit<ListLinksInput, 'page' | 'status' | 'cursor' | 'code'>;
/** Which deleted links are wanted. */
export type DeletedLinkFilter = { readonly status: 'deleted' } & Pick<
  ListLinksInput,
  'limit' | 'cursor' | 'code'
>;

/** One function per endpoint, and those that need several calls. */
export interface Client extends Omit<Calls, 'listLinks'> {
  /** List deleted links, whole, the last deleted first. */
  listLinks(input: DeletedLinkFilter, options?: CallOptions): Promise<DeletedLinkPage>;
  /** List links, newest first. `pagination.total` is exact and of the same moment as the page. */
  listLinks(input?: LinkFilter & Pick<ListLinksInput, 'page'>, options?: CallOptions): Promise<LinkPage>;
  /**
   * Every link, newest first, page by page as they are asked for. None comes twice; one that is deleted meanwhile
   * may make another be passed over.
   */
  allLinks(filter?: LinkFilter, options?: CallOptions): AsyncGenerator<ListedLink, void, undefined>;
}

/**
 * Makes a client: `client.shorten({ url })`, `client.getLink(id)`, `client.updateLink(id, { title })`. Every call that
 * fails throws a LinkfoldError: ApiError when the server refuses, Unreachable when no answer comes.
 * @throws TypeError at once when the address or the key cannot be used
 */
export function createClient(connection: Connection): Client {
  const send = createTransport(connection);
  const calls = Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, createCall(endpoint, send)]),
  ) as unknown as Omit<Client, 'allLinks'>;
  return { ...calls, allLinks: (filter, options) => pageThrough(calls.listLinks, filter, options) };
}

async function* pageThrough(
  listLinks: Client['listLinks'],
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
