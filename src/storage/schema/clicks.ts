import type { Dialect } from '../db/dialect.ts';

/** Tables for clicks, from the journal to statistics, and for not-found visits. */
export function clicksSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
  changing,
  ofLink,
  storedUncompressed,
}: Dialect): readonly string[] {
  return [
    // Total clicks per link, and the last hour with a click, in hours since the epoch. `last_hour` is negative until it
    // is recalculated (`findLastHours`).
    `CREATE TABLE link_clicks (
    link_row ${integer} PRIMARY KEY REFERENCES links (link_row),
    total ${integer} NOT NULL,
    account_id ${integer} NOT NULL,
    last_hour ${integer}
  )${table}${changing}`,
    'CREATE INDEX link_clicks_by_total ON link_clicks (account_id, total, link_row)',
    'CREATE INDEX link_clicks_by_last ON link_clicks (account_id, last_hour, link_row)',
    'CREATE INDEX link_clicks_without_last ON link_clicks (link_row) WHERE last_hour < 0',
    // `applied_to` is the position in the journal before which all clicks are applied.
    `CREATE TABLE click_journals (id ${text} PRIMARY KEY, applied_to ${integer} NOT NULL)${clustered}${changing}`,
    // Sums of new clicks until they are rolled up. The table needs only a few database pages. `source` is the journal's
    // number, so that nodes write different rows and don't wait for each other. On SQLite, `source` is 0.
    `CREATE TABLE recent_clicks (
    link_row ${integer} NOT NULL${ofLink},
    hour ${integer} NOT NULL,
    class ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    source ${integer} NOT NULL DEFAULT 0,
    PRIMARY KEY (link_row, hour, class, source)
  )${clustered}${changing}`,
    // Batches of individual clicks that are not in columns yet. While a batch is retained for the event stream, its
    // `layout` is 100 higher (`event-window.ts`).
    `CREATE TABLE click_batches (
    id ${identity},
    layout ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    records ${bytes} NOT NULL
  )${table}`,
    ...storedUncompressed('click_batches', 'records'),
    'CREATE INDEX click_batches_waiting ON click_batches (id) WHERE layout < 100',
    // Salts that pseudonymize a day's visitors.
    `CREATE TABLE visitor_salts (day ${integer} PRIMARY KEY, salt ${bytes} NOT NULL CHECK (length(salt) = 16))${table}`,
    // Not-found visits by link, UTC day and reason.
    `CREATE TABLE missed_visits (
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    day ${integer} NOT NULL,
    link_row ${integer} NOT NULL${ofLink},
    reason ${integer} NOT NULL,
    visits ${integer} NOT NULL,
    PRIMARY KEY (account_id, day, link_row, reason)
  )${clustered}${changing}`,
    'CREATE INDEX missed_visits_by_day ON missed_visits (day)',
    // Visits to codes that never existed, by UTC day.
    `CREATE TABLE unknown_codes (
    day ${integer} NOT NULL,
    code ${text} NOT NULL,
    visits ${integer} NOT NULL,
    PRIMARY KEY (day, code)
  )${clustered}${changing}`,
    // Records of clicks by day, until there are enough clicks for columns or the day has ended.
    `CREATE TABLE day_records (
    account_id ${integer} NOT NULL,
    day ${integer} NOT NULL,
    piece ${integer} NOT NULL,
    layout ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    records ${bytes} NOT NULL,
    PRIMARY KEY (account_id, day, piece)
  )${table}`,
    ...storedUncompressed('day_records', 'records'),
    'CREATE INDEX day_records_oldest ON day_records (day, account_id)',
    // Segments of columns. Block 0 of a segment is its header. `source` is 0 for clicks that Linkfold itself counted;
    // other values identify an import.
    `CREATE TABLE click_columns (
    id ${identity},
    account_id ${integer} NOT NULL,
    day ${integer} NOT NULL,
    segment ${integer} NOT NULL,
    block ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    least_link ${integer} NOT NULL,
    largest_link ${integer} NOT NULL,
    is_sealed ${integer} NOT NULL,
    is_estimated ${integer} NOT NULL,
    bytes ${bytes} NOT NULL,
    source ${integer} NOT NULL DEFAULT 0
  )${table}`,
    ...storedUncompressed('click_columns', 'bytes'),
    'CREATE UNIQUE INDEX click_columns_by_day ON click_columns (account_id, day, segment, block)',
    'CREATE INDEX click_columns_open ON click_columns (day, account_id) WHERE is_sealed = 0',
    'CREATE INDEX click_columns_oldest ON click_columns (day, account_id)',
    // Precomputed sums per sealed day, and per link on that day.
    `CREATE TABLE click_rollups (
    account_id ${integer} NOT NULL,
    day ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    is_estimated ${integer} NOT NULL,
    bytes ${bytes} NOT NULL,
    link_bytes ${bytes},
    PRIMARY KEY (account_id, day)
  )${table}`,
    ...storedUncompressed('click_rollups', 'bytes'),
    ...storedUncompressed('click_rollups', 'link_bytes'),
    // For each account, the number of clicks whose details were deleted because of their age.
    `CREATE TABLE forgotten_clicks (account_id ${integer} PRIMARY KEY, clicks ${integer} NOT NULL)${table}${changing}`,
  ];
}
