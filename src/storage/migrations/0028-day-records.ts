import type { Migration } from '../db/dialect.ts';

/** What clicks of an account's day say, as they were counted, until there are enough for columns or the day is over. */
export const dayRecords: Migration = {
  number: 28,
  name: 'day-records',
  statements: ({ integer, bytes, table, storedUncompressed }) => [
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
  ],
};
