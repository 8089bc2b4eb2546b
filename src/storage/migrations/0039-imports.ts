import type { Migration } from '../db/dialect.ts';

/** What comes from other services: which files, what became of their links, and their clicks until they are in columns. */
export const imports: Migration = {
  number: 39,
  name: 'imports',
  statements: ({ identity, integer, text, bytes, table, clustered, changing, storedUncompressed }) => [
    // A service as one account reads it: its links are told apart by their keys.
    `CREATE TABLE import_sources (
      source_row ${identity},
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      name ${text} NOT NULL,
      UNIQUE (account_id, name)
    )${table}`,
    `CREATE TABLE imports (
      import_row ${identity},
      id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      source_row ${integer} NOT NULL REFERENCES import_sources (source_row),
      instance ${text},
      read_at ${integer} NOT NULL,
      on_conflict ${text} NOT NULL,
      domain ${text},
      state ${text} NOT NULL,
      position ${integer} NOT NULL,
      progress ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      counts ${text} NOT NULL
    )${table}${changing}`,
    'CREATE INDEX imports_of_accounts ON imports (account_id, import_row)',
    `CREATE INDEX imports_under_way ON imports (import_row) WHERE state IN ('counting', 'undoing', 'removing')`,
    // The report: a row for each link of a file.
    `CREATE TABLE import_items (
      import_row ${integer} NOT NULL REFERENCES imports (import_row),
      line ${integer} NOT NULL,
      link_key ${text} NOT NULL,
      code ${text},
      outcome ${text} NOT NULL,
      reason ${text},
      link_id ${bytes},
      PRIMARY KEY (import_row, line)
    )${clustered}`,
    // Links as their source names them. Clicks: dated ones, what the source counts in all, and what of that has no date.
    `CREATE TABLE import_links (
      source_row ${integer} NOT NULL REFERENCES import_sources (source_row),
      key_hash ${bytes} NOT NULL,
      link_row ${integer} NOT NULL,
      import_row ${integer} NOT NULL,
      imported_at ${integer} NOT NULL,
      dated ${integer} NOT NULL,
      counter ${integer},
      undated ${integer} NOT NULL,
      PRIMARY KEY (source_row, key_hash)
    )${clustered}`,
    'CREATE UNIQUE INDEX import_links_by_link ON import_links (link_row, source_row)',
    'CREATE INDEX import_links_by_import ON import_links (import_row, key_hash)',
    // Until a file has come to its end.
    `CREATE TABLE import_clicks (
      piece ${identity},
      import_row ${integer} NOT NULL REFERENCES imports (import_row),
      day ${integer} NOT NULL,
      layout ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      records ${bytes} NOT NULL
    )${table}`,
    ...storedUncompressed('import_clicks', 'records'),
    'CREATE INDEX import_clicks_by_day ON import_clicks (import_row, day)',
    // Days whose clicks were taken: one of them whose columns are gone by their age is not taken again.
    `CREATE TABLE import_days (
      source_row ${integer} NOT NULL REFERENCES import_sources (source_row),
      day ${integer} NOT NULL,
      PRIMARY KEY (source_row, day)
    )${clustered}`,
    // Which source a segment is of; 0 for clicks that were counted here.
    `ALTER TABLE click_columns ADD COLUMN source ${integer} NOT NULL DEFAULT 0`,
  ],
};
