import type { Migration } from '../db/dialect.ts';

/**
 * When a folder was deleted, while it can still come back. Null once its links are let go of, and for one that a server of the
 * version before deleted.
 */
export const foldersComeBack: Migration = {
  number: 29,
  name: 'folders-come-back',
  statements: ({ integer }) => [`ALTER TABLE folders ADD COLUMN deleted_at ${integer}`],
};
