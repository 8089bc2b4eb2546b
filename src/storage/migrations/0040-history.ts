import type { Migration } from '../db/dialect.ts';

/**
 * One log of what happens in accounts, written in the transaction of each change, and how many changes a link has had. It also
 * takes the place of `link_events`, which stays, empty, for servers of the version before.
 */
export const history: Migration = {
  number: 40,
  name: 'history',
  statements: ({ identity, integer, text, table, noLinkEventTriggers }) => [
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
    `ALTER TABLE links ADD COLUMN revision ${integer} NOT NULL DEFAULT 1`,
    ...noLinkEventTriggers,
  ],
};
