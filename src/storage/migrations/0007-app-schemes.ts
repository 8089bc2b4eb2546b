import type { Migration } from '../db/dialect.ts';

/** Adds a column for the URL schemes of apps that an account allows, separated by spaces. */
export const appSchemes: Migration = {
  number: 7,
  name: 'app-schemes',
  statements: ({ text }) => [`ALTER TABLE accounts ADD COLUMN app_schemes ${text} NOT NULL DEFAULT ''`],
};
