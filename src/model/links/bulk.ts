import type { Context } from '../context.ts';
import { Failure, type FailureCode, type Problem } from '../failures.ts';
import { isId } from '../ids.ts';
import { findLinks, type SearchQuery } from './find-links.ts';
import { folderNotFound } from './folders.ts';
import type { BriefLink, LinkChange, NewLink, SameDestination } from './link-records.ts';
import { type Caller, linkNotFound } from './links.ts';
import { type TagChoice, tagChoice, tagKey } from './tags.ts';

/** Most rows of one request. */
export const maxBulkRows = 1_000;

/** What to do with the tags of a link: those to add, and the keys (`tagKey`) of those to take off. */
export interface TagEdit {
  readonly add: TagChoice;
  readonly remove: readonly string[];
}

/** One write of many, as storage takes it: the name of a write and what it is given behind the account. */
export type BulkWrite =
  | readonly ['createLink', NewLink]
  | readonly ['createUnlessThere', NewLink, there: SameDestination]
  | readonly ['updateLink', id: string, change: LinkChange, now: number]
  | readonly ['moveLink', id: string, folderId: string | null, now: number]
  | readonly ['tagLink', id: string, edit: TagEdit, now: number]
  | readonly ['deleteLink', id: string, now: number]
  | readonly ['restoreLink', id: string, now: number, quota: number | undefined];

/** Why a row was refused. */
export interface Refused {
  readonly code: FailureCode;
  readonly message: string;
  readonly problems?: readonly Problem[] | undefined;
}

/** What became of a row: the link as it is now, its id where it is gone, or why nothing was done. */
export type BulkOutcome =
  | { readonly link: BriefLink }
  | { readonly id: string }
  | { readonly refused: Refused; readonly id?: string };

/** Rows that stand by themselves, or all of them or none. */
export type BulkMode = 'each' | 'atomic';

export function refusedBy(failure: Failure): Refused {
  const { problems } = failure.facts;
  return { code: failure.code, message: failure.message, ...(problems && { problems }) };
}

/**
 * Writes many rows in one transaction. A row that cannot be written is refused by itself, or with all others.
 * @param rows what to write, or why it cannot be
 * @throws Failure BULK_REFUSED in mode `atomic` when a row is refused; nothing was done then
 */
export async function writeMany(
  context: Context,
  accountId: number,
  rows: readonly (BulkWrite | Refused)[],
  mode: BulkMode,
  beyond: Beyond = { remaining: 0, nextCursor: null },
): Promise<BulkDone> {
  const bad = rows.flatMap((row, at) => ('code' in row ? [{ at, refused: row }] : []));
  if (mode === 'atomic' && bad.length > 0) throw bulkRefused(bad, rows.length);
  const writes = rows.filter((row): row is BulkWrite => !('code' in row));
  if (bad.length === 0) return context.writes.bulkLinks(accountId, writes, mode, beyond);
  const { outcomes: done, ...rest } =
    writes.length === 0
      ? { ...beyond, outcomes: [] }
      : await context.writes.bulkLinks(accountId, writes, mode, beyond);
  let next = 0;
  const outcomes = rows.map((row) => ('code' in row ? { refused: row } : (done[next++] as BulkOutcome)));
  return { ...rest, outcomes };
}

/** Refusals told one by one; the rest are counted. */
const maxTold = 20;

/**
 * @param bad the refused rows, by their places
 * @param list what details call the list that the rows are in
 */
export function bulkRefused(
  bad: readonly { readonly at: number; readonly refused: Refused }[],
  rows: number,
  list = '',
): Failure {
  const problems = bad.slice(0, maxTold).map(({ at, refused: { message, problems: [first] = [] } }) => ({
    field: first === undefined ? `${list}[${at}]` : `${list}[${at}].${first.field}`,
    reason: first?.reason ?? ('refused' as const),
    message: `${list}[${at}]: ${message}`,
    code: 'BULK_REFUSED' as const,
  }));
  const message = `Nothing was done, because ${bad.length} of ${rows} rows were refused. ${problems[0]?.message}`;
  return new Failure('BULK_REFUSED', message, { problems });
}

/** Links that a filter finds, as many as one request takes, and what the client is told of the others. */
export interface FoundLinkIds {
  readonly ids: readonly string[];
  readonly beyond: Beyond;
}

export interface Beyond {
  /** How many the filter found, where that was counted, and how many the client expects. */
  readonly counted?: { readonly found: number; readonly expected: number } | undefined;
  /** Links that it found behind these. */
  readonly remaining: number;
  readonly nextCursor: string | null;
}

/** What is done and what is left: remembered for an idempotency key. */
export interface BulkDone extends Omit<Beyond, 'counted'> {
  readonly outcomes: readonly BulkOutcome[];
}

const cursorShape = /^(\d{1,15})\.([\w-]+)$/;

/** The cursor of the list in one of a bulk request, which begins with how many links are left. */
export function listCursorIn(cursor: string): { readonly left: number; readonly cursor: string } | undefined {
  const [, left, inner] = cursorShape.exec(cursor) ?? [];
  return left === undefined || inner === undefined ? undefined : { left: Number(left), cursor: inner };
}

/** The links that a filter of the list finds, newest first, or those behind a cursor without problems. */
export async function idsFound(
  context: Context,
  accountId: number,
  filter: Omit<SearchQuery, 'limit' | 'page' | 'cursor'>,
  place: { readonly expectedCount?: number | undefined; readonly cursor?: string | undefined },
): Promise<FoundLinkIds> {
  const behind = place.cursor === undefined ? undefined : listCursorIn(place.cursor);
  const query = { ...filter, limit: maxBulkRows, ...(behind && { cursor: behind.cursor }) };
  const found = await findLinks(context, accountId, query);
  const matched = behind?.left ?? found.total ?? 0;
  const expected = behind === undefined ? place.expectedCount : undefined;
  const remaining = found.nextCursor === null ? 0 : Math.max(0, matched - found.links.length);
  return {
    ids: found.links.map(({ id }) => id),
    beyond: {
      counted: expected === undefined ? undefined : { found: matched, expected },
      remaining,
      nextCursor: found.nextCursor === null ? null : `${remaining}.${found.nextCursor}`,
    },
  };
}

/** @throws Failure COUNT_DIFFERS; in the transaction, so that a repetition gets the first answer */
export function requireCount({ counted }: Beyond): void {
  if (counted === undefined || counted.found === counted.expected) return;
  throw countDiffers(counted.found, counted.expected);
}

export function countDiffers(found: number, expected: number): Failure {
  const message = `The filter matches ${found} links, and expectedCount is ${expected}. Nothing was done.`;
  return new Failure('COUNT_DIFFERS', message);
}

/** The write that moves a link; a folder that cannot be one is refused as one that is not there. */
export function moveWrite(context: Context, id: string, folderId: string | null): BulkWrite | Refused {
  if (!isId(id)) return refusedBy(linkNotFound());
  if (folderId !== null && !isId(folderId)) return refusedBy(folderNotFound());
  return ['moveLink', id.toLowerCase(), folderId?.toLowerCase() ?? null, context.now()];
}

export function tagWrite(context: Context, id: string, edit: TagEdit): BulkWrite | Refused {
  return isId(id) ? ['tagLink', id.toLowerCase(), edit, context.now()] : refusedBy(linkNotFound());
}

export function tagEdit(context: Context, add: readonly string[], remove: readonly string[]): TagEdit {
  return { add: tagChoice(context, add), remove: remove.map(tagKey) };
}

export function changeWrite(context: Context, id: string, change: LinkChange): BulkWrite | Refused {
  return isId(id) ? ['updateLink', id.toLowerCase(), change, context.now()] : refusedBy(linkNotFound());
}

export function deleteWrite(context: Context, id: string): BulkWrite | Refused {
  return isId(id) ? ['deleteLink', id.toLowerCase(), context.now()] : refusedBy(linkNotFound());
}

export function restoreWrite(context: Context, caller: Caller, id: string): BulkWrite | Refused {
  const quota = context.linkQuotas[caller.plan];
  return isId(id) ? ['restoreLink', id.toLowerCase(), context.now(), quota] : refusedBy(linkNotFound());
}
