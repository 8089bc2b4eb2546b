const sortFields = ['createdAt', 'updatedAt', 'clicks', 'lastClickAt', 'expiresAt', 'title'] as const;
export type SortField = (typeof sortFields)[number];
/**
 * Values for the status filter: link states, failing destinations, and archived links. Without this filter, archived
 * links are hidden.
 */
export const statuses = [
  ...(['active', 'expired', 'scheduled', 'disabled', 'exhausted', 'failing', 'archived'] as const),
] as const;

/** A list's filters and sort order, from the URL. */
export interface LinkQuery {
  readonly search: string;
  readonly sort: SortField;
  readonly order: 'asc' | 'desc';
  readonly status?: (typeof statuses)[number] | undefined;
  /** Folder id, or `none` for links without a folder. */
  readonly folderId?: string | undefined;
  readonly tag?: string | undefined;
  /** Whether the tag filter is negated. */
  readonly withoutTag?: boolean | undefined;
  /** Date, such as `2026-03-01`. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly host?: string | undefined;
  /** Host of the domain. */
  readonly domain?: string | undefined;
}

/** Filters shown as chips, in menu order. */
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

/** Parses a list's URL. Ignores invalid parameters, so that any URL shows a list. */
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

/**
 * Returns the default sort order for a field: ascending for titles, soonest first for expiry, descending for all other
 * fields.
 */
export function defaultOrder(field: SortField): 'asc' | 'desc' {
  return field === 'title' || field === 'expiresAt' ? 'asc' : 'desc';
}

/** Returns the URL parameters to change for a filter. Null means that the parameter is removed. */
export function filterChange(name: FilterName, value: string | null): Record<string, string | null> {
  return { [parameters[name]]: value, ...(name === 'tag' && value === null && { not: null }) };
}

/** Returns the URL parameters that negate the tag filter, or remove its negation. */
export function flipTag({ withoutTag }: LinkQuery): Record<string, string | null> {
  return { not: withoutTag ? null : 'tag' };
}

export function sortChange(field: SortField, order: 'asc' | 'desc'): Record<string, string | null> {
  if (field === 'createdAt' && order === 'desc') return { sort: null };
  return { sort: order === defaultOrder(field) ? field : `${field}:${order}` };
}

/** Returns true if any filter is active. */
export function narrows(query: LinkQuery): boolean {
  return query.search !== '' || filterNames.some((name) => query[name] !== undefined);
}

/** Converts the query to API parameters. Dates are in the user's time zone. */
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

/** Splits text to highlight search matches. Entries with odd indexes are matches. */
export function splitByHits(text: string, search: string): string[] {
  const words = search.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [text];
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'gi'));
}
