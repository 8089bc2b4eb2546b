import type { Migration } from '../db/dialect.ts';

/** What happens to links, noted while anything reads it, and for how long clicks are kept one by one for such readers. */
export const events: Migration = {
  number: 18,
  name: 'events',
  statements: ({ identity, integer, bytes, table, changing, linkEventTriggers }) => [
    // One row while there are readers, else none. What is not above the numbers in `…_after` may be gone.
    `CREATE TABLE event_window (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      secret ${bytes} NOT NULL CHECK (length(secret) = 16),
      renewed_at ${integer} NOT NULL,
      clicks_after ${integer} NOT NULL,
      changes_after ${integer} NOT NULL,
      marked_at ${integer} NOT NULL,
      marked_click ${integer} NOT NULL,
      marked_change ${integer} NOT NULL
    )${table}${changing}`,
    // The kind is a place in `linkActions`.
    `CREATE TABLE link_events (
      seq ${identity},
      account_id ${integer} NOT NULL,
      link_row ${integer} NOT NULL,
      kind ${integer} NOT NULL,
      at ${integer} NOT NULL
    )${table}`,
    // Folded batches that are kept have their layout raised by 100: `storage/statements/event-window.ts`.
    'CREATE INDEX click_batches_waiting ON click_batches (id) WHERE layout < 100',
    ...linkEventTriggers,
  ],
};
