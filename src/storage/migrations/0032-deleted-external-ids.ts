import type { Migration } from '../db/dialect.ts';

/** The deleted link that had an externalId last is found at once, however many are deleted. */
export const deletedExternalIds: Migration = {
  number: 32,
  name: 'deleted-external-ids',
  statements: () => [],
  indexes: [
    {
      name: 'links_deleted_by_external_id',
      on: 'links (account_id, external_id, deleted_at, id) WHERE deleted_at IS NOT NULL AND external_id IS NOT NULL',
    },
  ],
};
