import type { Migration } from '../db/dialect.ts';

/**
 * A folder that is gone for every reader, while its many links still carry its id, is a row that says so. Until now it
 * was a row in `folder_removals`, which servers of the version before still read and write; a later migration drops it.
 */
export const deletedFolders: Migration = {
  number: 7,
  name: 'deleted-folders',
  statements: ({ integer }) => [
    `ALTER TABLE folders ADD COLUMN deleted ${integer} NOT NULL DEFAULT 0`,
    `UPDATE folders SET deleted = 1 WHERE id IN (SELECT folder_id FROM folder_removals)`,
  ],
  indexes: [{ name: 'folders_deleted', on: 'folders (account_id, id) WHERE deleted = 1' }],
};
