// Runs test files on PostgreSQL: `node test/support/postgres/on-postgres.ts [options] FILES`. If PostgreSQL is not
// available, prints a message and passes.
import { runTests } from '../runs/run-tests.ts';
import { noPostgres } from './databases.ts';

const files = process.argv.slice(2);
const missing = await noPostgres();
if (missing !== undefined) {
  process.stderr.write(`\nSKIPPED on PostgreSQL: ${files.join(' ')}\n${missing}\n\n`);
} else {
  process.exitCode = await runTests(files, { ...process.env, LINKFOLD_TEST_ENGINE: 'postgres' });
}
