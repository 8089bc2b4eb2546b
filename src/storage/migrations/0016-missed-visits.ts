import type { Migration } from '../db/dialect.ts';

/** Visits that led nowhere: of links by UTC day and reason, and of codes that never existed by UTC day. */
export const missedVisits: Migration = {
  number: 16,
  name: 'missed-visits',
  statements: ({ integer, text, clustered, changing, ofLink }) => [
    `CREATE TABLE missed_visits (
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      day ${integer} NOT NULL,
      link_row ${integer} NOT NULL${ofLink},
      reason ${integer} NOT NULL,
      visits ${integer} NOT NULL,
      PRIMARY KEY (account_id, day, link_row, reason)
    )${clustered}${changing}`,
    'CREATE INDEX missed_visits_by_day ON missed_visits (day)',
    `CREATE TABLE unknown_codes (
      day ${integer} NOT NULL,
      code ${text} NOT NULL,
      visits ${integer} NOT NULL,
      PRIMARY KEY (day, code)
    )${clustered}${changing}`,
  ],
};
