import type { Migration } from '../db/dialect.ts';

/**
 * Readers of statistics: keys by the scope `analytics:read`, and readers without a key by the secret in the address of a
 * share. Keys that could do all there was can still do all there is.
 */
export const accessToStatistics: Migration = {
  number: 11,
  name: 'access-to-statistics',
  statements: ({ integer, bytes, clustered }) => [
    `UPDATE api_keys SET scopes = scopes || ' analytics:read'
     WHERE ' ' || scopes || ' ' LIKE '% links:read %' AND ' ' || scopes || ' ' LIKE '% links:write %'`,
    `CREATE TABLE shares (
      id ${bytes} PRIMARY KEY CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      link_row ${integer} NOT NULL REFERENCES links (link_row),
      digest ${bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
      created_at ${integer} NOT NULL,
      expires_at ${integer}
    )${clustered}`,
    'CREATE INDEX shares_by_link ON shares (link_row)',
  ],
};
