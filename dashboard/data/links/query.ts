const sortFields = ['createdAt', 'updatedAt', 'clicks', 'lastClickAt', 'expiresAt', 'title'] as const;
export type SortField = (typeof sortFields)[number];
/** What the filter by status offers: states of links, those whose destination is in trouble, and those that were put away, which no other list shows. */
export const statuses = [
  ...(['active', 'expired', 'scheduled', 'disabled', 'exhausted', 'failing', 'archived'] as const),
] as const;

/** Which links a list shows, and in which order: what its address says. */
export interface LinkQuery {
  readonly search: string;
  readonly sort: SortField;
  readonly order: 'asc' | 'desc';
  readonly status?: (typeof statuses)[number] | undefined;
  /** An id, or `none`. */
  readonly folderId?: string | undefined;
  readonly tag?: string | undefined;
  /** Whether links are shown that have not the tag. */
  readonly withoutTag?: boolean | undefined;
  /** Days, `2026-03-01`. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly host?: string | undefined;
  /** The host of the links' own domain. */
  readonly domain?: string | undefined;
}

/** The filters that stand as chips, in the order in which they are offered. */
export const filterNames = [
  ...(['status', 'folderId', 'tag', 'createdAfter', 'createdBefore', 'host'] as const),
  'domain',
] as const;
export type FilterName = (typeof filterNames)[number];

const parameters: Readonly<Record<FilterName, string>> = {
  status: 'status',
  folderId: 'folder',
  tag: 'tag',
  createdAfter: 'since',
  createdBefore: 'until',
  host: 'host',
  domain: 'domain',
};

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Reads a list's address. What makes no sense is left out, so that any address shows a list. */
export function readQuery(params: URLSearchParams): LinkQuery {
  const [sort = '', order = ''] = (params.get('sort') ?? '').split(':');
  const field = sortFields.find((known) => known === sort) ?? 'createdAt';
  const date = (name: string) => {
    const value = params.get(name) ?? '';
    return day.test(value) ? value : undefined;
  };
  return {
    search: params.get('q') ?? '',
    sort: field,
    order: order === 'asc' || order === 'desc' ? order : defaultOrder(field),
    status: statuses.find((known) => known === params.get('status')),
    folderId: params.get('folder') || undefined,
    tag: params.get('tag') || undefined,
    ...(params.get('tag') && params.get('not') === 'tag' ? { withoutTag: true } : {}),
    createdAfter: date('since'),
    createdBefore: date('until'),
    host: params.get('host')?.toLowerCase() || undefined,
    domain: params.get('domain')?.toLowerCase() || undefined,
  };
}

/** Names from A, what ends soonest first, all else from the most. */
export function defaultOrder(field: SortField): 'asc' | 'desc' {
  return field === 'title' || field === 'expiresAt' ? 'asc' : 'desc';
}

/** What the address gets when a filter changes; null takes it off. */
export function filterChange(name: FilterName, value: string | null): Record<string, string | null> {
  return { [parameters[name]]: value, ...(name === 'tag' && value === null && { not: null }) };
}

/** What the address gets when a tag is to be absent instead of there, or there again. */
export function flipTag({ withoutTag }: LinkQuery): Record<string, string | null> {
  return { not: withoutTag ? null : 'tag' };
}

export function sortChange(field: SortField, order: 'asc' | 'desc'): Record<string, string | null> {
  if (field === 'createdAt' && order === 'desc') return { sort: null };
  return { sort: order === defaultOrder(field) ? field : `${field}:${order}` };
}

/** Whether anything narrows the list. */
export function narrows(query: LinkQuery): boolean {
  return query.search !== '' || filterNames.some((name) => query[name] !== undefined);
}

/** The query as the API takes it. Days are those of the reader's zone. */
export function toInput(query: LinkQuery): Record<string, unknown> {
  const { search, sort, order, status, folderId, tag, withoutTag, host, domain } = query;
  const isPlain = sort === 'createdAt' && order === 'desc';
  return clean({
    ...(isPlain ? {} : { sort, order }),
    search: search.trim() === '' ? undefined : search.trim(),
    ...(status === 'archived' ? { archived: 'true' } : { archived: 'false' }),
    ...(status === 'failing' ? { destination: status } : status === 'archived' ? {} : { status }),
    folderId,
    tag,
    tagMatch: withoutTag ? 'none' : undefined,
    destinationHost: host,
    domain,
    createdAfter: startOf(query.createdAfter),
    createdBefore: startOf(query.createdBefore, 1),
  });
}

function startOf(date: string | undefined, daysLater = 0): string | undefined {
  if (date === undefined) return undefined;
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, dayOfMonth + daysLater).toISOString();
}

function clean(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The parts of a text that a search hit, for marking: odd entries are hits. */
export function splitByHits(text: string, search: string): string[] {
  const words = search.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [text];
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'gi'));
}
