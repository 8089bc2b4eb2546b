import type { ActorKind } from '../../../model/accounts/actors.ts';
import type { AccountEvent, Fields, LogPage } from '../../../model/history/events.ts';
import { idText } from '../../../model/ids.ts';
import type { Db, Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';

interface Row extends Omit<AccountEvent, 'actor' | 'was' | 'body'> {
  readonly linkId: Uint8Array | null;
  readonly actorKind: ActorKind;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly was: string | null;
  readonly body: string | null;
}

const selectEvents = `
  SELECT e.seq, e.account_id AS "accountId", e.at, e.name, l.id AS "linkId", e.target_id AS "targetId", e.revision,
    e.actor_kind AS "actorKind", e.actor_id AS "actorId", e.actor_name AS "actorName", e.request_id AS "requestId",
    e.was, e.body, l.created_at AS "linkCreatedAt"
  FROM events e LEFT JOIN links l ON l.link_row = e.link_row`;

function fieldsIn(text: string | null): Fields | null {
  return text === null ? null : (JSON.parse(text) as Fields);
}

function eventOf({
  linkId,
  targetId,
  actorKind,
  actorId,
  actorName,
  was,
  body,
  ...event
}: Row): AccountEvent {
  return {
    ...event,
    actor: { kind: actorKind, id: actorId, name: actorName },
    targetId: linkId === null ? targetId : idText(linkId),
    was: fieldsIn(was),
    body: fieldsIn(body),
  };
}

export const accountEvents: Read<'accountEvents'> = async (
  db,
  accountId,
  { limit, before, name, kind, actorId, targetId, from, to },
) => {
  const conditions: [sql: string, value: Value | undefined][] = [
    ['e.seq < ?', before],
    ['e.name = ?', name],
    ['e.name LIKE ?', kind && `${kind}.%`],
    ['e.actor_id = ?', actorId],
    ['e.at >= ?', from],
    ['e.at < ?', to],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const values = given.map(([, value]) => value ?? null);
  const where = ['e.account_id = ?', ...given.map(([sql]) => sql)].join(' AND ');
  const select = (also: string): string =>
    `${selectEvents} WHERE ${where}${also} ORDER BY e.seq DESC LIMIT ?`;
  if (targetId === undefined)
    return (await db.allUncached<Row>(select(''), [accountId, ...values, limit])).map(eventOf);
  const link = await db.get<{ link_row: number }>(linkById, [idBytes(targetId), accountId]);
  const [also, target] =
    link === undefined ? [' AND e.target_id = ?', targetId] : [' AND e.link_row = ?', link.link_row];
  return (await db.allUncached<Row>(select(also), [accountId, ...values, target, limit])).map(eventOf);
};

const linkById = 'SELECT link_row FROM links WHERE id = ? AND account_id = ?';
const eventsOfLink = `${selectEvents} WHERE e.link_row = ? AND e.revision < ? ORDER BY e.seq DESC LIMIT ?`;
const atRevision = `${selectEvents} WHERE e.link_row = ? AND e.revision IN (?, ?) ORDER BY e.revision`;

export const linkEvents: Read<'linkEvents'> = async (
  db,
  accountId,
  id,
  limit,
  before = Number.MAX_SAFE_INTEGER,
) => {
  const link = await db.get<{ link_row: number }>(linkById, [idBytes(id), accountId]);
  return link && (await db.all<Row>(eventsOfLink, [link.link_row, before, limit])).map(eventOf);
};

export const revisionEvents: Read<'revisionEvents'> = async (db, accountId, id, revision) => {
  const link = await db.get<{ link_row: number }>(linkById, [idBytes(id), accountId]);
  if (link === undefined) return [];
  return (await db.all<Row>(atRevision, [link.link_row, revision, revision + 1])).map(eventOf);
};

const newest = 'SELECT COALESCE(MAX(seq), 0) AS seq FROM events';
const allEventsAfter = `${selectEvents} WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`;
const eventsOfAccountAfter = `${selectEvents} WHERE e.account_id = ? AND e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`;

export async function newestEvent(db: Db): Promise<number> {
  return (await db.get<{ seq: number }>(newest, []))?.seq ?? 0;
}

/** Returns events with numbers above `after`, up to `head`. */
export async function eventsBetween(
  db: Db,
  after: number,
  head: number,
  limit: number,
  accountId?: number,
): Promise<LogPage> {
  // One extra row shows whether there are more events.
  const range = [after, head, limit + 1];
  const found =
    accountId === undefined
      ? await db.all<Row>(allEventsAfter, range)
      : await db.all<Row>(eventsOfAccountAfter, [accountId, ...range]);
  return { events: found.slice(0, limit).map(eventOf), head, hasMore: found.length > limit };
}

export const eventReads = { accountEvents, linkEvents, revisionEvents };
