import type { Migration } from '../db/dialect.ts';

/** Deleted links can be listed, the last deleted first, at the cost of one page. */
export const deletedLinks: Migration = {
  number: 6,
  name: 'deleted-links',
  statements: () => [],
  indexes: [{ name: 'links_deleted', on: 'links (account_id, deleted_at, id) WHERE deleted_at IS NOT NULL' }],
};
