import { idText } from '../../../model/ids.ts';
import { fold } from '../../../model/links/link-search.ts';
import { type TagChoice, tagKey } from '../../../model/links/tags.ts';
import { all, type Db } from '../../db/db.ts';

import { accountById, countTags } from '../groups/link-counts.ts';
import { makeTags, type TagRow } from '../groups/tags.ts';
import { patternOf } from './link-texts.ts';

/**
 * A tag may be on more links than one transaction should change while other writes wait. When it is deleted or merged, its
 * row says so, and its successor if it has one: from that commit on its rows in `link_tags` mean that tag, or none. The rows
 * follow, batch by batch. So every statement that reads `link_tags` reads it by what stands here.
 *
 * Where several write, one that changes the tags of links holds the account with a weak lock, and one that deletes or merges
 * tags with the strongest: rows change their meaning between such transactions only.
 */

/** Joins the tags `t` that rows of `link_tags` mean, `g`. A tag may come twice for one link while two are being merged. */
export const meantTag = `
  JOIN tags r ON r.tag_row = g.tag_row
  JOIN tags t ON t.tag_row = CASE WHEN r.deleted = 0 THEN r.tag_row ELSE r.successor END`;

/** A query: each live link with each of its tags, as `account_id`, `tag_id` and `link_row`. */
export const liveTags = `
  SELECT DISTINCT t.account_id, t.id AS tag_id, l.link_row
  FROM links l JOIN link_tags g ON g.link_row = l.link_row ${meantTag} WHERE l.deleted_at IS NULL`;

/** A query: the links that carry a tag, given its account and id, deleted links too. */
export const linksOfTag = `
  SELECT DISTINCT g.link_row FROM tags t
  JOIN tags r ON r.tag_row = t.tag_row OR (r.account_id = t.account_id AND r.deleted = 1 AND r.successor = t.tag_row)
  JOIN link_tags g ON g.tag_row = r.tag_row
  WHERE t.account_id = ? AND t.id = ? AND t.deleted = 0`;

/** A query: the links of an account with each of their tags, as `link_row` and `tag_id`, deleted links too. */
export const everyTagOfLinks = `
  SELECT DISTINCT g.link_row, t.id AS tag_id FROM link_tags g ${meantTag} WHERE r.account_id = ? AND t.deleted = 0`;

/** The tags that a search means, as rows of `tags`, merged ones included. */
export interface TagsOfSearch {
  /** By a word that their names hold. Words that no name holds are absent. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  /** For each name of the filter, in its order. */
  readonly named: readonly (readonly number[])[];
}

/** Selects names that may match; one that is not all ASCII the database cannot fold, so it is compared in `tagsOfSearch`. */
function mayMatch(words: number, names: number): string {
  const like = [
    ...Array(words).fill(`lower(t.name) LIKE ? ESCAPE '\\'`),
    ...Array(names).fill('lower(t.name) = ?'),
  ];
  return `t.deleted = 0 AND (octet_length(t.name) > length(t.name) OR ${like.join(' OR ')})`;
}

/** Finds the tags whose names hold one of the folded words, or equal one of the folded names. */
export async function tagsOfSearch(
  db: Db,
  accountId: number,
  words: readonly string[],
  names: readonly string[],
): Promise<TagsOfSearch> {
  if (words.length + names.length === 0) return { byWord: new Map(), named: [] };
  const condition = mayMatch(words.length, names.length);
  const params = [accountId, ...words.map((word) => patternOf(word, 'anywhere')), ...names];
  const rows = await db.ask<{ tag_row: number; name: string }>(
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

/** Returns a condition: the link has one of the rows of tags. */
export function hasTagRow(link: string, tagRows: readonly number[]): string {
  if (tagRows.length === 0) return 'FALSE';
  return `EXISTS (SELECT 1 FROM link_tags g WHERE g.link_row = ${link}.link_row AND g.tag_row IN (${tagRows.join(', ')}))`;
}

/** A query: the links, live and deleted, that have one of the rows of tags. */
export function linksWithTagRows(tagRows: readonly number[]): string {
  const condition = tagRows.length === 0 ? 'FALSE' : `g.tag_row IN (${tagRows.join(', ')})`;
  return `SELECT g.link_row FROM link_tags g WHERE ${condition}`;
}

/** Names cannot have it. */
const separator = '\n';

/** An expression: the names of a link's tags in their order, in one text; null for none. @param link a table's alias */
export function tagsOf(link: string): string {
  return `(SELECT string_agg(t.name, '${separator}' ORDER BY t.key) FROM link_tags g ${meantTag} WHERE g.link_row = ${link}.link_row)`;
}

/** The names in the text that {@link tagsOf} reads. */
export function tagNamesIn(text: string | null): string[] {
  return text === null ? [] : [...new Set(text.split(separator))];
}

/** An expression: whether a link has rows in `link_tags`, whatever they mean. */
export function mayHaveTags(link: string): string {
  return `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM link_tags g WHERE g.link_row = ${link}.link_row LIMIT 1) AS tagged)`;
}

interface CarriedRow {
  tag_row: number;
  id: Uint8Array;
  name: string;
}

const carried = `SELECT DISTINCT t.tag_row, t.id, t.name FROM link_tags g ${meantTag} WHERE g.link_row = ?`;

/** From here on no other write deletes or merges tags of the account until the transaction ends. */
async function holdTags(db: Db, accountId: number): Promise<void> {
  await db.lockRows('key share', accountById, [accountId]);
}

/** A link's tags, which stay until the transaction ends. The link's row must be locked. */
export async function heldTags(db: Db, accountId: number, linkRow: number): Promise<TagRow[]> {
  const [, tags] = await all(holdTags(db, accountId), db.all<CarriedRow>(carried, [linkRow]));
  return tags.map(({ tag_row: row, id, name }) => ({ row, id: idText(id), name }));
}

/** Their ids, for a write that counts the link. */
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
 * The tags that a link is to carry, in the order of their names; makes those that do not exist. None is deleted or merged
 * until the transaction ends.
 * @throws Failure LIMIT_REACHED
 */
export async function requireTags(db: Db, accountId: number, choice: TagChoice): Promise<TagRow[]> {
  if (choice.tags.length === 0) return [];
  const [, found] = await all(holdTags(db, accountId), findTags(db, accountId, choice));
  if (found.some((tag) => tag === undefined)) await db.lockRows('no key update', accountById, [accountId]);
  else return inOrder(found);
  // Another write may have made them while this one waited.
  const again = await findTags(db, accountId, choice);
  const missing = choice.tags.filter((_, at) => again[at] === undefined);
  return inOrder([...again, ...(await makeTags(db, accountId, missing, choice))]);
}

function inOrder(tags: readonly (TagRow | undefined)[]): TagRow[] {
  const keyed = tags.flatMap((tag) =>
    tag === undefined ? [] : [{ tag, key: Buffer.from(tagKey(tag.name)) }],
  );
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ tag }) => tag);
}

const addTag = 'INSERT INTO link_tags (tag_row, link_row) VALUES (?, ?)';
const removeTags = 'DELETE FROM link_tags WHERE link_row = ?';

/** Gives tags to a link that has none; the caller counts it. */
export async function addTags(db: Db, linkRow: number, tags: readonly TagRow[]): Promise<void> {
  await all(...tags.map(({ row }) => db.run(addTag, [row, linkRow])));
}

/**
 * Creates the tags of a live link these, and counts them. The link's row must be locked.
 * @param tags what {@link requireTags} found
 * @returns whether they were others before
 */
export async function replaceTags(
  db: Db,
  accountId: number,
  linkRow: number,
  tags: readonly TagRow[],
): Promise<boolean> {
  const before = new Set(await heldTagIds(db, accountId, linkRow));
  const after = new Set(tags.map(({ id }) => id));
  const [gone, come] = [before.difference(after), after.difference(before)];
  if (gone.size + come.size === 0) return false;
  const changes = [...[...gone].map((id) => [id, -1] as const), ...[...come].map((id) => [id, 1] as const)];
  await all(db.run(removeTags, [linkRow]), addTags(db, linkRow, tags), countTags(db, accountId, changes));
  return true;
}
