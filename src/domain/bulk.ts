import type { Context } from './context.ts';
import { Failure, type FailureCode, type Problem } from './failures.ts';
import { folderNotFound } from './folders.ts';
import { isId } from './ids.ts';
import type { Link, LinkChange, NewLink } from './link-records.ts';
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
  | { readonly link: BulkLink }
  | { readonly id: string }
  | { readonly refused: Refused };

export type BulkLink = Pick<Link, 'id' | 'code' | 'destination' | 'createdAt'>;

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
): Promise<readonly BulkOutcome[]> {
  const bad = rows.flatMap((row, at) => ('code' in row ? [{ at, refused: row }] : []));
  if (mode === 'atomic' && bad.length > 0) throw bulkRefused(bad, rows.length);
  const writes = rows.filter((row): row is BulkWrite => !('code' in row));
  const done = writes.length === 0 ? [] : await context.writes.bulkLinks(accountId, writes, mode);
  let next = 0;
  return rows.map((row) => ('code' in row ? { refused: row } : (done[next++] as BulkOutcome)));
}

/** Refusals told one by one; the rest are counted. */
const maxTold = 20;

/** @param bad the refused rows, by their places */
export function bulkRefused(
  bad: readonly { readonly at: number; readonly refused: Refused }[],
  rows: number,
): Failure {
  const problems = bad.slice(0, maxTold).map(({ at, refused: { message, problems: [first] = [] } }) => ({
    field: first === undefined ? `[${at}]` : `[${at}].${first.field}`,
    reason: first?.reason ?? ('refused' as const),
    message: `[${at}]: ${message}`,
    code: 'BULK_REFUSED' as const,
  }));
  const message = `Nothing was done, because ${bad.length} of ${rows} rows were refused. ${problems[0]?.message}`;
  return new Failure('BULK_REFUSED', message, { problems });
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
