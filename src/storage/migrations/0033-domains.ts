import type { Migration } from '../db/dialect.ts';

/**
 * Hosts of accounts. What a code is unique in, its space, stands at the beginning of its key and in its link; nothing of the
 * shared domain changes (decision 0084).
 */
export const domains: Migration = {
  number: 33,
  name: 'domains',
  statements: ({ identity, integer, text, bytes, table, clustered }) => [
    `CREATE TABLE domains (
      domain_row ${identity},
      id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      host ${text} NOT NULL,
      space ${text} NOT NULL UNIQUE,
      status ${text} NOT NULL,
      is_default ${integer} NOT NULL,
      root_url ${text},
      unknown_url ${text},
      expired_url ${text},
      indexed ${integer} NOT NULL,
      token ${text} NOT NULL,
      found ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      verified_at ${integer},
      checked_at ${integer},
      failing_since ${integer},
      next_check_at ${integer},
      deleted_at ${integer},
      UNIQUE (account_id, host)
    )${table}`,
    'CREATE UNIQUE INDEX domains_default ON domains (account_id) WHERE is_default = 1',
    // A host is here while an account has proven it.
    `CREATE TABLE hosts (
      host ${text} PRIMARY KEY,
      domain_row ${integer} NOT NULL REFERENCES domains (domain_row)
    )${clustered}`,
    `ALTER TABLE links ADD COLUMN space ${text} NOT NULL DEFAULT ''`,
    // Keys that could do everything still can.
    `UPDATE api_keys SET scopes = scopes || ' domains:write'
     WHERE ' ' || scopes || ' ' LIKE '% links:read %' AND ' ' || scopes || ' ' LIKE '% links:write %'
       AND ' ' || scopes || ' ' LIKE '% analytics:read %' AND ' ' || scopes || ' ' LIKE '% keys:write %'`,
  ],
  indexes: [{ name: 'links_of_spaces', on: "links (space, link_row) WHERE space <> ''" }],
};
