import type { Author } from '../../../model/accounts/actors.ts';
import { Failure } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import {
  type Import,
  type ImportBatch,
  type ImportedLine,
  type ImportedLink,
  notAtPosition,
} from '../../../model/imports/imports.ts';
import type { Db, Value } from '../../db/db.ts';
import { idBytes, idBytesOrNull } from '../../db/ids.ts';
import { addAlias } from '../links/aliases.ts';
import { createManyLinks } from '../links/create-many.ts';
import { createLink, updateLink } from '../links/links.ts';
import { changeImport, lockImport } from './imports.ts';
import { type Known, knownOf, type Taking } from './known-links.ts';
import { takeClicks } from './take-clicks.ts';

/**
 * Takes lines of a file: links, what became of each, clicks, and the position, in one transaction. Lines that were taken
 * already change nothing.
 * @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE, IMPORT_POSITION
 */
export async function addImportLines(
  db: Db,
  accountId: number,
  id: string,
  batch: ImportBatch,
): Promise<Import> {
  const row = await lockImport(db, accountId, id, ['open', 'counting', 'done']);
  const end = batch.position + batch.lines;
  if (end <= row.position && batch.lines > 0) return changeImport(db, row, {}, row.updated_at);
  if (batch.position !== row.position) throw notAtPosition(row.position);
  if (row.state !== 'open') return changeImport(db, row, {}, row.updated_at);
  // History calls what happens to links here imported.
  const by: Author | undefined = db.by && { ...db.by, does: 'imported' };
  const taking: Taking = { db: { ...db, by }, accountId, row, now: batch.now };
  const told = await takeLinks(taking, batch.links);
  const { refused, ...ofClicks } = await takeClicks(taking, batch);
  const lines = [...batch.refused, ...told, ...refused];
  await tell(taking, lines);
  const counts: Record<string, number> = ofClicks;
  for (const { outcome } of lines) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const state = batch.isEnd ? 'counting' : row.state;
  return changeImport(db, row, { state, position: end, counts }, batch.now);
}

type Told = Pick<ImportedLine, 'outcome'> &
  Partial<Pick<ImportedLine, 'code' | 'reason' | 'linkId' | 'revision'>>;

async function takeLinks(taking: Taking, links: readonly ImportedLink[]): Promise<ImportedLine[]> {
  const known = await knownOf(
    taking,
    links.map(({ hash }) => hash),
  );
  const seen = new Set<string>();
  const fresh = links.filter(({ hash }) => {
    const hex = hash.toHex();
    return !known.has(hex) && seen.size < seen.add(hex).size;
  });
  const isTogether = await takeTogether(taking, fresh);
  const made = new Set<ImportedLink>(fresh);
  const become = async (link: ImportedLink): Promise<Told> => {
    if (!made.has(link)) return { outcome: 'skipped', reason: 'The file has this link before.' };
    return isTogether ? { outcome: 'taken', linkId: link.link.id } : takeAlone(taking, link);
  };
  const told: ImportedLine[] = [];
  for (const link of links) {
    const there = known.get(link.hash.toHex());
    const what = there === undefined ? await become(link) : await takeAgain(taking, link, there);
    const { line, key } = link;
    told.push({ line, key, code: link.link.codes[0] ?? null, reason: null, linkId: null, ...what });
  }
  return told;
}

/** New links in a few statements, where nothing stands in the way of any of them. @returns whether it was done */
async function takeTogether(taking: Taking, links: readonly ImportedLink[]): Promise<boolean> {
  const { db, accountId } = taking;
  if (links.length < 2 || links.some(({ aliases }) => aliases.length > 0)) return false;
  await db.run('SAVEPOINT together', []);
  const drafts = links.map(({ link }) => link);
  const isDone = await createManyLinks(db, accountId, drafts);
  if (isDone) await remember(taking, links);
  else await db.run('ROLLBACK TO SAVEPOINT together', []);
  await db.run('RELEASE SAVEPOINT together', []);
  return isDone;
}

async function takeAlone(taking: Taking, given: ImportedLink): Promise<Told> {
  const { link, aliases } = given;
  return refusable(taking.db, async () => {
    const { code } = await createLink(taking.db, taking.accountId, link);
    const lost = await takeAliases(taking, link.id, aliases);
    await remember(taking, [given]);
    const [wanted] = link.codes;
    return {
      outcome: code === wanted ? 'taken' : 'renamed',
      code,
      linkId: link.id,
      ...(lost.length > 0 && { reason: `CUSTOM_CODE_TAKEN: without the aliases ${lost.join(', ')}.` }),
    };
  });
}

/** @returns those that could not be had */
async function takeAliases(
  { db, accountId, now }: Taking,
  id: string,
  aliases: readonly string[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const alias of aliases) {
    const { outcome } = await refusable(db, async () => {
      await addAlias(db, accountId, id, alias, now);
      return { outcome: 'taken' };
    });
    if (outcome !== 'taken') lost.push(alias);
  }
  return lost;
}

/** A link that was imported before. */
async function takeAgain(taking: Taking, { change }: ImportedLink, there: Known): Promise<Told> {
  const { db, accountId, row, now } = taking;
  const linkId = idText(there.id);
  if (there.deleted_at !== null) return { outcome: 'skipped', reason: 'It was deleted here.', linkId };
  if (row.on_conflict !== 'overwrite')
    return { outcome: 'skipped', reason: 'It was imported before.', linkId };
  if (there.updated_at !== there.imported_at)
    return { outcome: 'skipped', reason: 'It was changed here since it was imported.', linkId };
  return refusable(db, async () => {
    const after = await updateLink(db, accountId, linkId, change, now);
    if (after === undefined || after.updatedAt === there.updated_at)
      return { outcome: 'skipped', reason: 'It is the same as before.', linkId };
    await db.run('UPDATE import_links SET imported_at = ? WHERE source_row = ? AND key_hash = ?', [
      after.updatedAt,
      row.source_row,
      there.key_hash,
    ]);
    const { code, revision } = after;
    return { outcome: 'changed', code, linkId, revision };
  });
}

/** Does what may be refused, alone. @throws what is no refusal of this link */
async function refusable(db: Db, work: () => Promise<Told>): Promise<Told> {
  await db.run('SAVEPOINT one_link', []);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    await db.run('ROLLBACK TO SAVEPOINT one_link', []);
    const { code, message } = error;
    return { outcome: code === 'CUSTOM_CODE_TAKEN' ? 'skipped' : 'refused', reason: `${code}: ${message}` };
  } finally {
    await db.run('RELEASE SAVEPOINT one_link', []);
  }
}

const mapped = `(source_row, key_hash, link_row, import_row, imported_at, dated, undated)`;
const mapOne = `
  INSERT INTO import_links ${mapped}
  SELECT CAST(? AS BIGINT), ?, link_row, CAST(? AS BIGINT), updated_at, 0, 0 FROM links WHERE id = ?`;
const mapAll = `
  INSERT INTO import_links ${mapped}
  SELECT i.source_row, i.key_hash, l.link_row, i.import_row, l.updated_at, 0, 0 FROM input i JOIN links l ON l.id = i.id`;

async function remember({ db, row }: Taking, links: readonly ImportedLink[]): Promise<void> {
  const columns = { source_row: 'integer', key_hash: 'bytes', import_row: 'integer', id: 'bytes' } as const;
  const values = links.flatMap(({ hash, link }): Value[] => [
    row.source_row,
    hash,
    row.import_row,
    idBytes(link.id),
  ]);
  await db.bulk<Value>({ columns, values }, (...one) => db.run(mapOne, one), mapAll);
}

const itemColumns = {
  import_row: 'integer',
  line: 'integer',
  link_key: 'text',
  code: 'text',
  outcome: 'text',
  reason: 'text',
  link_id: 'bytes',
  revision: 'integer',
} as const;
const itemNames = Object.keys(itemColumns).join(', ');
const insertItem = `INSERT INTO import_items (${itemNames}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const insertItems = `INSERT INTO import_items (${itemNames}) SELECT ${itemNames} FROM input`;

async function tell({ db, row }: Taking, lines: readonly ImportedLine[]): Promise<void> {
  const values = lines.flatMap(({ line, key, code, outcome, reason, linkId, revision }): Value[] => [
    row.import_row,
    line,
    key,
    code,
    outcome,
    reason,
    idBytesOrNull(linkId),
    revision ?? null,
  ]);
  await db.bulk<Value>({ columns: itemColumns, values }, (...one) => db.run(insertItem, one), insertItems);
}
