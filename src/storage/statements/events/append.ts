import type { EventName, Fields } from '../../../model/history/events.ts';
import { plainId } from '../../../model/ids.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import type { Db, Value } from '../../db/db.ts';

/** What is noted of a change. */
export interface NewEvent {
  readonly accountId: number;
  readonly name: EventName;
  /** ms since the epoch; when its author asked for it unless it is given */
  readonly at?: number | undefined;
  /** Of a link: its row. */
  readonly linkRow?: number;
  readonly revision?: number;
  /** Of anything else: its id. */
  readonly targetId?: string;
  readonly was?: Fields | null;
  readonly body?: Fields | null;
}

const columns = {
  account_id: 'integer',
  at: 'integer',
  name: 'text',
  revision: 'integer',
  target_id: 'text',
  actor_kind: 'text',
  actor_id: 'text',
  actor_name: 'text',
  request_id: 'text',
  was: 'text',
  body: 'text',
} as const;
const names = Object.keys(columns).join(', ');
const marks = Object.keys(columns).map(() => '?');
const insert = `INSERT INTO events (${names}, link_row) VALUES (${marks.join(', ')}, ?)`;
const insertOfLink = `INSERT INTO events (${names}, link_row) SELECT ${marks.join(', ')}, link_row FROM links WHERE id = ?`;
const insertOfLinks = `
  INSERT INTO events (${names}, link_row) SELECT ${names.replaceAll(/\w+/g, 'i.$&')}, l.link_row FROM input i JOIN links l ON l.id = i.link_id
  ORDER BY l.link_row`;

/** Fields that say something: what is not named is null, 0 or an empty list. */
export function sparseFields(fields: Fields): Fields {
  // Of every link that is made: without a list of all pairs.
  const said: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value == null || value === 0 || (Array.isArray(value) && value.length === 0)) continue;
    said[name] = value;
  }
  return said;
}

function valuesOf({ by }: Db, { accountId, name, at, revision, targetId, was, body }: NewEvent): Value[] {
  return [
    accountId,
    at ?? by?.at ?? 0,
    name,
    revision ?? null,
    targetId === undefined ? null : plainId(targetId),
    by?.kind ?? 'background',
    by?.id ?? null,
    by?.name ?? null,
    by?.requestId ?? null,
    was == null ? null : JSON.stringify(was),
    body == null ? null : JSON.stringify(body),
  ];
}

/** Notes a change, in the transaction that makes it and after its first statement that changes something. */
export function appendEvent(db: Db, event: NewEvent): MaybePromise<number> {
  return db.run(insert, [...valuesOf(db, event), event.linkRow ?? null]);
}

/** Notes changes of links by their ids, in few statements. */
export async function appendOfLinks(
  db: Db,
  events: readonly (NewEvent & { readonly linkId: Uint8Array })[],
): Promise<void> {
  await db.bulk<Value>(
    {
      columns: { ...columns, link_id: 'bytes' },
      values: events.flatMap((event): Value[] => [...valuesOf(db, event), event.linkId]),
    },
    (...row) => db.run(insertOfLink, row),
    insertOfLinks,
  );
}
