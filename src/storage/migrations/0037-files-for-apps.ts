import type { Migration } from '../db/dialect.ts';

/** The files by which apps open links of a domain, as JSON. */
export const filesForApps: Migration = {
  number: 37,
  name: 'files-for-apps',
  statements: ({ text }) => [
    `ALTER TABLE domains ADD COLUMN apple_app_site_association ${text}`,
    `ALTER TABLE domains ADD COLUMN asset_links ${text}`,
  ],
};
