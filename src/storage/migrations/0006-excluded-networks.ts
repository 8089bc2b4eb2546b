import type { Migration } from '../db/dialect.ts';

/** Adds a column for the networks, separated by spaces, whose visits an account does not count. */
export const excludedNetworks: Migration = {
  number: 6,
  name: 'excluded-networks',
  statements: ({ text }) => [`ALTER TABLE accounts ADD COLUMN excluded_networks ${text} NOT NULL DEFAULT ''`],
};
