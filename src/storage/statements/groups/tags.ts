import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { type Tag, type TagChoice, tagKey, tagNameTaken, tagNotFound } from '../../../model/links/tags.ts';
import { type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { type Row as StoredRow, stored } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { appendEvent } from '../events/append.ts';
import { groupFields } from './groups.ts';
import { countTags, deleteCount, lockAccount } from './link-counts.ts';

/** A tag, with the row number that `link_tags` refers to. */
export interface TagRow {
  readonly row: number;
  readonly id: string;
  readonly name: string;
}

const storedTag = stored('t', groupFields('t'));
type Row = StoredRow &
  Readonly<Record<'tag_row' | 'links' | 'created_at' | 'updated_at', number>> & { readonly id: Uint8Array };
const tagPage = `
  SELECT t.tag_row, ${storedTag.columns} FROM tags t WHERE t.account_id = ? AND t.deleted = 0 AND t.key > ? ORDER BY t.key LIMIT ?`;
const tagById = `SELECT t.tag_row, ${storedTag.columns} FROM tags t WHERE t.account_id = ? AND t.id = ? AND t.deleted = 0`;
const tagByKey = `SELECT t.tag_row, ${storedTag.columns} FROM tags t WHERE t.account_id = ? AND t.key = ? AND t.deleted = 0`;

export const tags: Read<'tags'> = async (db, accountId, limit, after = '') =>
  (await db.all<Row>(tagPage, [accountId, after, limit])).map(storedTag.of);

export const tag: Read<'tag'> = async (db, accountId, id) => {
  const row = await db.get<Row>(tagById, [accountId, idBytes(id)]);
  return row && storedTag.of(row);
};

async function findByName(db: Db, accountId: number, name: string): Promise<Tag | undefined> {
  const row = await db.get<Row>(tagByKey, [accountId, tagKey(name)]);
  return row && storedTag.of(row);
}

const countAll = 'SELECT COUNT(*) AS tags FROM tags WHERE account_id = ? AND deleted = 0';
const insertTag =
  'INSERT INTO tags (id, account_id, name, key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)';

/**
 * Creates tags whose names are not in use. The account must be locked.
 * @throws Failure LIMIT_REACHED when the account would have too many tags
 */
export async function insertTags(
  db: Db,
  accountId: number,
  tags: TagChoice['tags'],
  { limit, at }: Pick<TagChoice, 'limit' | 'at'>,
): Promise<TagRow[]> {
  if (tags.length === 0) return [];
  const { tags: count } = await one<{ tags: number }>(db, countAll, [accountId]);
  if (count + tags.length > limit) throw limitReached('tags', limit);
  const rows: TagRow[] = [];
  for (const { id, name } of tags) {
    const params = [idBytes(id), accountId, name, tagKey(name), at, at];
    rows.push({ row: await db.insert(insertTag, 'tag_row', params), id, name });
    await appendEvent(db, { accountId, at, name: 'tag.created', targetId: id, body: { name } });
  }
  return rows;
}

export const createTag: Write<'createTag'> = async (db, accountId, tag) => {
  const { id, name, createdAt, limit } = tag;
  await lockAccount(db, accountId);
  const holder = await findByName(db, accountId, name);
  if (holder !== undefined) throw tagNameTaken(holder.name);
  await insertTags(db, accountId, [tag], { limit, at: createdAt });
  return { id, name, linkCount: 0, createdAt, updatedAt: createdAt };
};

const setName = `
  UPDATE tags SET name = ?, key = ?, updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END
  WHERE account_id = ? AND id = ? AND deleted = 0 AND name <> ?`;

/** Renames a tag. If the tag already has the name, nothing changes, not even `updatedAt`. */
export const renameTag: Write<'renameTag'> = async (db, accountId, id, name, now) => {
  await lockAccount(db, accountId);
  if ((await tag(db, accountId, id)) === undefined) throw tagNotFound();
  const holder = await findByName(db, accountId, name);
  if (holder !== undefined && holder.id !== id) throw tagNameTaken(holder.name);
  await db.run(setName, [name, tagKey(name), now, now, accountId, idBytes(id), name]);
  const renamed = await tag(db, accountId, id);
  if (renamed === undefined) throw tagNotFound();
  return renamed;
};

const updateSuccessors =
  'UPDATE tags SET successor = ? WHERE account_id = ? AND deleted = 1 AND successor = ?';
const markDeleted = 'UPDATE tags SET deleted = 1, successor = ? WHERE tag_row = ?';

/** Maximum number of rows per transaction. Changing this many rows takes a few milliseconds. */
const maxRowsAtOnce = 500;

/**
 * Marks a tag as deleted. Its rows, and the rows of tags merged into it, then count as the successor or, without a
 * successor, as no tag.
 */
async function markTagDeleted(
  db: Db,
  accountId: number,
  { tag_row, id }: Row,
  successor: number | null,
  atOnce: number,
): Promise<void> {
  await db.run(updateSuccessors, [successor, accountId, tag_row]);
  await db.run(markDeleted, [successor, tag_row]);
  await deleteCount(db, accountId, idText(id));
  await emptyTag(db, { tag_row, successor }, atOnce);
}

/** Query for a tag's links in `link_tags`, including the links of tags merged into it. */
const rowsOfTag = `
  SELECT g.link_row FROM link_tags g JOIN tags r ON r.tag_row = g.tag_row
  WHERE r.account_id = ? AND (r.tag_row = ? OR (r.deleted = 1 AND r.successor = ?))`;
const rowsWith = 'SELECT link_row FROM link_tags WHERE tag_row = ?';
const mergedInto =
  'SELECT 1 AS found FROM tags WHERE account_id = ? AND deleted = 1 AND successor IN (?, ?) LIMIT 1';

/**
 * Returns a query that counts links with both tags. The query looks up each of the rarer tag's links among the other
 * tag's links.
 */
function overlapQuery(fewer: string, other: string): string {
  return `
    SELECT COUNT(*) AS links FROM (${fewer}) AS a JOIN links l ON l.link_row = a.link_row
    WHERE l.deleted_at IS NULL AND ${other}`;
}
const overlapByIndex = overlapQuery(
  rowsWith,
  'EXISTS (SELECT 1 FROM link_tags o WHERE o.tag_row = ? AND o.link_row = a.link_row)',
);
const overlapOfUnions = overlapQuery(
  rowsOfTag.replace('SELECT g.link_row', 'SELECT DISTINCT g.link_row'),
  `a.link_row IN (${rowsOfTag})`,
);

/** Counts the live links that have both tags. */
async function linksWithBoth(db: Db, accountId: number, a: Row, b: Row): Promise<number> {
  const [fewer, other] = a.links < b.links ? [a, b] : [b, a];
  const isPlain = (await db.get(mergedInto, [accountId, a.tag_row, b.tag_row])) === undefined;
  const of = ({ tag_row }: Row) => [accountId, tag_row, tag_row];
  const { links } = await (isPlain
    ? one<{ links: number }>(db, overlapByIndex, [fewer.tag_row, other.tag_row])
    : one<{ links: number }>(db, overlapOfUnions, [...of(fewer), ...of(other)]));
  return links;
}

/**
 * Merges a tag into another. Reads see the result as soon as it is committed, but this transaction changes only some
 * rows. `emptyTags` changes the rest in the background (`link-tags.ts`).
 * @param atOnce number of rows to change in this transaction
 */
export const mergeTags: Write<'mergeTags'> = async (db, accountId, id, into, now, atOnce = maxRowsAtOnce) => {
  await lockAccount(db, accountId, 'update');
  const from = await db.get<Row>(tagById, [accountId, idBytes(id)]);
  const to = await db.get<Row>(tagById, [accountId, idBytes(into)]);
  if (from === undefined || to === undefined) throw tagNotFound();
  if (id === into) return storedTag.of(to);
  const more = from.links - (await linksWithBoth(db, accountId, from, to));
  await countTags(db, accountId, [[into, more]]);
  await markTagDeleted(db, accountId, from, to.tag_row, atOnce);
  const updatedAt = Math.max(to.updated_at, now);
  await db.run('UPDATE tags SET updated_at = ? WHERE tag_row = ?', [updatedAt, to.tag_row]);
  return { ...storedTag.of(to), linkCount: to.links + more, updatedAt };
};

/** Removes a tag from all links, live and deleted. Like `mergeTags`, leaves part of the work for the background. */
export const deleteTag: Write<'deleteTag'> = async (db, accountId, id, atOnce = maxRowsAtOnce) => {
  await lockAccount(db, accountId, 'update');
  const gone = await db.get<Row>(tagById, [accountId, idBytes(id)]);
  if (gone === undefined) return false;
  await markTagDeleted(db, accountId, gone, null, atOnce);
  return true;
};

const firstRows = 'SELECT link_row FROM link_tags WHERE tag_row = ? ORDER BY link_row LIMIT ?';
const copyRows = `
  INSERT INTO link_tags (tag_row, link_row)
  SELECT s.tag_row, g.link_row FROM (${firstRows}) AS g JOIN tags s ON s.tag_row = ? WHERE TRUE
  ON CONFLICT (tag_row, link_row) DO NOTHING`;
const deleteRows = `DELETE FROM link_tags WHERE tag_row = ? AND link_row IN (${firstRows})`;
const deleteRow = 'DELETE FROM tags WHERE tag_row = ?';

/** Replaces some of a deleted tag's rows with rows of its successor, and deletes the tag after the last row. */
async function emptyTag(
  db: Db,
  { tag_row, successor }: { readonly tag_row: number; readonly successor: number | null },
  most: number,
): Promise<void> {
  if (successor !== null) await db.run(copyRows, [tag_row, most, successor]);
  await db.run(deleteRows, [tag_row, tag_row, most]);
  if ((await db.get(rowsWith, [tag_row])) === undefined) await db.run(deleteRow, [tag_row]);
}

const anyDeleted =
  'SELECT account_id, tag_row FROM tags WHERE deleted = 1 ORDER BY account_id, tag_row LIMIT 1';
const deletedTag = 'SELECT tag_row, successor FROM tags WHERE tag_row = ? AND deleted = 1';

/** Continues the background work of `mergeTags` and `deleteTag`. */
export const emptyTags: Write<'emptyTags'> = async (db, most) => {
  const next = await db.get<{ account_id: number; tag_row: number }>(anyDeleted, []);
  if (next === undefined) return false;
  await lockAccount(db, next.account_id, 'update');
  // Reads the tag again after locking: while this process waited, another process may have emptied the tag, or the
  // tag's successor may have been deleted as well.
  const tag = await db.get<{ tag_row: number; successor: number | null }>(deletedTag, [next.tag_row]);
  if (tag !== undefined) await emptyTag(db, tag, most);
  return true;
};

export const tagReads = { tag, tags };

export const tagWrites = { createTag, renameTag, mergeTags, deleteTag, emptyTags };
