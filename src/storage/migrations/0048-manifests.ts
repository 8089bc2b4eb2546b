import type { Migration } from '../db/dialect.ts';

/** Which manifest keeps a link, by its name. Links that none keeps are in no index. */
export const manifests: Migration = {
  number: 48,
  name: 'manifests',
  statements: ({ text }) => [`ALTER TABLE links ADD COLUMN managed_by ${text}`],
  indexes: [
    {
      name: 'links_by_manifest',
      on: 'links (account_id, managed_by) WHERE deleted_at IS NULL AND managed_by IS NOT NULL',
    },
  ],
};
