import type { Migration } from '../db/dialect.ts';

/** What makes a link lead elsewhere than always to its destination, or not at all. */
export const linksThatDecide: Migration = {
  number: 15,
  name: 'links-that-decide',
  statements: ({ text, integer }) => [
    `ALTER TABLE links ADD COLUMN starts_at ${integer}`,
    `ALTER TABLE links ADD COLUMN disabled ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE links ADD COLUMN expired_url ${text}`,
    `ALTER TABLE links ADD COLUMN redirect_status ${integer}`,
    `ALTER TABLE links ADD COLUMN forward_query ${text}`,
    `ALTER TABLE links ADD COLUMN rules ${text}`,
  ],
};
