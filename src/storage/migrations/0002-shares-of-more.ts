import type { Migration } from '../db/dialect.ts';

/** Adds shares of folders, tags, campaigns and several subjects at once, and passwords for shares. */
export const sharesOfMore: Migration = {
  number: 2,
  name: 'shares-of-more',
  statements: ({ bytes, integer, text, clustered }) => [
    `CREATE TABLE all_shares (
      id ${bytes} PRIMARY KEY CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      link_row ${integer} REFERENCES links (link_row),
      digest ${bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      subjects ${text},
      password_hash ${text}
    )${clustered}`,
    `INSERT INTO all_shares (id, account_id, link_row, digest, created_at, expires_at)
     SELECT id, account_id, link_row, digest, created_at, expires_at FROM shares`,
    'DROP TABLE shares',
    'ALTER TABLE all_shares RENAME TO shares',
    'CREATE INDEX shares_by_link ON shares (link_row)',
    'CREATE INDEX shares_by_account ON shares (account_id) WHERE link_row IS NULL',
  ],
};
