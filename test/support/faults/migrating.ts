// What `db migrate` of the next version would do: for migration.test.ts, on a database that a server of this version
// serves. Tells a line for each batch, and when it waits for another one.
import { argv, stdout } from 'node:process';
import type { Migration } from '../../../src/storage/db/dialect.ts';
import { migrations } from '../../../src/storage/migrations/list.ts';
import { migrateSqlite } from '../../../src/storage/sqlite/migration.ts';

/** A row that comes twice shows. */
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
