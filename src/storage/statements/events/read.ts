import type { ActorKind } from '../../../model/accounts/actors.ts';
import type { AccountEvent, EventName, Fields, LogPage } from '../../../model/history/events.ts';
import { idText } from '../../../model/ids.ts';
import type { Db, Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';

interface Row {
  readonly seq: number;
  readonly account_id: number;
  readonly at: number;
  readonly name: string;
  readonly link_id: Uint8Array | null;
  readonly target_id: string | null;
  readonly revision: number | null;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly request_id: string | null;
  readonly was: string | null;
  readonly body: string | null;
  readonly created_at: number | null;
}

const selectEvents = `
  SELECT e.seq, e.account_id, e.at, e.name, l.id AS link_id, e.target_id, e.revision, e.actor_kind, e.actor_id, e.actor_name,
    e.request_id, e.was, e.body, l.created_at
  FROM events e LEFT JOIN links l ON l.link_row = e.link_row`;

function fieldsIn(text: string | null): Fields | null {
  return text === null ? null : (JSON.parse(text) as Fields);
}

function eventOf(row: Row): AccountEvent {
  const { seq, account_id: accountId, at, revision, request_id: requestId } = row;
  return {
    seq,
    accountId,
    at,
    revision,
    requestId,
    name: row.name as EventName,
    actor: { kind: row.actor_kind as ActorKind, id: row.actor_id, name: row.actor_name },
    linkCreatedAt: row.created_at,
    targetId: row.link_id === null ? row.target_id : idText(row.link_id),
    was: fieldsIn(row.was),
    body: fieldsIn(row.body),
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
  // One extra row shows whether there are more.
  const range = [after, head, limit + 1];
  const found =
    accountId === undefined
      ? await db.all<Row>(allEventsAfter, range)
      : await db.all<Row>(eventsOfAccountAfter, [accountId, ...range]);
  return { events: found.slice(0, limit).map(eventOf), head, hasMore: found.length > limit };
}

export const eventReads = { accountEvents, linkEvents, revisionEvents };
