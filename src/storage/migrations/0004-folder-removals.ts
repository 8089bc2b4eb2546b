import type { Migration } from '../db/dialect.ts';

/** Folders that are gone for every reader, while their many links still carry their ids. */
export const folderRemovals: Migration = {
  number: 4,
  name: 'folder-removals',
  statements: ({ integer, bytes, clustered }) => [
    // A server of the version before, which knows nothing of it, may delete such a folder once more.
    `CREATE TABLE folder_removals (
      account_id ${integer} NOT NULL,
      slot ${integer} NOT NULL,
      folder_id ${bytes} NOT NULL,
      PRIMARY KEY (account_id, slot),
      FOREIGN KEY (account_id, folder_id) REFERENCES folders (account_id, id) ON DELETE CASCADE
    )${clustered}`,
  ],
};
