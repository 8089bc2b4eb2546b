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
export type LinkPage = Extract<ListLinksResult, { pagination: { page: number } }>;
/** One page of live links, when a cursor was asked for. */
export type FoundLinkPage = Extract<
  ListLinksResult,
  { pagination: { total: number | null; nextCursor: unknown } }
>;
/** One page of deleted links. */
export type DeletedLinkPage = Extract<ListLinksResult, { data: { deletedAt: string }[] }>;
export type ListedLink = LinkPage['data'][number];
export type DeletedLink = DeletedLinkPage['data'][number];

/** What {@link Client.allLinks} may be told: the filters of a list; `limit` is the size of a page. */
export type LinkFilter = Omit<ListLinksInput, 'page' | 'status' | 'cursor' | 'code'> & {
  readonly status?: 'active' | 'expired' | 'scheduled' | 'disabled' | undefined;
};
/** Which deleted links are wanted. */
export type DeletedLinkFilter = { readonly status: 'deleted' } & Pick<
  ListLinksInput,
  'limit' | 'cursor' | 'code'
>;

/** One function per endpoint, and those that need several calls. */
export interface Client extends Omit<Calls, 'listLinks'> {
  /** List deleted links, whole, the last deleted first. */
  listLinks(input: DeletedLinkFilter, options?: CallOptions): Promise<DeletedLinkPage>;
  /** List links by cursor: empty for the first page, then `pagination.nextCursor`. */
  listLinks(input: LinkFilter & { readonly cursor: string }, options?: CallOptions): Promise<FoundLinkPage>;
  /** List links, newest first. `pagination.total` is exact and of the same moment as the page. */
  listLinks(input?: LinkFilter & Pick<ListLinksInput, 'page'>, options?: CallOptions): Promise<LinkPage>;
  /**
   * Every link that the filters leave, newest first unless `sort` says otherwise, page by page as they are asked for. In the
   * order of creation none comes twice and none is passed over, whatever is made and deleted meanwhile.
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
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const page: FoundLinkPage = await listLinks({ limit: largestPageSize, ...filter, cursor }, options);
    yield* page.data;
    cursor = page.pagination.nextCursor;
  }
}
