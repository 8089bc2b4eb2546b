import type { Migration } from '../db/dialect.ts';

/** Tags, and which links carry them. */
export const tags: Migration = {
  number: 13,
  name: 'tags',
  statements: ({ identity, integer, text, bytes, table, clustered, ofLink }) => [
    // The key is the name without regard to case. A deleted tag is gone for every reader while rows in `link_tags`
    // still carry it: they speak of its successor, or of none.
    `CREATE TABLE tags (
      tag_row ${identity},
      id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      name ${text} NOT NULL,
      key ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      deleted ${integer} NOT NULL DEFAULT 0,
      successor ${integer}
    )${table}`,
    'CREATE UNIQUE INDEX tags_by_key ON tags (account_id, key) WHERE deleted = 0',
    'CREATE INDEX tags_deleted ON tags (account_id, tag_row) WHERE deleted = 1',
    `CREATE TABLE link_tags (
      tag_row ${integer} NOT NULL REFERENCES tags (tag_row),
      link_row ${integer} NOT NULL${ofLink},
      PRIMARY KEY (tag_row, link_row)
    )${clustered}`,
    'CREATE INDEX link_tags_by_link ON link_tags (link_row, tag_row)',
  ],
};
