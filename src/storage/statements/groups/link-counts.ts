import { limitReached } from '../../../model/failures.ts';
import type { FolderFilter } from '../../../model/links/link-records.ts';
import { type Db, one, type Value } from '../../db/db.ts';
import { idBytes, idBytesOrNull } from '../../db/ids.ts';

// One byte cannot be the id of a folder or tag, which has 16, nor the space of a domain, which has fewer and more than one.
const allLinks = new Uint8Array([0]);
const linksInNoFolder = new Uint8Array([1]);

function scopeOfFolder(folderId: string | null): Uint8Array {
  return idBytesOrNull(folderId) ?? linksInNoFolder;
}

/** What a link counts for. */
interface Counted {
  readonly folderId: string | null;
  readonly tagIds?: readonly string[] | undefined;
  /** Of its domain; those of the shared one are not counted by themselves. */
  readonly space?: string | undefined;
}

function scopesOf({ folderId, tagIds = [], space = '' }: Counted): Uint8Array[] {
  return [allLinks, scopeOfFolder(folderId), ...tagIds.map(idBytes), ...scopesOfSpace(space)];
}

function scopesOfSpace(space: string): Uint8Array[] {
  return space === '' ? [] : [Buffer.from(space)];
}

/** The counter that holds the number of links a filter matches. */
export function scopeOf(filter: FolderFilter): Uint8Array {
  if (filter.kind === 'folder') return idBytes(filter.id);
  return filter.kind === 'all' ? allLinks : linksInNoFolder;
}

const counter = { account_id: 'integer', scope: 'bytes', slot: 'integer', links: 'integer' } as const;
const names = Object.keys(counter).join(', ');
const adding =
  'ON CONFLICT (account_id, scope, slot) DO UPDATE SET links = link_counts.links + excluded.links';
const addToOne = `INSERT INTO link_counts (${names}) VALUES (?, ?, ?, ?) ${adding}`;
const addToAll = `INSERT INTO link_counts (${names}) SELECT ${names} FROM input ${adding}`;

/** In the order of their scopes: two writers that add to the same two counters must not wait for each other. */
async function add(
  db: Db,
  accountId: number,
  ...changes: readonly (readonly [scope: Uint8Array, change: number])[]
): Promise<void> {
  const slot = db.counterSlot();
  const inOrder = changes.toSorted(([a], [b]) => Buffer.compare(a, b));
  const values = inOrder.flatMap(([scope, change]): Value[] => [accountId, scope, slot, change]);
  await db.bulk<Value>({ columns: counter, values }, (...row) => db.run(addToOne, row), addToAll);
}

/** Counts live links that came (+) or went (-), in the transaction that makes them come or go. */
export async function countLinks(db: Db, accountId: number, counted: Counted, change: number): Promise<void> {
  return add(db, accountId, ...scopesOf(counted).map((scope) => [scope, change] as const));
}

/** Counts new links: each counter is added to once. */
export async function countNewLinks(db: Db, accountId: number, links: readonly Counted[]): Promise<void> {
  const sums = new Map<string, number>();
  for (const link of links)
    for (const scope of scopesOf(link)) sums.set(scope.toHex(), (sums.get(scope.toHex()) ?? 0) + 1);
  await add(db, accountId, ...[...sums].map(([hex, sum]) => [Uint8Array.fromHex(hex), sum] as const));
}

/** Counts live links that got a tag, or lost it. */
export async function countTags(
  db: Db,
  accountId: number,
  changes: readonly (readonly [tagId: string, change: number])[],
): Promise<void> {
  const scopes = changes.map(([id, change]) => [idBytes(id), change] as const);
  if (scopes.length > 0) await add(db, accountId, ...scopes);
}

/** Counts links that went from one folder (or none) to another. */
export async function countMove(
  db: Db,
  accountId: number,
  from: string | null,
  to: string | null,
  links = 1,
): Promise<void> {
  return add(db, accountId, [scopeOfFolder(from), -links], [scopeOfFolder(to), links]);
}

/** Counts a live link that went from one domain to another. */
export async function countDomainChange(db: Db, accountId: number, from: string, to: string): Promise<void> {
  if (from === to) return;
  const left = scopesOfSpace(from).map((scope) => [scope, -1] as const);
  await add(db, accountId, ...left, ...scopesOfSpace(to).map((scope) => [scope, 1] as const));
}

/** The live links of an account in the spaces of some of its domains. */
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

/** A subquery that answers one number: the live links of an account and scope given as parameters or columns. */
export function sumOfLinks(accountId: string, scope: string): string {
  return `(SELECT CAST(COALESCE(SUM(n.links), 0) AS BIGINT) FROM link_counts n WHERE n.account_id = ${accountId} AND n.scope = ${scope})`;
}

const readCount = `SELECT ${sumOfLinks('?', '?')} AS links`;

export async function linkCount(db: Db, accountId: number, filter: FolderFilter): Promise<number> {
  return (await one<{ links: number }>(db, readCount, [accountId, scopeOf(filter)])).links;
}

const forgetScope = 'DELETE FROM link_counts WHERE account_id = ? AND scope = ?';

/** Adds a folder's count to that of the uncategorized links, and drops its own. */
export async function dissolveCount(db: Db, accountId: number, folderId: string): Promise<void> {
  const links = await linkCount(db, accountId, { kind: 'folder', id: folderId });
  if (links !== 0) await countMove(db, accountId, folderId, null, links);
  await forgetCount(db, accountId, folderId);
}

/** Drops the count of a folder or tag that is gone. */
export async function forgetCount(db: Db, accountId: number, id: string): Promise<void> {
  await db.run(forgetScope, [accountId, idBytes(id)]);
}

/** Locked by a write that counts up to a limit of the account, suspends it, or makes a key in it. */
export const accountById = 'SELECT id FROM accounts WHERE id = ?';

/** @throws Failure LIMIT_REACHED when so many more live links would be too many */
export async function requireRoom(
  db: Db,
  accountId: number,
  quota: number | undefined,
  links = 1,
): Promise<void> {
  if (quota === undefined) return;
  // Other writes that count up to a limit of the account wait for this one.
  await db.lockRows('no key update', accountById, [accountId]);
  if ((await linkCount(db, accountId, { kind: 'all' })) + links <= quota) return;
  throw limitReached('links', quota);
}
