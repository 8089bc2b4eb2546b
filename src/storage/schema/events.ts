import type { Dialect } from '../db/dialect.ts';

/** Tables for the event log, leases, and change notifications between processes. */
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
    // Version number of the click columns. Each change increments it, so that concurrent changes are detected.
    `INSERT INTO meta (key, value) VALUES ('click columns', '0')`,
    // Leases for periodic work that only one process should do.
    `CREATE TABLE turns (name ${text} PRIMARY KEY, taken_at ${integer} NOT NULL)${clustered}${changing}`,
    // Log, in order, of changes by any process to data that other processes cache.
    `CREATE TABLE change_log (seq ${identity}, kind ${text} NOT NULL, name ${text} NOT NULL)${table}`,
    // One row while clients read the event stream. Click batches and events with numbers up to `clicks_after` and
    // `changes_after` may have been deleted.
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
    // Event log for all accounts. Each event is written in the same transaction as the change that it describes.
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
    // The last link, in order of expiry, whose expiry is in the event log.
    `CREATE TABLE expiry_position (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    expires_at ${integer} NOT NULL,
    link_row ${integer} NOT NULL
  )${table}${changing}`,
  ];
}
