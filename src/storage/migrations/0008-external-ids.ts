import type { Migration } from '../db/dialect.ts';

/** What another system calls a link: one live link of an account by each. */
export const externalIds: Migration = {
  number: 8,
  name: 'external-ids',
  statements: ({ text }) => [`ALTER TABLE links ADD COLUMN external_id ${text}`],
  indexes: [
    {
      name: 'links_by_external_id',
      on: 'links (account_id, external_id) WHERE deleted_at IS NULL AND external_id IS NOT NULL',
      unique: true,
    },
  ],
};
