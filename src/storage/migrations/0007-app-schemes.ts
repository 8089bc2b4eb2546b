import type { Migration } from '../db/dialect.ts';

/** Adds a column for the app URL schemes, separated by spaces, that an account allows. */
export const appSchemes: Migration = {
  number: 7,
  name: 'app-schemes',
  statements: ({ text }) => [`ALTER TABLE accounts ADD COLUMN app_schemes ${text} NOT NULL DEFAULT ''`],
};
