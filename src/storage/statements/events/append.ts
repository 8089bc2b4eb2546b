import type { EventName, Fields } from '../../../model/history/events.ts';
import { plainId } from '../../../model/ids.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import type { Db, Value } from '../../db/db.ts';

/** An event to append to the log. */
export interface NewEvent {
  readonly accountId: number;
  readonly name: EventName;
  /** Time of the event in ms since the epoch; defaults to the time of the author's request. */
  readonly at?: number | undefined;
  /** Row of the link, for link events. */
  readonly linkRow?: number;
  readonly revision?: number;
  /** Id of the target, for events about other resources. */
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
const placeholders = Object.keys(columns).map(() => '?');
const insert = `INSERT INTO events (${names}, link_row) VALUES (${placeholders.join(', ')}, ?)`;
const insertOfLink = `INSERT INTO events (${names}, link_row) SELECT ${placeholders.join(', ')}, link_row FROM links WHERE id = ?`;
const insertOfLinks = `
  INSERT INTO events (${names}, link_row) SELECT ${names.replaceAll(/\w+/g, 'i.$&')}, l.link_row FROM input i JOIN links l ON l.id = i.link_id
  ORDER BY l.link_row`;

/** Removes fields that are null, undefined, 0 or an empty list. */
export function sparseFields(fields: Fields): Fields {
  // Uses a loop that creates no intermediate arrays, because this code runs for every new link.
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value == null || value === 0 || (Array.isArray(value) && value.length === 0)) continue;
    given[name] = value;
  }
  return given;
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

/**
 * Appends an event. Call it in the same transaction as the change, after the first statement that changes something.
 */
export function appendEvent(db: Db, event: NewEvent): MaybePromise<number> {
  return db.run(insert, [...valuesOf(db, event), event.linkRow ?? null]);
}

/** Appends link events, given the ids of the links, in a few statements. */
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
