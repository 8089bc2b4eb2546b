import { Failure } from '../../../model/failures.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import type { NewLink } from '../../../model/links/link-records.ts';
import { tagKey } from '../../../model/links/tags.ts';
import { invalidateMiss } from '../../db/change-log.ts';
import { type Db, type Value, whenKnown } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { appendOfLinks } from '../events/append.ts';
import { requirePlaceAccess } from '../finding/access.ts';
import { requireSpace } from '../finding/link-domains.ts';
import { requireTags } from '../finding/link-tags.ts';
import { requireFolder } from '../groups/folders.ts';
import { countNewLinks, requireRoom } from '../groups/link-counts.ts';
import type { TagRow } from '../groups/tags.ts';
import { insertCode } from './codes.ts';
import { insertLink, linkColumnKinds, rowOfNewLink } from './links.ts';
import { creationEvent } from './record.ts';

const names = Object.keys(linkColumnKinds).join(', ');
const insertAll = `
  , made AS (INSERT INTO links (${names}) SELECT ${names} FROM input RETURNING link_row, id)
  INSERT INTO codes (key, account_id, link_row, live)
  SELECT i.key, i.account_id, m.link_row, 1 FROM input i JOIN made m ON m.id = i.id
  ON CONFLICT (key) DO NOTHING`;
const insertTag = 'INSERT INTO link_tags (tag_row, link_row) SELECT ?, link_row FROM links WHERE id = ?';
const insertTags = `
  INSERT INTO link_tags (tag_row, link_row)
  SELECT i.tag_row, l.link_row FROM input i JOIN links l ON l.id = i.id`;

/**
 * Creates several links in a few statements, if none of them conflicts with existing data. Each link gets the first of
 * its codes.
 * @returns false, without changes, if the links were not created; the caller must then create them one by one
 */
export async function createManyLinks(
  db: Db,
  accountId: number,
  drafts: readonly NewLink[],
): Promise<boolean> {
  if (drafts.length < 2 || drafts.some(({ externalId }) => typeof externalId === 'string')) return false;
  await db.run('SAVEPOINT together', []);
  const isDone = await createTogether(db, accountId, drafts);
  if (!isDone) await db.run('ROLLBACK TO SAVEPOINT together', []);
  await db.run('RELEASE SAVEPOINT together', []);
  return isDone;
}

async function createTogether(db: Db, accountId: number, drafts: readonly NewLink[]): Promise<boolean> {
  try {
    for (const draft of drafts) requirePlaceAccess(db, draft.domain?.space ?? '', folderOf(draft));
    for (const folderId of new Set(drafts.map(folderOf)))
      if (folderId !== null) await requireFolder(db, accountId, folderId);
    for (const space of new Set(drafts.map(({ domain }) => domain?.space ?? '')))
      if ((await requireSpace(db, accountId, space)).ignoresHyphens) return false;
    await requireRoom(db, accountId, drafts[0]?.quota, drafts.length);
    const tags = await requireAllTags(db, accountId, drafts);
    if (!(await insertLinks(db, accountId, drafts))) return false;
    await addTags(db, drafts, tags);
    const events = drafts.map((draft, at) => ({
      ...creationEvent(db, accountId, draft, tags[at] ?? [], draft.codes[0] ?? ''),
      linkId: idBytes(draft.id),
    }));
    await appendOfLinks(db, events);
    const counted = drafts.map((draft, at) => ({
      folderId: folderOf(draft),
      space: draft.domain?.space,
      tagIds: tags[at]?.map(({ id }) => id),
    }));
    await countNewLinks(db, accountId, counted);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    return false;
  }
  for (const draft of drafts) invalidateMiss(db, keyOfDraft(draft));
  return true;
}

function keyOfDraft({ codes: [code = ''], domain }: NewLink): string {
  return codeKey(domain?.space ?? '', code);
}

function folderOf({ folderId = null }: NewLink): string | null {
  return folderId;
}

/** Returns each link's tags, in order. If several links have the same tag list, it is looked up only once. */
async function requireAllTags(db: Db, accountId: number, drafts: readonly NewLink[]): Promise<TagRow[][]> {
  const known = new Map<string, TagRow[]>();
  const tags: TagRow[][] = [];
  for (const { tags: choice } of drafts) {
    const name = choice?.tags.map((tag) => tagKey(tag.name)).join('\n') ?? '';
    const found = known.get(name) ?? (choice === undefined ? [] : await requireTags(db, accountId, choice));
    known.set(name, found);
    tags.push(found);
  }
  return tags;
}

/** Inserts links and their codes. @returns false if a code was taken */
async function insertLinks(db: Db, accountId: number, drafts: readonly NewLink[]): Promise<boolean> {
  const values = drafts.flatMap((draft): Value[] => {
    const [code = ''] = draft.codes;
    return [keyOfDraft(draft), ...rowOfNewLink(accountId, draft, code)];
  });
  const taken = await db.bulk<Value>(
    { columns: { key: 'text', ...linkColumnKinds }, values },
    (key = '', ...row) =>
      whenKnown(db.insert(insertLink, 'link_row', row), (linkRow) =>
        db.run(insertCode, [key, accountId, linkRow]),
      ),
    insertAll,
  );
  return taken === drafts.length;
}

async function addTags(db: Db, drafts: readonly NewLink[], tags: readonly TagRow[][]): Promise<void> {
  const values = drafts.flatMap(
    ({ id }, at) => tags[at]?.flatMap(({ row }): Value[] => [row, idBytes(id)]) ?? [],
  );
  const columns = { tag_row: 'integer', id: 'bytes' } as const;
  await db.bulk<Value>(
    { columns, values },
    (tagRow = null, id = null) => db.run(insertTag, [tagRow, id]),
    insertTags,
  );
}
