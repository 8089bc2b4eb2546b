import type { Migration } from '../db/dialect.ts';

/** Adds a column for networks whose visits an account does not count, separated by spaces. */
export const excludedNetworks: Migration = {
  number: 6,
  name: 'excluded-networks',
  statements: ({ text }) => [`ALTER TABLE accounts ADD COLUMN excluded_networks ${text} NOT NULL DEFAULT ''`],
};
