import type { Dialect } from '../db/dialect.ts';

/** Tables for imports from other services. */
export function importsSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
  changing,
  storedUncompressed,
}: Dialect): readonly string[] {
  return [
    // A source of imports in one account. Its links are identified by their keys (see `import_links`).
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
    counts ${text} NOT NULL,
    installation ${text}
  )${table}${changing}`,
    'CREATE INDEX imports_of_accounts ON imports (account_id, import_row)',
    "CREATE INDEX imports_under_way ON imports (import_row) WHERE state IN ('counting', 'undoing', 'removing')",
    // The import report: a row for each link in a file. `revision` is the link's revision after the import changed it.
    `CREATE TABLE import_items (
    import_row ${integer} NOT NULL REFERENCES imports (import_row),
    line ${integer} NOT NULL,
    link_key ${text} NOT NULL,
    code ${text},
    outcome ${text} NOT NULL,
    reason ${text},
    link_id ${bytes},
    revision ${integer},
    PRIMARY KEY (import_row, line)
  )${clustered}`,
    // Imported links by their key in the source. `dated` counts clicks with a date, `counter` is the source's own
    // count, and `undated` is the difference. `recorded` is the link's domain and code in the source. `met` is the last
    // import whose file includes the link; it is negative if that import rejected the link.
    `CREATE TABLE import_links (
    source_row ${integer} NOT NULL REFERENCES import_sources (source_row),
    key_hash ${bytes} NOT NULL,
    link_row ${integer} NOT NULL,
    import_row ${integer} NOT NULL,
    imported_at ${integer} NOT NULL,
    dated ${integer} NOT NULL,
    counter ${integer},
    undated ${integer} NOT NULL,
    recorded ${text},
    met ${integer} NOT NULL DEFAULT 0,
    PRIMARY KEY (source_row, key_hash)
  )${clustered}`,
    'CREATE UNIQUE INDEX import_links_by_link ON import_links (link_row, source_row)',
    'CREATE INDEX import_links_by_import ON import_links (import_row, key_hash)',
    // Clicks of an import whose file has not been read to the end. `so_far` is the number of the day's clicks up to and
    // including this piece.
    `CREATE TABLE import_clicks (
    piece ${identity},
    import_row ${integer} NOT NULL REFERENCES imports (import_row),
    day ${integer} NOT NULL,
    layout ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    records ${bytes} NOT NULL,
    so_far ${integer} NOT NULL DEFAULT 0
  )${table}`,
    ...storedUncompressed('import_clicks', 'records'),
    'CREATE INDEX import_clicks_by_day ON import_clicks (import_row, day)',
    // Days whose clicks were imported. If a day's columns were deleted because of their age, its clicks are not
    // imported again.
    `CREATE TABLE import_days (
    source_row ${integer} NOT NULL REFERENCES import_sources (source_row),
    day ${integer} NOT NULL,
    PRIMARY KEY (source_row, day)
  )${clustered}`,
    // The counter that an import reported for a link, if it increased the link's counter. Undoing the import requires
    // this value.
    `CREATE TABLE import_counters (
    import_row ${integer} NOT NULL REFERENCES imports (import_row),
    link_row ${integer} NOT NULL,
    counter ${integer} NOT NULL,
    PRIMARY KEY (import_row, link_row)
  )${clustered}`,
    'CREATE INDEX import_counters_by_link ON import_counters (link_row)',
  ];
}
