import type { Migration } from '../db/dialect.ts';

/** Campaigns of links, and links that were put away, which an account finds by an index. */
export const campaignsAndArchive: Migration = {
  number: 21,
  name: 'campaigns-and-archive',
  statements: ({ text, integer }) => [
    `ALTER TABLE links ADD COLUMN utm ${text}`,
    `ALTER TABLE links ADD COLUMN archived ${integer} NOT NULL DEFAULT 0`,
  ],
  indexes: [
    {
      name: 'links_archived',
      on: 'links (account_id, folder_id) WHERE archived = 1 AND deleted_at IS NULL',
    },
  ],
};
