import type { Migration } from '../db/dialect.ts';

/**
 * Adds destinations with placeholders, paths after codes, and golinks domains, where members can create unknown codes.
 */
export const golinks: Migration = {
  number: 3,
  name: 'golinks',
  statements: ({ integer, text }) => [
    `ALTER TABLE links ADD COLUMN template ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE links ADD COLUMN append_path ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE links ADD COLUMN timezone ${text}`,
    `ALTER TABLE domains ADD COLUMN golinks ${integer} NOT NULL DEFAULT 0`,
  ],
};
