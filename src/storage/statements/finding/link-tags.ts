import { idText } from '../../../model/ids.ts';
import { fold } from '../../../model/links/link-search.ts';
import { type TagChoice, tagKey } from '../../../model/links/tags.ts';
import { all, type Db } from '../../db/db.ts';

import { countTags, lockAccount } from '../groups/link-counts.ts';
import { insertTags, type TagRow } from '../groups/tags.ts';
import { patternOf } from './search-text.ts';

/**
 * A tag may be on more links than one transaction should change while other writes wait. So deleting or merging a tag
 * only marks its row in `tags`, which then names the successor of a merged tag. As soon as that is committed, the
 * deleted tag's rows in `link_tags` count as the successor or as no tag. Background work updates them batch by batch.
 * Every statement that reads `link_tags` must therefore use the queries in this file.
 *
 * With several writers, a transaction that changes links' tags takes a weak lock on the account, and a transaction that
 * deletes or merges tags takes an exclusive lock. So while a transaction changes a link's tags, no row starts to count
 * as another tag.
 */

/** Joins tags `t` to rows `g` of `link_tags`, following merges. During a merge a link may have the same tag twice. */
export const meantTag = `
  JOIN tags r ON r.tag_row = g.tag_row
  JOIN tags t ON t.tag_row = CASE WHEN r.deleted = 0 THEN r.tag_row ELSE r.successor END`;

/** Query for all pairs of a live link and a tag, as columns `account_id`, `tag_id` and `link_row`. */
export const liveTags = `
  SELECT DISTINCT t.account_id, t.id AS tag_id, l.link_row
  FROM links l JOIN link_tags g ON g.link_row = l.link_row ${meantTag} WHERE l.deleted_at IS NULL`;

/** Query for the links with a tag, given its account and id, including deleted links. */
export const linksOfTag = `
  SELECT DISTINCT g.link_row FROM tags t
  JOIN tags r ON r.tag_row = t.tag_row OR (r.account_id = t.account_id AND r.deleted = 1 AND r.successor = t.tag_row)
  JOIN link_tags g ON g.tag_row = r.tag_row
  WHERE t.account_id = ? AND t.id = ? AND t.deleted = 0`;

/**
 * Query for all pairs of a link and a tag in an account, as columns `link_row` and `tag_id`. Includes deleted links.
 */
export const tagsOfAccountLinks = `
  SELECT DISTINCT g.link_row, t.id AS tag_id FROM link_tags g ${meantTag} WHERE r.account_id = ? AND t.deleted = 0`;

/** The tags that a search refers to, as rows of `tags`, including tags merged into them. */
export interface TagsOfSearch {
  /** Tag rows by search word, for the words that occur in tag names. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  /** Tag rows for each tag name of the filter, in order. */
  readonly named: readonly (readonly number[])[];
}

/**
 * Returns a condition for names that may match. Databases fold the case of ASCII only, so `tagsOfSearch` compares
 * non-ASCII names in JavaScript.
 */
function mayMatch(words: number, names: number): string {
  const like = [
    ...Array(words).fill(`lower(t.name) LIKE ? ESCAPE '\\'`),
    ...Array(names).fill('lower(t.name) = ?'),
  ];
  return `t.deleted = 0 AND (octet_length(t.name) > length(t.name) OR ${like.join(' OR ')})`;
}

/** Finds the tags whose names contain one of the folded words, or equal one of the folded names. */
export async function tagsOfSearch(
  db: Db,
  accountId: number,
  words: readonly string[],
  names: readonly string[],
): Promise<TagsOfSearch> {
  if (words.length + names.length === 0) return { byWord: new Map(), named: [] };
  const condition = mayMatch(words.length, names.length);
  const params = [accountId, ...words.map((word) => patternOf(word, 'anywhere')), ...names];
  const rows = await db.allUncached<{ tag_row: number; name: string }>(
    `SELECT t.tag_row, t.name FROM tags t WHERE t.account_id = ? AND ${condition}
     UNION ALL SELECT r.tag_row, t.name FROM tags r JOIN tags t ON t.tag_row = r.successor
       WHERE r.account_id = ? AND r.deleted = 1 AND ${condition}`,
    [...params, ...params],
  );
  const tags = rows.map(({ tag_row: row, name }) => ({ row, name: fold(name) }));
  const rowsWhere = (matches: (name: string) => boolean) =>
    tags.filter(({ name }) => matches(name)).map(({ row }) => row);
  const found = words.map((word) => [word, rowsWhere((name) => name.includes(word))] as const);
  return {
    byWord: new Map(found.filter(([, meant]) => meant.length > 0)),
    named: names.map((wanted) => rowsWhere((name) => name === wanted)),
  };
}

/** Returns an SQL condition for links that have one of the tag rows. */
export function hasTagRow(link: string, tagRows: readonly number[]): string {
  if (tagRows.length === 0) return 'FALSE';
  return `EXISTS (SELECT 1 FROM link_tags g WHERE g.link_row = ${link}.link_row AND g.tag_row IN (${tagRows.join(', ')}))`;
}

/** Returns a query for the links, live or deleted, that have one of the tag rows. */
export function linksWithTagRows(tagRows: readonly number[]): string {
  const condition = tagRows.length === 0 ? 'FALSE' : `g.tag_row IN (${tagRows.join(', ')})`;
  return `SELECT g.link_row FROM link_tags g WHERE ${condition}`;
}

/** Separator in lists of tag names, which cannot contain this character. */
const separator = '\n';

/**
 * Returns an SQL expression for a link's tag names, sorted and joined to one string; NULL if the link has no tags.
 * @param link a table alias
 */
export function tagsOf(link: string): string {
  return `(SELECT string_agg(t.name, '${separator}' ORDER BY t.key) FROM link_tags g ${meantTag} WHERE g.link_row = ${link}.link_row)`;
}

/** Returns the names in the string that {@link tagsOf} selects. */
export function tagNamesIn(text: string | null): string[] {
  return text === null ? [] : [...new Set(text.split(separator))];
}

/** Returns an SQL expression that is 1 if a link has rows in `link_tags`, even for deleted tags, and otherwise 0. */
export function mayHaveTags(link: string): string {
  return `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM link_tags g WHERE g.link_row = ${link}.link_row LIMIT 1) AS tagged)`;
}

interface LinkTagRow {
  tag_row: number;
  id: Uint8Array;
  name: string;
}

const tagsOfLink = `SELECT DISTINCT t.tag_row, t.id, t.name FROM link_tags g ${meantTag} WHERE g.link_row = ?`;

/** Prevents other transactions from deleting or merging the account's tags until this transaction ends. */
async function lockTags(db: Db, accountId: number): Promise<void> {
  await lockAccount(db, accountId, 'key share');
}

/** Returns a link's tags and prevents their deletion until the transaction ends. The link's row must be locked. */
export async function heldTags(db: Db, accountId: number, linkRow: number): Promise<TagRow[]> {
  const [, tags] = await all(lockTags(db, accountId), db.all<LinkTagRow>(tagsOfLink, [linkRow]));
  return tags.map(({ tag_row: row, id, name }) => ({ row, id: idText(id), name }));
}

/** Returns the ids of a link's tags, for a write that updates their link counts. */
export async function heldTagIds(db: Db, accountId: number, linkRow: number): Promise<string[]> {
  return (await heldTags(db, accountId, linkRow)).map(({ id }) => id);
}

const tagByKey = 'SELECT tag_row, id, name FROM tags WHERE account_id = ? AND key = ? AND deleted = 0';

export async function findTags(
  db: Db,
  accountId: number,
  { tags }: TagChoice,
): Promise<(TagRow | undefined)[]> {
  const found = await all(
    ...tags.map(({ name }) =>
      db.get<{ tag_row: number; id: Uint8Array; name: string }>(tagByKey, [accountId, tagKey(name)]),
    ),
  );
  return found.map((row) => row && { row: row.tag_row, id: idText(row.id), name: row.name });
}

/**
 * Returns the chosen tags in name order, and creates missing tags. Prevents the deletion of these tags until the
 * transaction ends.
 * @throws Failure LIMIT_REACHED
 */
export async function requireTags(db: Db, accountId: number, choice: TagChoice): Promise<TagRow[]> {
  if (choice.tags.length === 0) return [];
  const [, found] = await all(lockTags(db, accountId), findTags(db, accountId, choice));
  if (found.some((tag) => tag === undefined)) await lockAccount(db, accountId);
  else return inOrder(found);
  // Another write may have created the missing tags while this write waited for the lock.
  const again = await findTags(db, accountId, choice);
  const missing = choice.tags.filter((_, at) => again[at] === undefined);
  return inOrder([...again, ...(await insertTags(db, accountId, missing, choice))]);
}

function inOrder(tags: readonly (TagRow | undefined)[]): TagRow[] {
  const keyed = tags.flatMap((tag) =>
    tag === undefined ? [] : [{ tag, key: Buffer.from(tagKey(tag.name)) }],
  );
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ tag }) => tag);
}

const addTag = 'INSERT INTO link_tags (tag_row, link_row) VALUES (?, ?)';
const removeTags = 'DELETE FROM link_tags WHERE link_row = ?';

/** Adds tags to a link without tags. The caller updates the link counts. */
export async function addTags(db: Db, linkRow: number, tags: readonly TagRow[]): Promise<void> {
  await all(...tags.map(({ row }) => db.run(addTag, [row, linkRow])));
}

/**
 * Replaces the tags of a live link and updates the link counts. The link's row must be locked.
 * @param tags the result of {@link requireTags}
 * @returns true if the tags changed
 */
export async function replaceTags(
  db: Db,
  accountId: number,
  linkRow: number,
  tags: readonly TagRow[],
): Promise<boolean> {
  const before = new Set(await heldTagIds(db, accountId, linkRow));
  const after = new Set(tags.map(({ id }) => id));
  const [removed, added] = [before.difference(after), after.difference(before)];
  if (removed.size + added.size === 0) return false;
  const changes = [
    ...[...removed].map((id) => [id, -1] as const),
    ...[...added].map((id) => [id, 1] as const),
  ];
  await all(db.run(removeTags, [linkRow]), addTags(db, linkRow, tags), countTags(db, accountId, changes));
  return true;
}
