import { type CallOptions, createCall } from './call.ts';
import {
  type AccountClicksInput,
  type AccountClicksResult,
  type AccountStatisticsInput,
  type AccountStatisticsResult,
  type Calls,
  type EventsInput,
  endpoints,
  type ListLinksInput,
  type ListLinksResult,
  largestPageSize,
} from './endpoints.ts';
import { type FollowedEvent, type FollowOptions, followEvents } from './events.ts';
import { type Connection, createTransport } from './transport.ts';

export type { CallOptions } from './call.ts';
export type * from './endpoints.ts';
export { includable, version } from './endpoints.ts';
export { ApiError, type ErrorDetail, LinkfoldError, type LinkfoldErrorCode, Unreachable } from './errors.ts';
export type { FollowedEvent, FollowOptions } from './events.ts';
export type { Answer, Connection } from './transport.ts';
export { type RequestHeaders, webhooks } from './webhooks.ts';

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
  readonly status?: 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | undefined;
};
/** Which clicks {@link Client.allClicks} gives; `limit` is the size of a page. */
export type ClickFilter = Omit<AccountClicksInput, 'cursor'>;
export type Click = AccountClicksResult['data'][number];
/** Which values {@link Client.allValues} gives, of whose clicks; `limit` is the size of a page. */
export type ValuesFilter = Omit<AccountStatisticsInput, 'cursor' | 'groupBy'> &
  Pick<AccountClicksInput, 'linkId' | 'folderId' | 'tagId'> & {
    readonly groupBy: NonNullable<AccountStatisticsInput['groupBy']>;
  };
/** What a value of a breakdown has. */
export type ValueOfBreakdown = NonNullable<AccountStatisticsResult['breakdown']>['values'][number];

/** Which deleted links are wanted. */
export type DeletedLinkFilter = { readonly status: 'deleted' } & Pick<
  ListLinksInput,
  'limit' | 'cursor' | 'code' | 'externalId'
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
  /** Single clicks, newest first, page by page as they are asked for; each comes once, whatever the server does meanwhile. */
  allClicks(filter?: ClickFilter, options?: CallOptions): AsyncGenerator<Click, void, undefined>;
  /** Every value of a breakdown, those of most clicks first, page by page as they are asked for: each link that was clicked, say. */
  allValues(filter: ValuesFilter, options?: CallOptions): AsyncGenerator<ValueOfBreakdown, void, undefined>;
  /**
   * Clicks and changes of links as they happen. It connects again whenever the connection is lost, and goes on behind the last
   * event; a `reset` says that something in between is lost. It ends with the loop over it, or with `signal`.
   * @throws ApiError when the server refuses, such as when the key is revoked; Unreachable when the first attempts fail
   */
  events(input?: EventsInput, options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

/**
 * Makes a client: `client.shorten({ url })`, `client.getLink(id)`, `client.updateLink(id, { title })`. Every call that
 * fails throws a LinkfoldError: ApiError when the server refuses, Unreachable when no answer comes. One that its `signal` ends
 * throws the reason of that, such as an AbortError.
 * @throws TypeError at once when the address or the key cannot be used
 */
export function createClient(connection: Connection = {}): Client {
  const { send, open } = createTransport(connection);
  const calls = Object.fromEntries(
    Object.entries(endpoints)
      .filter(([name]) => name !== 'events')
      .map(([name, endpoint]) => [name, createCall(endpoint, send)]),
  ) as unknown as Omit<Client, 'allLinks' | 'allClicks' | 'allValues' | 'events'>;
  return {
    ...calls,
    allLinks: (filter = {}, options = {}) =>
      pageThrough((cursor: string): Promise<FoundLinkPage> => {
        return calls.listLinks({ limit: largestPageSize, ...filter, cursor }, options);
      }),
    allClicks: (filter = {}, options = {}) =>
      pageThrough((cursor) => calls.accountClicks({ ...filter, cursor }, options)),
    allValues: ({ linkId, folderId, tagId, ...filter }, options = {}) =>
      pageThrough(async (cursor) => {
        const asked = { limit: mostValuesOfPage, ...filter, cursor };
        const { breakdown } = await (linkId !== undefined
          ? calls.linkStatistics(linkId, asked, options)
          : folderId !== undefined
            ? calls.folderStatistics(folderId, asked, options)
            : tagId !== undefined
              ? calls.tagStatistics(tagId, asked, options)
              : calls.accountStatistics(asked, options));
        return {
          data: breakdown?.values ?? [],
          pagination: { nextCursor: breakdown?.nextCursor ?? null },
        };
      }),
    events: (input, options) => followEvents(open, input, options),
  };
}

const mostValuesOfPage = 1_000;

/** @param page of a cursor; empty for the first one */
async function* pageThrough<One>(
  page: (cursor: string) => Promise<{
    readonly data: readonly One[];
    readonly pagination: { readonly nextCursor: string | null };
  }>,
): AsyncGenerator<One, void, undefined> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, pagination } = await page(cursor);
    yield* data;
    cursor = pagination.nextCursor;
  }
}
