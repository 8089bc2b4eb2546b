import { limitReached } from '../../../model/failures.ts';
import type { FolderFilter } from '../../../model/links/link-records.ts';
import { type Db, one, type RowLock, type Value } from '../../db/db.ts';
import { idBytes, idBytesOrNull } from '../../db/ids.ts';

// These scopes are one byte long, so they differ from the id of a folder or tag (16 bytes) and the space of a domain (2
// to 15 bytes).
const allLinks = new Uint8Array([0]);
const linksInNoFolder = new Uint8Array([1]);

function scopeOfFolder(folderId: string | null): Uint8Array {
  return idBytesOrNull(folderId) ?? linksInNoFolder;
}

/** The fields that determine which counters include a link. */
interface CountedLink {
  readonly folderId: string | null;
  readonly tagIds?: readonly string[] | undefined;
  /** Space of the link's domain. Links of the shared domain have no separate counter. */
  readonly space?: string | undefined;
}

function scopesOf({ folderId, tagIds = [], space = '' }: CountedLink): Uint8Array[] {
  return [allLinks, scopeOfFolder(folderId), ...tagIds.map(idBytes), ...scopesOfSpace(space)];
}

function scopesOfSpace(space: string): Uint8Array[] {
  return space === '' ? [] : [Buffer.from(space)];
}

/** Returns the scope of the counter for the links that a filter matches. */
export function scopeOf(filter: FolderFilter): Uint8Array {
  if (filter.kind === 'folder') return idBytes(filter.id);
  return filter.kind === 'all' ? allLinks : linksInNoFolder;
}

const counterColumns = { account_id: 'integer', scope: 'bytes', slot: 'integer', links: 'integer' } as const;
const names = Object.keys(counterColumns).join(', ');
const addOnConflict =
  'ON CONFLICT (account_id, scope, slot) DO UPDATE SET links = link_counts.links + excluded.links';
const addToOne = `INSERT INTO link_counts (${names}) VALUES (?, ?, ?, ?) ${addOnConflict}`;
const addToAll = `INSERT INTO link_counts (${names}) SELECT ${names} FROM input ${addOnConflict}`;

/** Adds to counters in order of their scopes, so that two writers that add to the same counters cannot deadlock. */
async function add(
  db: Db,
  accountId: number,
  ...changes: readonly (readonly [scope: Uint8Array, change: number])[]
): Promise<void> {
  const slot = db.counterSlot();
  const inOrder = changes.toSorted(([a], [b]) => Buffer.compare(a, b));
  const values = inOrder.flatMap(([scope, change]): Value[] => [accountId, scope, slot, change]);
  await db.bulk<Value>({ columns: counterColumns, values }, (...row) => db.run(addToOne, row), addToAll);
}

/**
 * Updates the counters for added (+) or removed (-) live links. Call it in the transaction that adds or removes the
 * links.
 */
export async function countLinks(
  db: Db,
  accountId: number,
  counted: CountedLink,
  change: number,
): Promise<void> {
  return add(db, accountId, ...scopesOf(counted).map((scope) => [scope, change] as const));
}

/** Updates the counters for new links, with one statement per counter. */
export async function countNewLinks(db: Db, accountId: number, links: readonly CountedLink[]): Promise<void> {
  const sums = new Map<string, number>();
  for (const link of links)
    for (const scope of scopesOf(link)) sums.set(scope.toHex(), (sums.get(scope.toHex()) ?? 0) + 1);
  await add(db, accountId, ...[...sums].map(([hex, sum]) => [Uint8Array.fromHex(hex), sum] as const));
}

/** Updates the link counts of tags that were added to or removed from live links. */
export async function countTags(
  db: Db,
  accountId: number,
  changes: readonly (readonly [tagId: string, change: number])[],
): Promise<void> {
  const scopes = changes.map(([id, change]) => [idBytes(id), change] as const);
  if (scopes.length > 0) await add(db, accountId, ...scopes);
}

/** Updates the counters for links that moved from one folder (or none) to another. */
export async function countMove(
  db: Db,
  accountId: number,
  from: string | null,
  to: string | null,
  links = 1,
): Promise<void> {
  return add(db, accountId, [scopeOfFolder(from), -links], [scopeOfFolder(to), links]);
}

/** Updates the counters for a live link that moved from one domain to another. */
export async function countDomainChange(db: Db, accountId: number, from: string, to: string): Promise<void> {
  if (from === to) return;
  const left = scopesOfSpace(from).map((scope) => [scope, -1] as const);
  await add(db, accountId, ...left, ...scopesOfSpace(to).map((scope) => [scope, 1] as const));
}

/** Returns the number of an account's live links per space. */
export async function linksInSpaces(
  db: Db,
  accountId: number,
  spaces: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = await db.all<{ scope: Uint8Array; links: number }>(
    `SELECT scope, CAST(SUM(links) AS BIGINT) AS links FROM link_counts
     WHERE account_id = ? AND scope IN (${spaces.map(() => '?').join(', ')}) GROUP BY scope`,
    [accountId, ...spaces.flatMap(scopesOfSpace)],
  );
  return new Map(counts.map(({ scope, links }) => [Buffer.from(scope).toString(), links]));
}

/**
 * Returns a subquery that counts an account's live links in a scope. The account and the scope are parameters or
 * columns.
 */
export function sumOfLinks(accountId: string, scope: string): string {
  return `(SELECT CAST(COALESCE(SUM(n.links), 0) AS BIGINT) FROM link_counts n WHERE n.account_id = ${accountId} AND n.scope = ${scope})`;
}

const readCount = `SELECT ${sumOfLinks('?', '?')} AS links`;

export async function linkCount(db: Db, accountId: number, filter: FolderFilter): Promise<number> {
  return (await one<{ links: number }>(db, readCount, [accountId, scopeOf(filter)])).links;
}

const deleteScope = 'DELETE FROM link_counts WHERE account_id = ? AND scope = ?';

/** Adds a folder's count to the count of links in no folder, and deletes the folder's count. */
export async function dissolveCount(db: Db, accountId: number, folderId: string): Promise<void> {
  const links = await linkCount(db, accountId, { kind: 'folder', id: folderId });
  if (links !== 0) await countMove(db, accountId, folderId, null, links);
  await deleteCount(db, accountId, folderId);
}

/** Deletes the count of a deleted folder or tag. */
export async function deleteCount(db: Db, accountId: number, id: string): Promise<void> {
  await db.run(deleteScope, [accountId, idBytes(id)]);
}

const accountById = 'SELECT id FROM accounts WHERE id = ?';

/**
 * Locks an account until the transaction ends. Writes that check one of the account's limits, suspend it or create a
 * key in it therefore wait for each other.
 */
export async function lockAccount(db: Db, accountId: number, lock: RowLock = 'no key update'): Promise<void> {
  await db.lockRows(lock, accountById, [accountId]);
}

/** Checks the account's link quota. @throws Failure LIMIT_REACHED when `links` more live links would exceed it */
export async function requireRoom(
  db: Db,
  accountId: number,
  quota: number | undefined,
  links = 1,
): Promise<void> {
  if (quota === undefined) return;
  await lockAccount(db, accountId);
  if ((await linkCount(db, accountId, { kind: 'all' })) + links <= quota) return;
  throw limitReached('links', quota);
}
