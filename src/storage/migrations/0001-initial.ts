import type { Migration } from '../db/dialect.ts';

/** Accounts, keys, folders, links with their codes, exact counters, clicks, idempotency, the log of changes. */
export const initial: Migration = {
  number: 1,
  name: 'initial',
  statements: ({ identity, integer, text, bytes, table, clustered, changing, including, ofLink }) => [
    `CREATE TABLE meta (key ${text} PRIMARY KEY, value ${text} NOT NULL)${clustered}${changing}`,

    `CREATE TABLE accounts (
      id ${identity},
      name ${text} NOT NULL UNIQUE,
      created_at ${integer} NOT NULL,
      suspended_at ${integer}
    )${table}`,

    `CREATE TABLE api_keys (
      id ${text} PRIMARY KEY,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      digest ${bytes} NOT NULL CHECK (length(digest) = 32),
      name ${text} NOT NULL,
      plan ${text} NOT NULL,
      scopes ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer},
      last_used_at ${integer},
      replaced_by ${text}
    )${clustered}`,

    `CREATE TABLE folders (
      id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, id)
    )${clustered}`,

    // Rows are never removed, so a number is never given twice: clicks in a journal name links by it.
    // A NULL location means: the same as the destination.
    `CREATE TABLE links (
      link_row ${identity},
      id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      code ${text} NOT NULL,
      destination ${text} NOT NULL,
      location ${text},
      title ${text},
      description ${text},
      expires_at ${integer},
      folder_id ${bytes},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      deleted_at ${integer},
      FOREIGN KEY (account_id, folder_id) REFERENCES folders (account_id, id)
    )${table}`,
    // Lists walk these alone, however deep the page. deleted_at, always NULL here, is for SQLite's planner, which
    // otherwise does not see that the index covers the query.
    `CREATE INDEX links_live ON links (account_id, id, deleted_at)${including('link_row')} WHERE deleted_at IS NULL`,
    `CREATE INDEX links_live_by_folder ON links (account_id, folder_id, id, deleted_at)${including('link_row')} WHERE deleted_at IS NULL`,
    // Deleted links too: a folder that goes must find them.
    'CREATE INDEX links_by_folder ON links (folder_id) WHERE folder_id IS NOT NULL',

    // Outlives links: a code stays with its account for ever.
    `CREATE TABLE codes (
      key ${text} PRIMARY KEY,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      link_row ${integer} NOT NULL REFERENCES links (link_row),
      live ${integer} NOT NULL CHECK (live IN (0, 1))
    )${clustered}`,

    // Live links by scope: 00 = all, 01 = in no folder, 16 bytes = in that folder. Slots let concurrent writers of
    // one account not wait for one row.
    `CREATE TABLE link_counts (
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      scope ${bytes} NOT NULL,
      slot ${integer} NOT NULL,
      links ${integer} NOT NULL,
      PRIMARY KEY (account_id, scope, slot)
    )${clustered}${changing}`,

    `CREATE TABLE link_clicks (
      link_row ${integer} PRIMARY KEY REFERENCES links (link_row),
      total ${integer} NOT NULL
    )${table}${changing}`,
    `CREATE TABLE link_clicks_hourly (
      link_row ${integer} NOT NULL${ofLink},
      hour ${integer} NOT NULL,
      class ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      PRIMARY KEY (link_row, hour, class)
    )${clustered}${changing}`,
    `CREATE TABLE click_journals (id ${text} PRIMARY KEY, applied_to ${integer} NOT NULL)${clustered}${changing}`,

    `CREATE TABLE once (
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      key ${text} NOT NULL,
      fingerprint ${text} NOT NULL,
      result ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, key)
    )${clustered}`,
    'CREATE INDEX once_by_age ON once (created_at)',

    // Changes of what readers keep in memory, in their order, by whichever process made them.
    `CREATE TABLE change_log (seq ${identity}, kind ${text} NOT NULL, name ${text} NOT NULL)${table}`,
  ],
};
