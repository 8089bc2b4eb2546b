import type { Dialect } from '../db/dialect.ts';

/** The log of events, and what processes tell each other. */
export function eventsSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
  changing,
}: Dialect): readonly string[] {
  return [
    `CREATE TABLE meta (key ${text} PRIMARY KEY, value ${text} NOT NULL)${clustered}${changing}`,
    // Raised by each change of the columns, so that what was read before another change is not written.
    `INSERT INTO meta (key, value) VALUES ('click columns', '0')`,
    // Leases of work that one of all processes does.
    `CREATE TABLE turns (name ${text} PRIMARY KEY, taken_at ${integer} NOT NULL)${clustered}${changing}`,
    // Changes of what readers keep in memory, in their order, by whichever process made them.
    `CREATE TABLE change_log (seq ${identity}, kind ${text} NOT NULL, name ${text} NOT NULL)${table}`,
    // One row while there are readers of events, else none. What is not above the numbers in `…_after` may be gone.
    `CREATE TABLE event_window (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    secret ${bytes} NOT NULL CHECK (length(secret) = 16),
    renewed_at ${integer} NOT NULL,
    clicks_after ${integer} NOT NULL,
    changes_after ${integer} NOT NULL,
    marked_at ${integer} NOT NULL,
    marked_click ${integer} NOT NULL,
    marked_change ${integer} NOT NULL
  )${table}${changing}`,
    // The log of what happens in accounts, written in the transaction of each change.
    `CREATE TABLE events (
    seq ${identity},
    version ${integer} NOT NULL DEFAULT 1,
    account_id ${integer} NOT NULL,
    at ${integer} NOT NULL,
    name ${text} NOT NULL,
    link_row ${integer},
    revision ${integer},
    target_id ${text},
    actor_kind ${text} NOT NULL,
    actor_id ${text},
    actor_name ${text},
    request_id ${text},
    was ${text},
    body ${text}
  )${table}`,
    'CREATE INDEX events_of_accounts ON events (account_id, seq)',
    'CREATE INDEX events_of_links ON events (link_row, seq) WHERE link_row IS NOT NULL',
    'CREATE INDEX events_of_targets ON events (account_id, target_id, seq) WHERE target_id IS NOT NULL',
    // Up to which link, in the order in which links expire, the log says that one expired.
    `CREATE TABLE expiry_position (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    expires_at ${integer} NOT NULL,
    link_row ${integer} NOT NULL
  )${table}${changing}`,
  ];
}
