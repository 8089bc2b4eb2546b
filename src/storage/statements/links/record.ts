import type { EventName, Fields, LinkAction } from '../../../model/history/events.ts';
import { requireRevision } from '../../../model/history/revisions.ts';
import { spaceOf } from '../../../model/links/codes/codes.ts';
import { everyField } from '../../../model/links/link-field-values.ts';
import type { NewLink } from '../../../model/links/link-records.ts';
import { all, type Db, type Value } from '../../db/db.ts';
import { idBytes, idTextOrNull } from '../../db/ids.ts';
import { appendEvent, type NewEvent, sparseFields } from '../events/append.ts';
import { hostsOf } from '../finding/link-domains.ts';
import { type LinkRow, linkColumns } from '../finding/link-reads.ts';
import { tagNamesIn } from '../finding/link-tags.ts';
import { requireReached, requireWithin } from '../finding/within.ts';

/** A link as history knows it, live or deleted. */
type AnyRow = LinkRow & { readonly deleted_at: number | null };

const anyById = `
  SELECT ${linkColumns}, l.deleted_at
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row WHERE l.id = ? AND l.account_id = ?`;
const lockById = 'SELECT link_row FROM links WHERE id = ? AND account_id = ?';
const aliasesOf =
  'SELECT alias, key FROM codes WHERE link_row = ? AND alias IS NOT NULL AND live = 1 ORDER BY key';
const addRevision = 'UPDATE links SET revision = revision + 1 WHERE link_row = ?';

// Names, counts, and what follows from other fields, is not changed by somebody.
const apart: ReadonlySet<string> = new Set([
  'id',
  'space',
  'createdAt',
  'updatedAt',
  'usedClicks',
  'revision',
]);
const remembered = everyField.filter(([name]) => !apart.has(name));

/** The fields of a link as history keeps them. */
function fieldsOf(row: LinkRow): Fields {
  const values: Readonly<Record<string, Value>> = row;
  const fields = remembered.map(([name, { column, kind }]) => {
    const value = values[column] ?? null;
    if (kind === 'id') return [name, idTextOrNull(value as Uint8Array | null)];
    return [name, kind === 'secret' && value !== null ? true : value];
  });
  return { ...Object.fromEntries(fields), host: row.host, tags: tagNamesIn(row.tags) };
}

const secrets = new Map(
  remembered.flatMap(([name, { column, kind }]) => (kind === 'secret' ? [[name as string, column]] : [])),
);

/** Of a secret the fields say only that there is one. */
function isOtherSecret(name: string, before: LinkRow, after: LinkRow): boolean {
  const column = secrets.get(name) as keyof LinkRow | undefined;
  return column !== undefined && before[column] !== after[column];
}

/** The event of a new link, but for its code, which may be another one than the first. */
export function creationOf(
  { by }: Db,
  accountId: number,
  draft: NewLink,
  tags: readonly { readonly name: string }[],
  code: string,
): NewEvent {
  const fields: Record<string, unknown> = {};
  for (const [name, { kind }] of remembered) {
    const value = (draft as Fields)[name];
    if (value != null) fields[name] = kind === 'secret' ? true : value;
  }
  fields['code'] = code;
  fields['host'] = draft.domain?.host ?? null;
  fields['tags'] = tags.map(({ name }) => name);
  const body = sparseFields(fields);
  const name = `link.${by?.does === 'imported' ? 'imported' : 'created'}` as const;
  return { accountId, name, at: draft.createdAt, revision: 1, body };
}

/** What a write of a link is to be called, and by whom it was asked for. */
export interface LinkWrite {
  readonly accountId: number;
  readonly id: string;
  readonly action: LinkAction;
  readonly now: number;
  /** The link is changed only while it has one of these revisions; undefined in any case. */
  readonly ifMatch?: readonly number[] | undefined;
  /** Whether its aliases may change too. */
  readonly aliases?: true;
}

async function aliasNames(db: Db, accountId: number, linkRow: number): Promise<readonly string[]> {
  const aliases = await db.all<{ alias: string; key: string }>(aliasesOf, [linkRow]);
  if (aliases.every(({ key }) => spaceOf(key) === '')) return aliases.map(({ alias }) => alias);
  const hosts = await hostsOf(db, accountId);
  return aliases.map(({ alias, key }) => {
    const host = hosts.get(spaceOf(key));
    return host === undefined ? alias : `${host}/${alias}`;
  });
}

async function read(
  db: Db,
  { accountId, id, aliases }: LinkWrite,
): Promise<{ row: AnyRow; fields: Fields } | undefined> {
  const row = await db.get<AnyRow>(anyById, [idBytes(id), accountId]);
  if (row === undefined) return undefined;
  const fields = fieldsOf(row);
  if (aliases === undefined) return { row, fields };
  return { row, fields: { ...fields, aliases: await aliasNames(db, accountId, row.link_row) } };
}

/** Notes what happened to a link that nobody changed, with the link as it is. @param more what is known next to it */
export async function noteOfLink(
  db: Db,
  event: Pick<NewEvent, 'accountId' | 'name' | 'at' | 'was'>,
  id: string,
  more: Fields = {},
): Promise<void> {
  const found = await read(db, { accountId: event.accountId, id, action: 'updated', now: 0 });
  if (found === undefined) return;
  const { link_row: linkRow, revision, updated_at: updatedAt } = found.row;
  const body = sparseFields({ ...found.fields, revision, updatedAt, ...more });
  await appendEvent(db, { ...event, linkRow, was: event.was ?? {}, body });
}

/**
 * Runs a write of one link, and notes what it changed as one revision. A write that changes nothing notes nothing. A link that is
 * not there is left to the write, which says so.
 * @returns what the write answers, and the revision that the link has then; undefined where there is no such link
 * @throws Failure REVISION_MISMATCH, and what the write throws; for a bound writer LINK_NOT_FOUND, DOMAIN_NOT_FOUND,
 * FOLDER_NOT_FOUND
 */
export async function recordLink<T>(
  db: Db,
  write: LinkWrite,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly revision: number | undefined }> {
  const { accountId, id, ifMatch, now } = write;
  const [, before] = await all(
    db.lockRows('no key update', lockById, [idBytes(id), accountId]),
    read(db, write),
  );
  if (before !== undefined) requireReached(db, before.row);
  const isLive = before !== undefined && before.row.deleted_at === null;
  if (before !== undefined && (isLive || write.action === 'restored'))
    requireRevision(before.row.revision, ifMatch);
  const value = await work();
  const after = before && (await read(db, write));
  if (before === undefined || after === undefined) return { value, revision: undefined };
  // Whoever moves a link out of their own reach could not undo it.
  requireWithin(db, after.row.space, idTextOrNull(after.row.folder_id));
  const { revision, link_row: linkRow } = before.row;
  const changed = Object.keys(after.fields).filter(
    (name) =>
      JSON.stringify(before.fields[name]) !== JSON.stringify(after.fields[name]) ||
      isOtherSecret(name, before.row, after.row),
  );
  const isGone = after.row.deleted_at !== null;
  if (changed.length === 0 && isLive !== isGone) return { value, revision };
  const was = Object.fromEntries(changed.map((name) => [name, before.fields[name]]));
  const name = nameOf(db, write.action, changed, before.row);
  const event = {
    accountId,
    name,
    at: now,
    linkRow,
    revision: revision + 1,
    body: sparseFields(after.fields),
  };
  await all(
    db.run(addRevision, [linkRow]),
    appendEvent(db, { ...event, was: isGone && changed.length === 0 ? null : was }),
  );
  return { value, revision: revision + 1 };
}

/** What is done to a link by its fields: to change nothing but tags is to tag it. */
function nameOf({ by }: Db, action: LinkAction, changed: readonly string[], before: AnyRow): EventName {
  if (by?.does !== undefined) return `link.${by.does}`;
  if (before.deleted_at !== null) return 'link.restored';
  if (action === 'updated' && changed.every((name) => name === 'tags')) return 'link.tagged';
  return `link.${action}`;
}
