import { Failure, refused } from '../../../model/failures.ts';
import {
  type BulkOutcome,
  type BulkWrite,
  bulkRefused,
  type PreviousField,
  refusalFrom,
  requireCount,
  type TagEdit,
} from '../../../model/links/bulk.ts';
import type { BriefLink, Link } from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { maxTagsOfLink, type TagChoice, tagKey } from '../../../model/links/tags.ts';
import type { Db } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { requireAccess } from '../finding/access.ts';
import { linkOf } from '../finding/link-reads.ts';
import { heldTags, requireTags } from '../finding/link-tags.ts';
import type { TagRow } from '../groups/tags.ts';
import { createManyLinks } from './create-many.ts';
import {
  briefLinkOf,
  createLink,
  deleteLink,
  lockLive,
  moveLink,
  restoreLink,
  setTags,
  updateLink,
} from './links.ts';
import { recordLink } from './record.ts';
import { createUnlessExists } from './same-destination.ts';

/** Context shared by all rows of a bulk request. */
interface BatchContext {
  readonly db: Db;
  readonly accountId: number;
  /** Fields to return with their previous values. */
  readonly previous: readonly PreviousField[];
  /**
   * The tags to add, which are the same for all rows, so they are found or created only once. No other transaction can
   * delete these tags during the request.
   */
  found?: { readonly choice: TagChoice; readonly tags: readonly TagRow[] } | undefined;
}

/**
 * Runs many writes in one transaction. Rows rarely fail, and a savepoint costs more than most rows. So all rows are
 * tried in one savepoint, and only if one fails does each row get its own savepoint.
 */
export const bulkLinks: Write<'bulkLinks'> = async (db, accountId, writes, mode, limits, previous = []) => {
  requireCount(limits);
  const rows: BatchContext = { db, accountId, previous };
  const outcomes = (await createInBulk(rows, writes)) ?? (await performAll(rows, writes));
  const bad = outcomes.flatMap((outcome, at) =>
    'refused' in outcome ? [{ at, refused: outcome.refused }] : [],
  );
  // Throws, because an exception rolls back the whole transaction.
  if (mode === 'atomic' && bad.length > 0) throw bulkRefused(bad, writes.length);
  return { outcomes, remaining: limits.remaining, nextCursor: limits.nextCursor };
};

/** Creates all rows in a few statements if they are all new links. @returns undefined if no row was created */
async function createInBulk(
  { db, accountId }: BatchContext,
  writes: readonly BulkWrite[],
): Promise<BulkOutcome[] | undefined> {
  const drafts = writes.flatMap((write) => (write[0] === 'createLink' ? [write[1]] : []));
  if (drafts.length < writes.length || !(await createManyLinks(db, accountId, drafts))) return undefined;
  return drafts.map((draft) => ({ link: briefLinkOf(draft, draft.codes[0] ?? '') }));
}

async function performAll(rows: BatchContext, writes: readonly BulkWrite[]): Promise<BulkOutcome[]> {
  const { db } = rows;
  const outcomes: BulkOutcome[] = [];
  await db.run('SAVEPOINT all_rows', []);
  for (const write of writes) {
    const outcome = await perform(rows, write);
    if ('refused' in outcome) break;
    outcomes.push(outcome);
  }
  if (outcomes.length < writes.length) {
    await db.run('ROLLBACK TO SAVEPOINT all_rows', []);
    rows.found = undefined;
    outcomes.length = 0;
    for (const write of writes) outcomes.push(await performInSavepoint(rows, write));
  }
  await db.run('RELEASE SAVEPOINT all_rows', []);
  return outcomes;
}

async function performInSavepoint(rows: BatchContext, write: BulkWrite): Promise<BulkOutcome> {
  const { db } = rows;
  await db.run('SAVEPOINT one_row', []);
  const outcome = await perform(rows, write);
  if ('refused' in outcome) {
    await db.run('ROLLBACK TO SAVEPOINT one_row', []);
    rows.found = undefined;
  }
  await db.run('RELEASE SAVEPOINT one_row', []);
  return outcome;
}

/** Runs the write for one row. A rejection of the row is returned as its outcome. @throws all other errors */
async function perform(rows: BatchContext, write: BulkWrite): Promise<BulkOutcome> {
  try {
    const previous = await previousOf(rows, write);
    const outcome = await performRow(rows, write);
    return previous && 'link' in outcome ? { ...outcome, previous } : outcome;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    return { refused: refusalFrom(error), ...(typeof write[1] === 'string' && { id: write[1] }) };
  }
}

async function previousOf({ db, accountId, previous }: BatchContext, [, id]: BulkWrite) {
  if (previous.length === 0 || typeof id !== 'string') return undefined;
  const row = await lockLive(db, accountId, id);
  const link = row && linkOf(row);
  return link && Object.fromEntries(previous.map((name) => [name, link[name]]));
}

async function performRow(rows: BatchContext, write: BulkWrite): Promise<BulkOutcome> {
  const { db, accountId } = rows;
  switch (write[0]) {
    case 'createLink':
      return { link: requireBrief(await createLink(db, accountId, write[1])) };
    case 'createUnlessExists':
      return { link: requireBrief((await createUnlessExists(db, accountId, write[1], write[2])).link) };
    case 'updateLink':
      return { link: requireBrief(await updateLink(db, accountId, write[1], write[2], write[3])) };
    case 'moveLink':
      return { link: requireBrief(await moveLink(db, accountId, write[1], write[2], write[3])) };
    case 'tagLink':
      return { link: requireBrief(await tagLink(rows, write[1], write[2], write[3])) };
    case 'restoreLink':
      return { link: requireBrief(await restoreLink(db, accountId, write[1], write[2], write[3])) };
    case 'deleteLink':
      if (!(await deleteLink(db, accountId, write[1], write[2]))) throw linkNotFound();
      return { id: write[1] };
  }
}

/**
 * Reduces a link to a few fields, to keep results that are stored for idempotency keys small.
 * @throws Failure LINK_NOT_FOUND
 */
function requireBrief(link: BriefLink | undefined): BriefLink {
  if (link === undefined) throw linkNotFound();
  const { id, code, destination, createdAt, host } = link;
  return { id, code, destination, createdAt, ...(host != null && { host }) };
}

/** Adds and removes tags on a link. @throws Failure VALIDATION_ERROR when the link would have too many tags */
async function tagLink(
  rows: BatchContext,
  id: string,
  { add, remove }: TagEdit,
  now: number,
): Promise<Link | undefined> {
  const { db, accountId } = rows;
  const added = await addedTags(rows, add);
  const row = await lockLive(db, accountId, id);
  if (row === undefined) return undefined;
  requireAccess(db, row);
  const tagsByKey = new Map(
    (await heldTags(db, accountId, row.link_row)).map((tag) => [tagKey(tag.name), tag]),
  );
  for (const key of remove) tagsByKey.delete(key);
  for (const tag of added) tagsByKey.set(tagKey(tag.name), tag);
  if (tagsByKey.size > maxTagsOfLink) {
    const message = `A link can have at most ${maxTagsOfLink} tags; this one would have ${tagsByKey.size}.`;
    throw refused([{ field: 'tags', reason: 'too_long', message, code: 'VALIDATION_ERROR' }]);
  }
  const write = { accountId, id, action: 'tagged', now } as const;
  const { link_row: linkRow } = row;
  await recordLink(db, write, () => setTags(db, accountId, linkRow, [...tagsByKey.values()], now));
  return linkOf(row);
}

async function addedTags(rows: BatchContext, choice: TagChoice): Promise<readonly TagRow[]> {
  if (rows.found?.choice === choice) return rows.found.tags;
  const tags = await requireTags(rows.db, rows.accountId, choice);
  rows.found = { choice, tags };
  return tags;
}
