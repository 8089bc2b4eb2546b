import type { Migration } from '../db/dialect.ts';

/** How much room a day's clicks of an import have taken, this piece included, so that one look-up tells it. */
export const clicksOfImportsSoFar: Migration = {
  number: 41,
  name: 'clicks-of-imports-so-far',
  statements: ({ integer }) => [`ALTER TABLE import_clicks ADD COLUMN so_far ${integer} NOT NULL DEFAULT 0`],
};
