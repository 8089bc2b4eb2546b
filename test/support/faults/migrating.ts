// Runs the next version's `db migrate` for migration.test.ts, while a server of this version uses the database. Prints
// a line for each batch, and when it waits for another process.
import { argv, stdout } from 'node:process';
import type { Migration } from '../../../src/storage/db/dialect.ts';
import { migrations } from '../../../src/storage/migrations/list.ts';
import { migrateSqlite } from '../../../src/storage/sqlite/migration.ts';

/** Detects rows that are migrated twice. */
const next: Migration = {
  number: (migrations.at(-1)?.number ?? 0) + 1,
  name: 'next',
  statements: () => ['ALTER TABLE links ADD COLUMN filled INTEGER NOT NULL DEFAULT 0'],
  backfill: {
    table: 'links',
    key: 'link_row',
    statement: 'UPDATE links SET filled = filled + 1 WHERE link_row > ? AND link_row <= ?',
  },
};

await migrateSqlite(argv[2] ?? '', {
  migrations: [...migrations, next],
  onWait: () => void stdout.write('waits\n'),
  onBackfill: (_migration, done, total) =>
    void stdout.write(`${done} of ${total} at ${Math.floor(performance.now())}\n`),
});
