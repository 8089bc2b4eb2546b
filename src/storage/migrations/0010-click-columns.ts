import type { Migration } from '../db/dialect.ts';

/**
 * What clicks say, as columns of the days of an account. Clicks that were counted before, of which only hour and class are
 * known, are set aside by account and day, and become columns in the background.
 */
export const clickColumns: Migration = {
  number: 10,
  name: 'click-columns',
  statements: ({ identity, integer, bytes, table, clustered, changing, storedUncompressed }) => [
    // A segment is rows of which the first, block 0, is its head. In that stands its block too when it has only one.
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
      bytes ${bytes} NOT NULL
    )${table}`,
    ...storedUncompressed('click_columns', 'bytes'),
    'CREATE UNIQUE INDEX click_columns_by_day ON click_columns (account_id, day, segment, block)',
    'CREATE INDEX click_columns_open ON click_columns (day, account_id) WHERE is_sealed = 0',
    'CREATE INDEX click_columns_oldest ON click_columns (day, account_id)',
    `CREATE TABLE click_rollups (
      account_id ${integer} NOT NULL,
      day ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      is_estimated ${integer} NOT NULL,
      bytes ${bytes} NOT NULL,
      PRIMARY KEY (account_id, day)
    )${table}`,
    ...storedUncompressed('click_rollups', 'bytes'),
    `CREATE TABLE earlier_clicks (
      account_id ${integer} NOT NULL,
      day ${integer} NOT NULL,
      link_row ${integer} NOT NULL,
      hour ${integer} NOT NULL,
      class ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      PRIMARY KEY (account_id, day, link_row, hour, class)
    )${clustered}`,
    // Clicks whose details were removed because of their age, by account.
    `CREATE TABLE forgotten_clicks (account_id ${integer} PRIMARY KEY, clicks ${integer} NOT NULL)${table}${changing}`,
    // Raised by each change of these tables, so that what was read before another change is not written.
    `INSERT INTO meta (key, value) VALUES ('click columns', '0')`,
  ],
  backfill: {
    table: 'links',
    key: 'link_row',
    statement: `
      INSERT INTO earlier_clicks (account_id, day, link_row, hour, class, clicks)
      WITH bounds AS (SELECT CAST(? AS BIGINT) AS after_row, CAST(? AS BIGINT) AS upto),
      counted AS (
        SELECT h.link_row, h.hour, h.class, h.clicks FROM bounds b
        JOIN link_clicks_hourly h ON h.link_row > b.after_row AND h.link_row <= b.upto
        UNION ALL
        SELECT r.link_row, r.hour, r.class, r.clicks FROM bounds b
        JOIN recent_clicks r ON r.link_row > b.after_row AND r.link_row <= b.upto
      )
      SELECT l.account_id, c.hour / 24, c.link_row, c.hour, c.class, CAST(SUM(c.clicks) AS BIGINT)
      FROM counted c JOIN links l ON l.link_row = c.link_row
      GROUP BY l.account_id, c.hour / 24, c.link_row, c.hour, c.class`,
  },
};
