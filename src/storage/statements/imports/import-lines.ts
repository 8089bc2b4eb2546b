import type { Author } from '../../../model/accounts/actors.ts';
import { Failure } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { type ImportedLine, type ImportedLink, importOutOfOrder } from '../../../model/imports/imports.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import type { LinkChange } from '../../../model/links/link-records.ts';
import { type TagChoice, tagKey } from '../../../model/links/tags.ts';
import { type Db, one, type Value } from '../../db/db.ts';
import { idBytes, idBytesOrNull } from '../../db/ids.ts';
import type { Write } from '../../db/statements.ts';
import { findTags } from '../finding/link-tags.ts';
import { addAlias } from '../links/aliases.ts';
import { createManyLinks } from '../links/create-many.ts';
import { createLink, updateLink } from '../links/links.ts';
import { importClicks } from './import-clicks.ts';
import { changeImport, lockImport } from './imports.ts';
import { findKnownLinks, type ImportStep, type KnownLink } from './known-links.ts';

/**
 * Imports a batch of lines in one transaction: links, clicks, the result of each line, and the position in the file.
 */
export const addImportLines: Write<'addImportLines'> = async (db, accountId, id, batch) => {
  const row = await lockImport(db, accountId, id, ['open', 'counting', 'done']);
  const end = batch.position + batch.lines;
  if (end <= row.position && batch.lines > 0) return changeImport(db, row, {}, row.updated_at);
  if (batch.position !== row.position) throw importOutOfOrder(row.position);
  if (row.state !== 'open') return changeImport(db, row, {}, row.updated_at);
  // In a link's history, the changes appear as "imported".
  const by: Author | undefined = db.by && { ...db.by, does: 'imported' };
  const step: ImportStep = { db: { ...db, by }, accountId, row, now: batch.now };
  const results = await importLinks(step, await dropTagsOverLimit(step, batch.links));
  const { refused, ...ofClicks } = await importClicks(step, batch);
  const lines = [...batch.refused, ...results, ...refused];
  await insertResults(step, lines);
  const counts: Record<string, number> = ofClicks;
  for (const { outcome, mended = [] } of lines) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    counts['mended'] = (counts['mended'] ?? 0) + mended.length;
  }
  const state = batch.isEnd ? 'counting' : row.state;
  return changeImport(db, row, { state, position: end, counts }, batch.now);
};

const accountById = 'SELECT id FROM accounts WHERE id = ?';
const countTags = 'SELECT COUNT(*) AS tags FROM tags WHERE account_id = ? AND deleted = 0';

/** Removes new tags from the imported links if these tags would exceed the account's tag limit. */
async function dropTagsOverLimit({ db, accountId }: ImportStep, links: readonly ImportedLink[]) {
  const choices = links.flatMap(({ link }) => link.tags ?? []);
  const [first] = choices;
  if (first === undefined) return links;
  const byKey = new Map(choices.flatMap(({ tags }) => tags.map((tag) => [tagKey(tag.name), tag] as const)));
  const known = await findTags(db, accountId, { ...first, tags: [...byKey.values()] });
  const missing = [...byKey.keys()].filter((_, at) => known[at] === undefined);
  if (missing.length === 0) return links;
  await db.lockRows('no key update', accountById, [accountId]);
  const { tags } = await one<{ tags: number }>(db, countTags, [accountId]);
  const dropped = new Set(missing.slice(Math.max(0, first.limit - tags)));
  if (dropped.size === 0) return links;
  const fits = ({ name }: TagChoice['tags'][number]): boolean => !dropped.has(tagKey(name));
  const within = (choice: TagChoice | undefined) => choice && { ...choice, tags: choice.tags.filter(fits) };
  return links.map((given): ImportedLink => {
    const lost = given.link.tags?.tags.filter((tag) => !fits(tag)) ?? [];
    if (lost.length === 0) return given;
    const reason = `tags: dropped ${lost.map(({ name }) => `"${name}"`).join(', ')}, because the account already has ${first.limit} tags.`;
    return {
      ...given,
      mended: [...given.mended, reason],
      link: { ...given.link, tags: within(given.link.tags) },
      change: { ...given.change, ...(given.change.tags && { tags: within(given.change.tags) }) },
    };
  });
}

type LineResult = Pick<ImportedLine, 'outcome'> &
  Partial<Pick<ImportedLine, 'code' | 'reason' | 'linkId' | 'revision' | 'mended'>>;

async function importLinks(step: ImportStep, links: readonly ImportedLink[]): Promise<ImportedLine[]> {
  const known = await findKnownLinks(
    step,
    links.map(({ hash }) => hash),
  );
  const first = new Map<string, ImportedLink>();
  for (const link of links) first.getOrInsert(link.hash, link);
  const fresh = [...first].flatMap(([hex, link]) => (known.has(hex) ? [] : link));
  const isInBulk = await importInBulk(step, fresh);
  const met = new Map<string, KnownLink>();
  const become = async (link: ImportedLink): Promise<LineResult> => {
    const there = known.get(link.hash);
    const before = first.get(link.hash);
    if (before !== undefined && before !== link)
      return repeated(link, before.recorded, before.link.destination);
    if (there !== undefined) return reimport(step, link, there, met);
    return isInBulk ? { outcome: 'taken', linkId: link.link.id } : importOne(step, link);
  };
  const results: ImportedLine[] = [];
  for (const link of links) {
    const what = await become(link);
    const { line, key } = link;
    const isDone = what.outcome === 'taken' || what.outcome === 'renamed' || what.outcome === 'changed';
    const mended = isDone ? [...link.mended, ...(what.mended ?? [])] : [];
    results.push({
      line,
      key,
      code: link.link.codes[0] ?? null,
      reason: null,
      linkId: null,
      ...what,
      mended,
    });
  }
  await markMet(step, met);
  return results;
}

/** Returns the result for a line with the same key as an earlier line of the file. */
function repeated({ recorded, link }: ImportedLink, before: string, destination: string): LineResult {
  if (before === recorded && destination === link.destination)
    return { outcome: 'skipped', reason: 'The file contains this link twice.' };
  return { outcome: 'refused', reason: 'An earlier link in the file has the same key.' };
}

const setMet = `
  UPDATE import_links AS m SET met = g.met FROM input g WHERE m.source_row = g.source_row AND m.key_hash = g.key_hash`;

async function markMet({ db, row }: ImportStep, met: ReadonlyMap<string, KnownLink>): Promise<void> {
  const values = [...met.values()].flatMap((known): Value[] => [known.met, row.source_row, known.key_hash]);
  const columns = { met: 'integer', source_row: 'integer', key_hash: 'bytes' } as const;
  await db.bulk<Value>({ columns, values }, undefined, setMet);
}

/** Creates new links in a few statements, if none of them conflicts. @returns true if the links were created */
async function importInBulk(step: ImportStep, links: readonly ImportedLink[]): Promise<boolean> {
  if (links.some(({ aliases }) => aliases.length > 0)) return false;
  const drafts = links.map(({ link }) => link);
  const isDone = await createManyLinks(step.db, step.accountId, drafts);
  if (isDone) await recordLinks(step, links);
  return isDone;
}

async function importOne(step: ImportStep, given: ImportedLink): Promise<LineResult> {
  const { link, aliases } = given;
  const result = await runRefusable(step.db, async () => {
    const { code } = await createLink(step.db, step.accountId, link);
    const lost = await addAliases(step, link.id, aliases);
    await recordLinks(step, [given]);
    const [wanted] = link.codes;
    const mended = lost.length > 0 ? [`aliases: dropped ${lost.join(', ')}, because they are taken.`] : [];
    return { outcome: code === wanted ? 'taken' : 'renamed', code, linkId: link.id, mended };
  });
  if (result.outcome === 'skipped') return (await explainConflict(step, given)) ?? result;
  if (!isExternalIdTaken(result)) return result;
  const without = await importOne(step, { ...given, link: { ...link, externalId: undefined } });
  return { ...without, mended: [lostExternalId, ...(without.mended ?? [])] };
}

const lostExternalId = 'externalId: dropped, because another link has the same one.';
function isExternalIdTaken({ reason }: LineResult): boolean {
  return reason?.startsWith('EXTERNAL_ID_TAKEN') === true;
}

const linkByCode = `
  SELECT COALESCE(c.alias, l.code) AS code, m.import_row FROM codes c JOIN links l ON l.link_row = c.link_row
  LEFT JOIN import_links m ON m.link_row = l.link_row AND m.source_row = ?
  WHERE c.key = ? AND c.account_id = ? AND c.live = 1`;

/**
 * Explains why a code is not available: another link in the file has it, or a code that differs only in case exists.
 */
async function explainConflict(
  { db, accountId, row }: ImportStep,
  { link }: ImportedLink,
): Promise<LineResult | undefined> {
  const [code = ''] = link.codes;
  const { space = '', host } = link.domain ?? {};
  const named = [row.source_row, codeKey(space, code), accountId];
  const holder = await db.get<{ code: string; import_row: number | null }>(linkByCode, named);
  if (holder?.code === code && holder.import_row === row.import_row)
    return { outcome: 'refused', reason: `CUSTOM_CODE_TAKEN: The file contains the code "${code}" twice.` };
  if (holder === undefined || holder.code === code) return undefined;
  const advice =
    host === undefined
      ? 'Import the links to a domain with case-sensitive codes.'
      : `Make the domain’s codes case-sensitive before it has links: linkfold domains update ${host} --codes exact, or import apply --exact ${host}.`;
  return {
    outcome: 'refused',
    reason: `CUSTOM_CODE_TAKEN: The codes "${holder.code}" and "${code}" differ only in case. ${advice}`,
  };
}

/** Adds aliases. @returns the aliases that were already taken */
async function addAliases(
  { db, accountId, now }: ImportStep,
  id: string,
  aliases: readonly string[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const alias of aliases) {
    const { outcome } = await runRefusable(db, async () => {
      await addAlias(db, accountId, id, alias, now);
      return { outcome: 'taken' };
    });
    if (outcome !== 'taken') lost.push(alias);
  }
  return lost;
}

/**
 * Imports a link whose key was previously imported from this source.
 * @param met receives the known links that the file includes
 */
async function reimport(
  step: ImportStep,
  given: ImportedLink,
  there: KnownLink,
  met: Map<string, KnownLink>,
): Promise<LineResult> {
  const { row } = step;
  if (there.met === row.import_row) return repeated(given, there.recorded, there.destination);
  // The same key may have belonged to a different link in the source when it was previously imported.
  const isSame = there.recorded === given.recorded;
  met.set(there.key_hash.toHex(), { ...there, met: isSame ? row.import_row : -row.import_row });
  const linkId = idText(there.id);
  if (!isSame) {
    const reason = `This key was already imported as ${there.recorded}, a different link. If the file comes from another installation, read it with --source NAME.`;
    return { outcome: 'refused', reason };
  }
  if (there.deleted_at !== null) return { outcome: 'skipped', reason: 'The link was deleted here.', linkId };
  if (row.on_conflict !== 'overwrite')
    return { outcome: 'unchanged', reason: 'The link was already imported.', linkId };
  if (there.updated_at !== there.imported_at)
    return { outcome: 'skipped', reason: 'The link was changed here after its import.', linkId };
  // Does not replace an existing password: its hash differs each time, so a change cannot be detected, and an undo
  // could not restore the previous hash.
  const { password, ...others } = given.change;
  const change = there.has_password === 1 ? others : given.change;
  const result = await overwrite(step, change, there);
  if (!isExternalIdTaken(result)) return result;
  const { externalId: _taken, ...without } = change;
  return { ...(await overwrite(step, without, there)), mended: [lostExternalId] };
}

function overwrite(step: ImportStep, change: LinkChange, there: KnownLink): Promise<LineResult> {
  const { db, accountId, row, now } = step;
  const linkId = idText(there.id);
  return runRefusable(db, async () => {
    const after = await updateLink(db, accountId, linkId, change, now);
    if (after === undefined || after.updatedAt === there.updated_at)
      return { outcome: 'unchanged', reason: 'The link is unchanged since the last import.', linkId };
    await db.run('UPDATE import_links SET imported_at = ? WHERE source_row = ? AND key_hash = ?', [
      after.updatedAt,
      row.source_row,
      there.key_hash,
    ]);
    const { code, revision } = after;
    return { outcome: 'changed', code, linkId, revision };
  });
}

/** Runs work in a savepoint, and converts a rejection to a result. @throws other errors */
async function runRefusable(db: Db, work: () => Promise<LineResult>): Promise<LineResult> {
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

const mapColumns = `(source_row, key_hash, link_row, import_row, met, recorded, imported_at, dated, undated)`;
const insertMappings = `
  INSERT INTO import_links ${mapColumns}
  SELECT i.source_row, i.key_hash, l.link_row, i.import_row, i.import_row, i.recorded, l.updated_at, 0, 0
  FROM input i JOIN links l ON l.id = i.id`;

async function recordLinks({ db, row }: ImportStep, links: readonly ImportedLink[]): Promise<void> {
  const [integer, bytes] = ['integer', 'bytes'] as const;
  const columns = {
    source_row: integer,
    key_hash: bytes,
    import_row: integer,
    recorded: 'text',
    id: bytes,
  } as const;
  const values = links.flatMap(({ hash, link, recorded }): Value[] => [
    ...[row.source_row, Uint8Array.fromHex(hash), row.import_row, recorded, idBytes(link.id)],
  ]);
  await db.bulk<Value>({ columns, values }, undefined, insertMappings);
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
const insertItems = `INSERT INTO import_items (${itemNames}) SELECT ${itemNames} FROM input`;

/** Joins the reason with notes about the parts of the link that the import had to change, one per line. */
function joinReasons(reason: string | null, mended: readonly string[]): string | null {
  const lines = [reason ?? '', ...mended].map((line) => line.replaceAll('\n', ' '));
  return reason === null && mended.length === 0 ? null : lines.join('\n');
}

async function insertResults({ db, row }: ImportStep, lines: readonly ImportedLine[]): Promise<void> {
  const values = lines.flatMap(
    ({ line, key, code, outcome, reason, linkId, revision, mended = [] }): Value[] => [
      row.import_row,
      line,
      key,
      code,
      outcome,
      joinReasons(reason, mended),
      idBytesOrNull(linkId),
      revision ?? null,
    ],
  );
  await db.bulk<Value>({ columns: itemColumns, values }, undefined, insertItems);
}
