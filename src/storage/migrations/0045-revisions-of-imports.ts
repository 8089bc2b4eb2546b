import type { Migration } from '../db/dialect.ts';

/** Which revision of a link an import made that changed it: history says what the link was before. */
export const revisionsOfImports: Migration = {
  number: 45,
  name: 'revisions-of-imports',
  statements: ({ integer }) => [`ALTER TABLE import_items ADD COLUMN revision ${integer}`],
};
