// For migration.test.ts: runs the `db migrate` command of the next version while a server from this version is using
// the database. Prints a line for each batch, and another when it has to wait for another process.
import { argv, stdout } from 'node:process';
import type { Migration } from '../../../src/storage/db/dialect.ts';
import { migrations } from '../../../src/storage/migrations/list.ts';
import { migrateSqlite } from '../../../src/storage/sqlite/migration.ts';

/** A migration that counts how often it changes each row, so that rows migrated twice are noticed. */
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
