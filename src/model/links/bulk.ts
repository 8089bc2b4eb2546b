import type { Context } from '../context.ts';
import { Failure, type FailureCode, type Problem } from '../failures.ts';
import { findLinks, type SearchQuery } from './find-links.ts';
import { fieldsWith } from './link-field-values.ts';
import type { BriefLink, DuplicateCheck, LinkChange, NewLink } from './link-records.ts';
import type { TagChoice } from './tags.ts';

/** Maximum number of rows per bulk request. */
export const maxBulkRows = 1_000;

/** Fields for which a bulk change can return the previous values. */
export const previousFields = [...fieldsWith('includable'), 'tags'] as const;
export type PreviousField = (typeof previousFields)[number];

/** Tags to add, and keys (`tagKey`) of tags to remove. */
export interface TagEdit {
  readonly add: TagChoice;
  readonly remove: readonly string[];
}

/** One write in a bulk request: the name of a storage method and its arguments, without the account. */
export type BulkWrite =
  | readonly ['createLink', NewLink]
  | readonly ['createUnlessExists', NewLink, check: DuplicateCheck]
  | readonly ['updateLink', id: string, change: LinkChange, now: number]
  | readonly ['moveLink', id: string, folderId: string | null, now: number]
  | readonly ['tagLink', id: string, edit: TagEdit, now: number]
  | readonly ['deleteLink', id: string, now: number]
  | readonly ['restoreLink', id: string, now: number, quota: number | undefined];

/** Why a row was rejected. */
export interface Refusal {
  readonly code: FailureCode;
  readonly message: string;
  readonly problems?: readonly Problem[] | undefined;
}

/** The result for a row: the updated link, the id of a deleted link, or the reason for rejection. */
export type BulkOutcome =
  | { readonly link: BriefLink; readonly previous?: Readonly<Record<string, unknown>> | undefined }
  | { readonly id: string }
  | { readonly refused: Refusal; readonly id?: string };

/** `each` writes rows independently; `atomic` writes all rows or none. */
export type BulkMode = 'each' | 'atomic';

export function refusalFrom(failure: Failure): Refusal {
  const { problems } = failure.facts;
  return { code: failure.code, message: failure.message, ...(problems && { problems }) };
}

/**
 * Writes many rows in one transaction. In mode `atomic`, one invalid row fails the request, and nothing is written. In
 * mode `each`, only the invalid rows are rejected.
 * @param rows the write for each row, or the reason why the row is invalid
 * @throws Failure BULK_REFUSED in mode `atomic` when a row is rejected
 */
export async function writeMany(
  context: Context,
  accountId: number,
  rows: readonly (BulkWrite | Refusal)[],
  mode: BulkMode,
  remainder: RemainingLinks = { remaining: 0, nextCursor: null },
  previous: readonly PreviousField[] = [],
): Promise<BulkDone> {
  const bad = rows.flatMap((row, at) => ('code' in row ? [{ at, refused: row }] : []));
  if (mode === 'atomic' && bad.length > 0) throw bulkRefused(bad, rows.length);
  const writes = rows.filter((row): row is BulkWrite => !('code' in row));
  if (bad.length === 0) return context.writes.bulkLinks(accountId, writes, mode, remainder, previous);
  const { outcomes: done, ...rest } =
    writes.length === 0
      ? { ...remainder, outcomes: [] }
      : await context.writes.bulkLinks(accountId, writes, mode, remainder, previous);
  let next = 0;
  const outcomes = rows.map((row) => ('code' in row ? { refused: row } : (done[next++] as BulkOutcome)));
  return { ...rest, outcomes };
}

/** Maximum number of rejected rows that an error lists. All other rejected rows are only counted. */
const maxListedRefusals = 20;

/**
 * Returns the failure for an atomic request with rejected rows.
 * @param bad rejected rows with their index
 * @param list name of the list of rows in error details
 */
export function bulkRefused(
  bad: readonly { readonly at: number; readonly refused: Refusal }[],
  rows: number,
  list = '',
): Failure {
  const problems = bad
    .slice(0, maxListedRefusals)
    .map(({ at, refused: { message, problems: [first] = [] } }) => ({
      field: first === undefined ? `${list}[${at}]` : `${list}[${at}].${first.field}`,
      reason: first?.reason ?? ('refused' as const),
      message: `${list}[${at}]: ${message}`,
      code: 'BULK_REFUSED' as const,
    }));
  const message = `Nothing was changed, because ${bad.length} of ${rows} rows failed. ${problems[0]?.message}`;
  return new Failure('BULK_REFUSED', message, { problems });
}

/** One page of the ids of links that match a filter, and the number of matching links on later pages. */
export interface LinkIdPage {
  readonly ids: readonly string[];
  readonly remainder: RemainingLinks;
}

export interface RemainingLinks {
  /** Number of matching links, if counted, and the number that the client expects. */
  readonly counted?: { readonly found: number; readonly expected: number } | undefined;
  /** Number of matching links after this page. */
  readonly remaining: number;
  readonly nextCursor: string | null;
}

/** Results and remaining count of a bulk request, stored so that they can be replayed for the same idempotency key. */
export interface BulkDone extends Omit<RemainingLinks, 'counted'> {
  readonly outcomes: readonly BulkOutcome[];
}

const cursorShape = /^(\d{1,15})\.([\w-]+)$/;

/** Extracts the list cursor from a bulk cursor, which starts with the remaining count. */
export function listCursorIn(cursor: string): { readonly left: number; readonly cursor: string } | undefined {
  const [, left, inner] = cursorShape.exec(cursor) ?? [];
  return left === undefined || inner === undefined ? undefined : { left: Number(left), cursor: inner };
}

interface Place {
  readonly expectedCount?: number | undefined;
  readonly cursor?: string | undefined;
  /** Maximum number of links in this request; {@link maxBulkRows} by default. */
  readonly limit?: number | undefined;
}

/** Returns the ids of links that match a filter, newest first, optionally after a valid cursor. */
export async function findLinkIds(
  context: Context,
  accountId: number,
  filter: Omit<SearchQuery, 'limit' | 'page' | 'cursor'>,
  place: Place,
): Promise<LinkIdPage> {
  const parsed = place.cursor === undefined ? undefined : listCursorIn(place.cursor);
  const query = { ...filter, limit: place.limit ?? maxBulkRows, ...(parsed && { cursor: parsed.cursor }) };
  const found = await findLinks(context, accountId, query);
  const matched = parsed?.left ?? found.total ?? 0;
  const expected = parsed === undefined ? place.expectedCount : undefined;
  const remaining = found.nextCursor === null ? 0 : Math.max(0, matched - found.links.length);
  return {
    ids: found.links.map(({ id }) => id),
    remainder: {
      counted: expected === undefined ? undefined : { found: matched, expected },
      remaining,
      nextCursor: found.nextCursor === null ? null : `${remaining}.${found.nextCursor}`,
    },
  };
}

/**
 * Checks that the number of matching links is the expected number. Called inside the transaction, so that a retry gets
 * the same response.
 * @throws Failure COUNT_DIFFERS
 */
export function requireCount({ counted }: RemainingLinks): void {
  if (counted === undefined || counted.found === counted.expected) return;
  throw countDiffers(counted.found, counted.expected);
}

export function countDiffers(found: number, expected: number): Failure {
  const message = `The filter matches ${found} links, but expectedCount is ${expected}. Nothing was changed.`;
  return new Failure('COUNT_DIFFERS', message);
}
