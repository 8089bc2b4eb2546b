import type { Migration } from '../db/dialect.ts';

/** What each click says, until it is folded, and the secrets by which the visitors of a day are told apart. */
export const clickBatches: Migration = {
  number: 9,
  name: 'click-batches',
  statements: ({ identity, integer, bytes, table, storedUncompressed }) => [
    // Rows come with the sums of their clicks, and go when they are folded; then a number may be given again.
    `CREATE TABLE click_batches (
      id ${identity},
      layout ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      records ${bytes} NOT NULL
    )${table}`,
    ...storedUncompressed('click_batches', 'records'),
    `CREATE TABLE visitor_salts (day ${integer} PRIMARY KEY, salt ${bytes} NOT NULL CHECK (length(salt) = 16))${table}`,
  ],
};
