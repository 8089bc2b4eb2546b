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
  maxPageSize,
  type Resources,
} from './endpoints.ts';
import { type FollowedEvent, type FollowOptions, followEvents } from './events.ts';
import { group } from './groups.ts';
import type { Included } from './included.ts';
import { type Connection, createTransport } from './transport.ts';
import { applyChanges, type LinkChanges, type LinkUpdate } from './update-link.ts';
import { webhooks } from './webhooks.ts';

export type { CallOptions } from './call.ts';
export type * from './endpoints.ts';
export type { CreatedInvitation as NewInvitation, CreatedKey as NewKey } from './endpoints.ts';
export { includable, version } from './endpoints.ts';
export { ApiError, type ErrorDetail, LinkfoldError, type LinkfoldErrorCode, Unreachable } from './errors.ts';
export type { FollowedEvent, FollowOptions } from './events.ts';
export type { Answer, Connection } from './transport.ts';
export type { LinkChanges, LinkUpdate } from './update-link.ts';
export { type RequestHeaders, webhooks } from './webhooks.ts';

/** One page of live links. */
export type LinkPage = Extract<ListLinksResult, { pagination: { page: number } }>;
/** One page of live links, with cursor pagination. */
export type FoundLinkPage = Extract<
  ListLinksResult,
  { pagination: { total: number | null; nextCursor: unknown } }
>;
/** One page of deleted links. */
export type DeletedLinkPage = Extract<ListLinksResult, { data: { deletedAt: string }[] }>;
export type ListedLink = LinkPage['data'][number];
export type DeletedLink = DeletedLinkPage['data'][number];

/** Filters for {@link Client.allLinks}. `limit` is the page size. */
export type LinkFilter = Omit<ListLinksInput, 'page' | 'status' | 'cursor' | 'code'> & {
  readonly status?: 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | undefined;
};
type LinkInclude = NonNullable<ListLinksInput['include']>;
/** A filter, and the fields to include in the result. */
type Including<Filter, Include> = Filter & { readonly include?: Include | undefined };
/** Links with the included fields. */
type WithFields<Links, Include extends readonly unknown[]> = Included<Links, LinkInclude[number], Include>;

/** Filters for {@link Client.allClicks}. `limit` is the page size. */
export type ClickFilter = Omit<AccountClicksInput, 'cursor'>;
export type Click = AccountClicksResult['data'][number];
/** Dimension and filters for {@link Client.allValues}. `limit` is the page size. */
export type ValuesFilter = Omit<AccountStatisticsInput, 'cursor' | 'groupBy'> &
  Pick<AccountClicksInput, 'linkId' | 'folderId' | 'tagId'> & {
    readonly groupBy: NonNullable<AccountStatisticsInput['groupBy']>;
  };
/** One value in a breakdown. */
export type ValueOfBreakdown = NonNullable<AccountStatisticsResult['breakdown']>['values'][number];

/** Filters for deleted links. */
export type DeletedLinkFilter = { readonly status: 'deleted' } & Pick<
  ListLinksInput,
  'limit' | 'cursor' | 'code' | 'externalId'
>;

/**
 * Client with one function per endpoint, available at the top level and grouped by resource. Additional functions
 * combine several calls.
 */
export interface Client extends Omit<Calls, 'listLinks'>, Omit<Resources, 'links' | 'webhooks'> {
  readonly links: Omit<Resources['links'], 'list' | 'update'> & {
    list: Client['listLinks'];
    all: Client['allLinks'];
    /**
     * Changes a link's fields, destination, folder and code, with as many requests as needed. Stops at the first
     * request that fails.
     * @throws LinkfoldError, whose `done` lists the fields already changed
     */
    update(id: string, changes: LinkChanges, options?: CallOptions): Promise<LinkUpdate>;
  };
  readonly webhooks: Resources['webhooks'] & typeof webhooks;
  /** Lists deleted links with all fields, most recently deleted first. */
  listLinks(input: DeletedLinkFilter, options?: CallOptions): Promise<DeletedLinkPage>;
  /**
   * Lists links with cursor pagination. `cursor` is empty for the first page, then the previous page's
   * `pagination.nextCursor`.
   */
  listLinks<const Include extends LinkInclude = []>(
    input: Including<LinkFilter & { readonly cursor: string }, Include>,
    options?: CallOptions,
  ): Promise<WithFields<FoundLinkPage, Include>>;
  /** Lists links, newest first. `pagination.total` is exact, and belongs to the same snapshot as the page. */
  listLinks<const Include extends LinkInclude = []>(
    input?: Including<LinkFilter & Pick<ListLinksInput, 'page'>, Include>,
    options?: CallOptions,
  ): Promise<WithFields<LinkPage, Include>>;
  /**
   * Iterates over all links that match the filters, newest first unless `sort` is set, and loads pages as needed. If
   * sorted by creation time, no link is skipped or repeated, even if links are created or deleted during the iteration.
   */
  allLinks<const Include extends LinkInclude = []>(
    filter?: Including<LinkFilter, Include>,
    options?: CallOptions,
  ): AsyncGenerator<WithFields<ListedLink, Include>, void, undefined>;
  /** Iterates over individual clicks, newest first, and loads pages as needed. Each click is returned exactly once. */
  allClicks(filter?: ClickFilter, options?: CallOptions): AsyncGenerator<Click, void, undefined>;
  /**
   * Iterates over all values of a breakdown, most clicks first, and loads pages as needed. Can list, for example, every
   * link that was clicked.
   */
  allValues(filter: ValuesFilter, options?: CallOptions): AsyncGenerator<ValueOfBreakdown, void, undefined>;
  /**
   * Streams clicks and link changes. Reconnects when the connection is lost and resumes after the last event; a `reset`
   * event means that events were missed. The stream ends when you leave the loop or abort `signal`.
   * @throws ApiError if the server rejects the request, for example because the key was revoked; Unreachable if the
   * first attempts fail
   */
  events(input?: EventsInput, options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

/**
 * Creates a client: `client.links.create({ url })`, `client.links.get(id)`, `client.links.update(id, { title })`.
 * Failed calls throw a LinkfoldError: ApiError if the server returns an error, Unreachable if there is no response. A
 * call aborted by its `signal` throws the abort reason.
 * @throws TypeError immediately if the URL or the key is invalid
 */
export function createClient(connection: Connection = {}): Client {
  const functions = createFunctions(connection);
  const calls = Object.entries(functions).filter(([name]) => name in endpoints);
  const resources = group(Object.fromEntries(calls), endpoints) as unknown as Resources;
  return {
    ...functions,
    ...resources,
    links: {
      ...resources.links,
      list: functions.listLinks,
      all: functions.allLinks,
      update: (id, changes, options) => applyChanges(functions, id, changes, options),
    },
    webhooks: { ...resources.webhooks, ...webhooks },
  };
}

/** A client with all functions at the top level, not grouped by resource. */
export type Functions = Omit<Client, keyof Resources>;

/**
 * Creates a client with all functions at the top level, for a smaller bundle.
 * @throws TypeError in the same cases as {@link createClient}
 */
export function createFunctions(connection: Connection): Functions {
  const { send, open } = createTransport(connection);
  const calls = Object.fromEntries(
    Object.entries(endpoints)
      .filter(([name]) => name !== 'events')
      .map(([name, endpoint]) => [name, createCall(endpoint, send)]),
  );
  const api = calls as unknown as Calls;
  const allLinks = (filter: LinkFilter = {}, options?: CallOptions) =>
    pageThrough((cursor) => {
      const page = api.listLinks({ limit: maxPageSize, ...filter, cursor }, options);
      return page as Promise<FoundLinkPage>;
    });
  return {
    ...api,
    listLinks: api.listLinks as Client['listLinks'],
    allLinks: allLinks as Client['allLinks'],
    allClicks: (filter = {}, options = {}) =>
      pageThrough((cursor) => api.accountClicks({ ...filter, cursor }, options)),
    allValues: ({ linkId, folderId, tagId, ...filter }, options = {}) =>
      pageThrough(async (cursor) => {
        const asked = { limit: maxValuesPerPage, ...filter, cursor };
        const { breakdown } = await (linkId !== undefined
          ? api.linkStatistics(linkId, asked, options)
          : folderId !== undefined
            ? api.folderStatistics(folderId, asked, options)
            : tagId !== undefined
              ? api.tagStatistics(tagId, asked, options)
              : api.accountStatistics(asked, options));
        return {
          data: breakdown?.values ?? [],
          pagination: { nextCursor: breakdown?.nextCursor ?? null },
        };
      }),
    events: (input, options) => followEvents(open, input, options),
  };
}

const maxValuesPerPage = 1_000;

/** Iterates over the items of all pages. @param page loads the page for a cursor, which is empty for the first page */
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
