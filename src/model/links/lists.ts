import type { Context } from '../context.ts';
import { isId } from '../ids.ts';
import { domainFor, keyIn } from './domains.ts';
import type { DeletedLink, DeletedPlace, FolderFilter, Link } from './link-records.ts';
import { type Caller, withClicks } from './links.ts';

const placeShape = /^(\d{1,15})\.([0-9a-f-]{36})$/;

/** Parses a cursor. Returns undefined for a string that is not a cursor. */
export function decodeCursor(cursor: string): DeletedPlace | undefined {
  const [, deletedAt, id = ''] = placeShape.exec(cursor) ?? [];
  return isId(id) ? { deletedAt: Number(deletedAt), id } : undefined;
}

export interface DeletedQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Lists only the link that last had this code, unless a live link has it now. */
  readonly code?: string | undefined;
  /** Lists only links that had this externalId. */
  readonly externalId?: string | undefined;
  /** Host of the domain for `code`; the account's default domain if omitted. */
  readonly domain?: string | undefined;
}

/** Lists deleted links, most recently deleted first. @returns the links, and a cursor if there are more links */
export async function listDeletedLinks(
  context: Context,
  caller: Caller,
  { limit, cursor, code, domain, externalId }: DeletedQuery,
): Promise<{ links: readonly DeletedLink[]; nextCursor: string | null }> {
  if (code !== undefined) {
    const key = keyIn(await domainFor(context, caller, domain), code);
    const found =
      key === undefined ? undefined : await context.storage.deletedLinkByCode(caller.accountId, key);
    const isMeant = externalId === undefined || found?.link.externalId === externalId;
    return {
      links: found !== undefined && isMeant ? [withClicks(context, found.link, found.appliedTo)] : [],
      nextCursor: null,
    };
  }
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  // Requests one extra link to detect whether there is another page.
  const page = await context.storage.deletedLinks(caller.accountId, limit + 1, after, externalId);
  const links = page.links.slice(0, limit).map((link) => withClicks(context, link, page.appliedTo));
  const last = links.at(-1);
  const hasMore = last !== undefined && page.links.length > limit;
  return { links, nextCursor: hasMore ? `${last.deletedAt}.${last.id}` : null };
}

export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly folderId?: string | undefined;
  /** Lists only the link with this externalId. */
  readonly externalId?: string | undefined;
}

/** Returns one page of links, newest first, with the exact total from the same snapshot (interface document §4.1). */
export async function listLinks(
  context: Context,
  accountId: number,
  query: ListQuery,
): Promise<{ links: readonly Link[]; total: number }> {
  const filter = folderFilter(query.folderId);
  if (filter === undefined) return { links: [], total: 0 };
  if (query.externalId !== undefined) {
    const found = await context.storage.linkByExternalId(accountId, query.externalId);
    const isListed = found !== undefined && isIn(filter, found.link);
    const link = isListed && query.page === 1 ? [withClicks(context, found.link, found.appliedTo)] : [];
    return { links: link, total: isListed ? 1 : 0 };
  }
  const offset = Math.min((query.page - 1) * query.limit, Number.MAX_SAFE_INTEGER);
  const page = await context.storage.links(accountId, filter, query.limit, offset);
  return { links: page.links.map((link) => withClicks(context, link, page.appliedTo)), total: page.total };
}

function isIn(filter: FolderFilter, { folderId }: Link): boolean {
  return filter.kind === 'all' || folderId === (filter.kind === 'folder' ? filter.id : null);
}

/** Converts the folder parameter of a list to a filter. @returns undefined if no folder can match */
export function folderFilter(folderId: string | undefined): FolderFilter | undefined {
  if (folderId === undefined) return { kind: 'all' };
  if (folderId === 'none') return { kind: 'none' };
  return isId(folderId) ? { kind: 'folder', id: folderId.toLowerCase() } : undefined;
}
