import type { Migration } from '../db/dialect.ts';

/** An owner may not want that destinations are looked at, of any link. */
export const watchedAccounts: Migration = {
  number: 51,
  name: 'watched-accounts',
  statements: ({ integer }) => [`ALTER TABLE accounts ADD COLUMN unwatched ${integer} NOT NULL DEFAULT 0`],
};
