import type { Migration } from '../db/dialect.ts';

/** Up to which link, in the order in which links expire, the log tells that one expired. Links without an end are in no index. */
export const expiry: Migration = {
  number: 47,
  name: 'expiry',
  statements: ({ integer, table, changing }) => [
    `CREATE TABLE expiry_position (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      expires_at ${integer} NOT NULL,
      link_row ${integer} NOT NULL
    )${table}${changing}`,
  ],
  indexes: [
    {
      name: 'links_to_expire',
      on: 'links (expires_at, link_row) WHERE deleted_at IS NULL AND expires_at IS NOT NULL',
    },
  ],
};
