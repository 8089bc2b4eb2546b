import type { Migration } from '../db/dialect.ts';

/** Tells installations of one service apart, and keeps what each import counted, so that an undo restores it. */
export const installationsOfImports: Migration = {
  number: 57,
  name: 'installations-of-imports',
  statements: ({ integer, text, clustered }) => [
    `ALTER TABLE imports ADD COLUMN installation ${text}`,
    // Domain and code of the link at its source. Null for links that older versions imported.
    `ALTER TABLE import_links ADD COLUMN recorded ${text}`,
    // The last import whose file has a line for the link; negative if that import refused the line.
    `ALTER TABLE import_links ADD COLUMN met ${integer} NOT NULL DEFAULT 0`,
    // The counter of each import that raised the one of the link. The largest is in import_links.
    `CREATE TABLE import_counters (
      import_row ${integer} NOT NULL REFERENCES imports (import_row),
      link_row ${integer} NOT NULL,
      counter ${integer} NOT NULL,
      PRIMARY KEY (import_row, link_row)
    )${clustered}`,
    'CREATE INDEX import_counters_by_link ON import_counters (link_row)',
  ],
};
