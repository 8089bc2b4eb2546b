import type { Migration } from '../db/dialect.ts';

/** What is known of where links lead, and when each is looked at again. It holds while the link leads there. */
export const destinationChecks: Migration = {
  number: 34,
  name: 'destination-checks',
  statements: ({ integer, text, table, changing }) => [
    `ALTER TABLE links ADD COLUMN unwatched ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE destination_checks (
      link_row ${integer} PRIMARY KEY REFERENCES links (link_row),
      account_id ${integer} NOT NULL,
      due_at ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      destination ${text},
      state ${text},
      problem ${text},
      notice ${text},
      status ${integer},
      redirects ${integer},
      certificate_ends_at ${integer},
      since ${integer},
      checked_at ${integer}
    )${table}${changing}`,
    'CREATE INDEX destination_checks_due ON destination_checks (due_at)',
    "CREATE INDEX destination_checks_failing ON destination_checks (account_id) WHERE state = 'failing'",
  ],
};
