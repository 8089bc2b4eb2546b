import type { Migration } from '../db/dialect.ts';

/**
 * Each journal adds to rows of its own, so that nodes never wait for each other at a hot link. And the leases of work that
 * one of all processes does.
 */
export const clicksOfManyNodes: Migration = {
  number: 3,
  name: 'clicks-of-many-nodes',
  statements: ({ integer, text, clustered, changing, otherKey }) => [
    // Always 0 on SQLite, which has one writer at a time. Servers of the version before need not know of it.
    `ALTER TABLE recent_clicks ADD COLUMN source ${integer} NOT NULL DEFAULT 0`,
    ...otherKey('recent_clicks', 'link_row', 'hour', 'class', 'source'),
    `CREATE TABLE turns (name ${text} PRIMARY KEY, taken_at ${integer} NOT NULL)${clustered}${changing}`,
  ],
};
