import type { Migration } from '../db/dialect.ts';

/** What chats and networks show of a link. */
export const cards: Migration = {
  number: 24,
  name: 'cards',
  statements: ({ text }) => [`ALTER TABLE links ADD COLUMN card ${text}`],
};
