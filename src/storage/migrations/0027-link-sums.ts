import type { Migration } from '../db/dialect.ts';

/** The sums of every link in a day's roll-up. A day that was summed up before has none: it is read from its segments. */
export const linkSums: Migration = {
  number: 27,
  name: 'link-sums',
  statements: ({ bytes, storedUncompressed }) => [
    `ALTER TABLE click_rollups ADD COLUMN link_bytes ${bytes}`,
    ...storedUncompressed('click_rollups', 'link_bytes'),
  ],
};
