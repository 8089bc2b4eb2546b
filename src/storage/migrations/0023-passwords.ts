import type { Migration } from '../db/dialect.ts';

/** The hash of the password that visitors of a link have to give; null for none. */
export const passwords: Migration = {
  number: 23,
  name: 'passwords',
  statements: ({ text }) => [`ALTER TABLE links ADD COLUMN password_hash ${text}`],
};
