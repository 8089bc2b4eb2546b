import type { EventName, Fields, LinkAction } from '../../../model/history/events.ts';
import { requireRevision } from '../../../model/history/revisions.ts';
import { spaceOf } from '../../../model/links/codes/codes.ts';
import { everyField } from '../../../model/links/link-field-values.ts';
import type { NewLink } from '../../../model/links/link-records.ts';
import { all, type Db, type Value } from '../../db/db.ts';
import { idBytes, idTextOrNull } from '../../db/ids.ts';
import { appendEvent, type NewEvent, sparseFields } from '../events/append.ts';
import { requireAccess, requirePlaceAccess } from '../finding/access.ts';
import { hostsOf } from '../finding/link-domains.ts';
import { type LinkRow, linkColumns } from '../finding/link-reads.ts';
import { tagNamesIn } from '../finding/link-tags.ts';

/** The row of a live or deleted link from which its history is recorded. */
type HistoryRow = LinkRow & { readonly deleted_at: number | null };

const linkById = `
  SELECT ${linkColumns}, l.deleted_at
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row WHERE l.id = ? AND l.account_id = ?`;
const lockById = 'SELECT link_row FROM links WHERE id = ? AND account_id = ?';
const aliasesOf =
  'SELECT alias, key FROM codes WHERE link_row = ? AND alias IS NOT NULL AND live = 1 ORDER BY key';
const addRevision = 'UPDATE links SET revision = revision + 1 WHERE link_row = ?';

// Fields that the history does not track, because users do not change them directly: identifiers, counters, and fields
// that follow from other fields.
const untrackedFields: ReadonlySet<string> = new Set([
  'id',
  'space',
  'createdAt',
  'updatedAt',
  'usedClicks',
  'revision',
]);
const trackedFields = everyField.filter(([name]) => !untrackedFields.has(name));

/** Returns a link's fields as stored in its history. */
function fieldsOf(row: LinkRow): Fields {
  const values: Readonly<Record<string, Value>> = row;
  const fields = trackedFields.map(([name, { column, kind }]) => {
    const value = values[column] ?? null;
    if (kind === 'id') return [name, idTextOrNull(value as Uint8Array | null)];
    return [name, kind === 'secret' && value !== null ? true : value];
  });
  return { ...Object.fromEntries(fields), host: row.host, tags: tagNamesIn(row.tags) };
}

const secrets = new Map(
  trackedFields.flatMap(([name, { column, kind }]) => (kind === 'secret' ? [[name as string, column]] : [])),
);

/**
 * Returns true if a secret changed. Compares the rows, because the history's fields only show whether a secret is set.
 */
function isSecretChanged(name: string, before: LinkRow, after: LinkRow): boolean {
  const column = secrets.get(name) as keyof LinkRow | undefined;
  return column !== undefined && before[column] !== after[column];
}

/**
 * Returns the creation event of a new link. If the link gets a code other than its first, the caller replaces the
 * event.
 */
export function creationEvent(
  { by }: Db,
  accountId: number,
  draft: NewLink,
  tags: readonly { readonly name: string }[],
  code: string,
): NewEvent {
  const fields: Record<string, unknown> = {};
  for (const [name, { kind }] of trackedFields) {
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

/** A write to one link: its name in the history, and its conditions. */
export interface LinkWrite {
  readonly accountId: number;
  readonly id: string;
  readonly action: LinkAction;
  readonly now: number;
  /** The link revisions for which the write is allowed; undefined if any revision is allowed. */
  readonly ifMatch?: readonly number[] | undefined;
  /** Set if the write may also change aliases. */
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

async function readLink(
  db: Db,
  { accountId, id, aliases }: LinkWrite,
): Promise<{ row: HistoryRow; fields: Fields } | undefined> {
  const row = await db.get<HistoryRow>(linkById, [idBytes(id), accountId]);
  if (row === undefined) return undefined;
  const fields = fieldsOf(row);
  if (aliases === undefined) return { row, fields };
  return { row, fields: { ...fields, aliases: await aliasNames(db, accountId, row.link_row) } };
}

/**
 * Appends an event that was not caused by a user's change, with the link's current fields.
 * @param more additional fields
 */
export async function appendLinkEvent(
  db: Db,
  event: Pick<NewEvent, 'accountId' | 'name' | 'at' | 'was'>,
  id: string,
  more: Fields = {},
): Promise<void> {
  const found = await readLink(db, { accountId: event.accountId, id, action: 'updated', now: 0 });
  if (found === undefined) return;
  const { link_row: linkRow, revision, updated_at: updatedAt } = found.row;
  const body = sparseFields({ ...found.fields, revision, updatedAt, ...more });
  await appendEvent(db, { ...event, linkRow, was: event.was ?? {}, body });
}

/**
 * Runs a write to one link, and records its changes as one revision. A write that changes nothing records nothing. If
 * the link does not exist, the write itself must report that.
 * @returns the result of the write, and the link's revision after the write; undefined when there is no such link
 * @throws Failure REVISION_MISMATCH, and errors of the write; with a restricted key also LINK_NOT_FOUND,
 * DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function recordLink<T>(
  db: Db,
  write: LinkWrite,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly revision: number | undefined }> {
  const { accountId, id, ifMatch, now } = write;
  const [, before] = await all(
    db.lockRows('no key update', lockById, [idBytes(id), accountId]),
    readLink(db, write),
  );
  if (before !== undefined) requireAccess(db, before.row);
  const isLive = before !== undefined && before.row.deleted_at === null;
  if (before !== undefined && (isLive || write.action === 'restored'))
    requireRevision(before.row.revision, ifMatch);
  const value = await work();
  const after = before && (await readLink(db, write));
  if (before === undefined || after === undefined) return { value, revision: undefined };
  // Authors must not move a link outside their key's restrictions, because they could not undo that.
  requirePlaceAccess(db, after.row.space, idTextOrNull(after.row.folder_id));
  const { revision, link_row: linkRow } = before.row;
  const changed = Object.keys(after.fields).filter(
    (name) =>
      JSON.stringify(before.fields[name]) !== JSON.stringify(after.fields[name]) ||
      isSecretChanged(name, before.row, after.row),
  );
  const isGone = after.row.deleted_at !== null;
  if (changed.length === 0 && isLive !== isGone) return { value, revision };
  const was = Object.fromEntries(changed.map((name) => [name, before.fields[name]]));
  const name = eventNameOf(db, write.action, changed, before.row);
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

/** Returns the event name for a change. If only tags changed, the name is `link.tagged`. */
function eventNameOf(
  { by }: Db,
  action: LinkAction,
  changed: readonly string[],
  before: HistoryRow,
): EventName {
  if (by?.does !== undefined) return `link.${by.does}`;
  if (before.deleted_at !== null) return 'link.restored';
  if (action === 'updated' && changed.every((name) => name === 'tags')) return 'link.tagged';
  return `link.${action}`;
}
