import type { Migration } from '../db/dialect.ts';

/** How often people may follow a link, and how often they have since it has a limit. */
export const clickLimits: Migration = {
  number: 19,
  name: 'click-limits',
  statements: ({ integer }) => [
    `ALTER TABLE links ADD COLUMN max_clicks ${integer}`,
    `ALTER TABLE links ADD COLUMN used_clicks ${integer} NOT NULL DEFAULT 0`,
  ],
};
