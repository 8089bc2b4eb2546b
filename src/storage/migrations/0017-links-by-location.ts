import type { Migration } from '../db/dialect.ts';

/**
 * Finds an account's oldest link to a destination. An entry of PostgreSQL's index has at most 2,704 bytes. The sum makes the
 * order one that no other index has, or PostgreSQL would walk that one for the first row.
 */
export const linksByLocation: Migration = {
  number: 17,
  name: 'links-by-location',
  statements: () => [],
  indexes: [
    {
      name: 'links_by_location',
      on: 'links (account_id, substr(COALESCE(location, destination), 1, 2048), (link_row + 0)) WHERE deleted_at IS NULL',
    },
  ],
};
