import type { Migration } from '../db/dialect.ts';

/** Where clicks are added, many small sums on few pages, until they are rolled up into the tables of their links. */
export const recentClicks: Migration = {
  number: 2,
  name: 'recent-clicks',
  statements: ({ integer, clustered, changing, ofLink }) => [
    `CREATE TABLE recent_clicks (
      link_row ${integer} NOT NULL${ofLink},
      hour ${integer} NOT NULL,
      class ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      PRIMARY KEY (link_row, hour, class)
    )${clustered}${changing}`,
  ],
};
