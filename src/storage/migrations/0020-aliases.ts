import type { Migration } from '../db/dialect.ts';

/**
 * A link may have several codes: of an alias `alias` is the code as it was given, of a link's own code it is null. A removed alias
 * is null too, and not live.
 */
export const aliases: Migration = {
  number: 20,
  name: 'aliases',
  statements: ({ text }) => [`ALTER TABLE codes ADD COLUMN alias ${text}`],
  indexes: [{ name: 'codes_of_aliases', on: 'codes (link_row, key) WHERE alias IS NOT NULL' }],
};
