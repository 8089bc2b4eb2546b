import type { Migration } from '../db/dialect.ts';

/** Where visitors go of links of a folder that are over. */
export const expiredUrlsOfFolders: Migration = {
  number: 26,
  name: 'expired-urls-of-folders',
  statements: ({ text }) => [`ALTER TABLE folders ADD COLUMN expired_url ${text}`],
};
