import type { Migration } from '../db/dialect.ts';

/** The language of a link's destination. */
export const languages: Migration = {
  number: 55,
  name: 'languages',
  statements: ({ text }) => [`ALTER TABLE links ADD COLUMN language ${text}`],
};
